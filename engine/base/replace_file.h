/* SPDX-License-Identifier: MIT */
/*
 * Replacing files whole or not at all: whenever and however the writer ends, a reader finds either the old contents or all of
 * the new. If the file system supports O_TMPFILE, the new contents have no name until they are on the disk, so that even kill
 * -9 leaves nothing behind. Otherwise they lie beside the target, as ".dunlin-" and eight hexadecimal digits.
 *
 * This file uses nothing else of the engine but stream.h. The harness, which otherwise includes the public headers only,
 * includes it too, because a second copy would soon differ.
 */
#ifndef DUNLIN_ENGINE_REPLACE_FILE_H
#define DUNLIN_ENGINE_REPLACE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct dun_replacement {
    FILE *stream;             /* to write to; commit and abandon close it. NULL: no replacement has begun */
    int descriptor;           /* the stream's, which fileno() does not know */
    char target[PATH_MAX];    /* the file to replace: an absolute path without links, so that one file has one target */
    char folder[PATH_MAX];    /* the target's */
    char temporary[PATH_MAX]; /* the path of the new contents; "": they have no name, or is_direct */
    bool is_direct;           /* the target cannot be replaced: writes appear in it at once */
    bool is_quick; /* set before committing: a power cut, other than a kill, may spoil the new file for some seconds */
} dun_replacement;

/* Finds what would be replaced: an absolute path without links, and its folder. The file need not be there; the folder must. */
bool dun_replace_find(const char *path, char folder[PATH_MAX], char target[PATH_MAX]);

/*
 * Begins to replace the file at `path`. The new file gets the mode of the old one, and its owner if that is allowed; if there
 * is no old file, it gets 0666 less the umask. A link stays, and the file that it points to is replaced. Other hard links keep
 * the old contents. Some files are written directly instead: those that are not regular, such as a pipe; a mount point; another
 * user's file in a sticky folder; and the file that standard output or standard error goes to, such as /dev/stdout.
 *
 * false: *r is empty and errno says why. EISDIR: it is a folder; EACCES, EROFS, ENOENT, ...: the file or its folder cannot be
 * written.
 */
bool dun_replace_begin(dun_replacement *r, const char *path);

/*
 * Gives the new contents a temporary name now, so that other processes can open and write them; not if is_direct. A target
 * always gets the same one: what a killed process has left is replaced then, or removed by dun_replace_clean(). So only one
 * process may do this for a target at a time. false: errno says why.
 */
bool dun_replace_show(dun_replacement *r);
void dun_replace_clean(const dun_replacement *r);

/* Puts the new file in its place once it is on the disk. false: errno says why, and the old file is still there. A write that
 * failed before counts too. Empties *r in any case. */
bool dun_replace_commit(dun_replacement *r);

/* Removes the new file. Leaves errno alone; does nothing if *r is empty. */
void dun_replace_abandon(dun_replacement *r);

#endif
