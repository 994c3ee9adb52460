/* SPDX-License-Identifier: MIT */
/*
 * Files that are replaced whole or not at all: whatever ends the writer, and whenever, a reader finds what was there before or
 * all that is new. Where the file system can do it (O_TMPFILE), the new contents have no name until they are on the disk, so
 * that even kill -9 leaves nothing behind; elsewhere they lie beside the target as ".dunlin-" and eight hexadecimal digits.
 *
 * This file needs nothing else of the engine. The harness, which otherwise includes the public header only, uses it too: the
 * alternative is a second copy, and two would soon differ.
 */
#ifndef DUNLIN_ENGINE_REPLACE_FILE_H
#define DUNLIN_ENGINE_REPLACE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct dun_replacement {
    FILE *stream;             /* to write to; commit and abandon close it. NULL: nothing is begun */
    char target[PATH_MAX];    /* what is replaced: absolute, links followed, so that one file has one target */
    char folder[PATH_MAX];    /* of the target */
    char temporary[PATH_MAX]; /* where the new contents lie; "": they have no name, or is_direct */
    bool is_direct;           /* the target cannot be replaced, and what is written appears at once */
} dun_replacement;

/*
 * Begins to write what will be at `path`. The new file gets the mode of the one that it replaces, and its owner where allowed;
 * without one, 0666 less the umask. A link stays, and the file that it points to is replaced. Other hard links keep the old
 * contents. Written directly: what is no regular file, such as a pipe; a mount point; another user's file in a sticky
 * folder; and the file that standard output or standard error goes to, as /dev/stdout often is.
 *
 * false: *r is empty and errno says why. EISDIR: a folder; EACCES, EROFS, ENOENT, ...: the file or its folder cannot be
 * written.
 */
bool dun_replace_begin(dun_replacement *r, const char *path);

/* Puts what was written in its place, once it is on the disk. false: errno says why, and what was there before still is.
 * Writes that failed before count too. Empties *r in any case. */
bool dun_replace_commit(dun_replacement *r);

/* Removes what was written. Leaves errno alone; does nothing where *r is empty. */
void dun_replace_abandon(dun_replacement *r);

#endif
