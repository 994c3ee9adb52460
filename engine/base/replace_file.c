/* SPDX-License-Identifier: MIT */
#include "engine/base/replace_file.h"

#include "engine/base/stream.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MAX_LINKS = 40, MAX_NAMES = 100, PROC_PATH = 40 };

/* ---- the target ------------------------------------------------------------------------------------------------------- */

/* The length of a path up to its last slash, or 0. */
static int folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

/* Joins two parts of a path. The first has `length` bytes. */
static bool join(char path[PATH_MAX], const char *first, int length, const char *second) {
    const int bytes = snprintf(path, PATH_MAX, "%.*s%s", length, first, second);
    if (bytes >= PATH_MAX) errno = ENAMETOOLONG;
    return bytes < PATH_MAX;
}

/* Finds where a chain of links ends, even if no file is there, which realpath() would need. */
static bool follow_links(const char *path, char end[PATH_MAX]) {
    char link[PATH_MAX], at[PATH_MAX];
    ssize_t length;
    if (!join(end, "", 0, path)) return false;
    for (int links = 0; (length = readlink(end, link, sizeof link - 1)) >= 0; links++) {
        link[length] = '\0';
        memcpy(at, end, sizeof at);
        errno = ELOOP;
        if (links == MAX_LINKS || !join(end, at, link[0] == '/' ? 0 : folder_length(at), link)) return false;
    }
    return true;
}

bool dun_replace_find(const char *path, char folder[PATH_MAX], char target[PATH_MAX]) {
    char end[PATH_MAX], linked[PATH_MAX];
    if (!follow_links(path, end)) return false;
    const int length = folder_length(end);
    const char *name = end + length;
    errno = ENOENT;
    if (!*name || !join(linked, end, length, length > 0 ? "" : ".") || !realpath(linked, folder)) return false;
    errno = ENAMETOOLONG;
    return snprintf(target, PATH_MAX, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name) < PATH_MAX;
}

static bool is_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_written_to(int descriptor) {
    const int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/* Finds whether standard output or standard error goes to the file with this status: its descriptor, or -1. */
static int find_standard(const struct stat *status) {
    struct stat standard;
    for (int descriptor = STDOUT_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fstat(descriptor, &standard) == 0 && is_same(&standard, status) && is_written_to(descriptor)) return descriptor;
    return -1;
}

/* A mount point, such as a file of the host in a container, cannot be renamed over. */
static bool is_mount_point(const char *path) {
#ifdef STATX_ATTR_MOUNT_ROOT
    struct statx status;
    return statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0, &status) == 0 && status.stx_attributes & STATX_ATTR_MOUNT_ROOT;
#else
    (void)path;
    return false;
#endif
}

/* In a sticky folder such as /tmp only the owner of a file may rename it or rename over it. */
static bool is_kept_by_folder(const char *folder, const struct stat *old) {
    struct stat status;
    const uid_t own = geteuid();
    const bool sticky = stat(folder, &status) == 0 && status.st_mode & S_ISVTX;
    return sticky && own != 0 && own != status.st_uid && own != old->st_uid;
}

/* Only a regular file can be replaced, and only by its own path: one through /proc may lead to a file without any. */
static bool can_be_replaced(const dun_replacement *r, const struct stat *old) {
    struct stat status;
    return S_ISREG(old->st_mode) && find_standard(old) < 0 && lstat(r->target, &status) == 0 && is_same(&status, old) &&
           !is_mount_point(r->target) && !is_kept_by_folder(r->folder, old);
}

/* ---- the new contents ------------------------------------------------------------------------------------------------- */

/* Writes the path by which a file without a name can be reached. */
static void write_proc_path(int descriptor, char path[PROC_PATH]) {
    snprintf(path, PROC_PATH, "/proc/self/fd/%d", descriptor);
}

static int link_to(int descriptor, const char *name) {
    char path[PROC_PATH];
    write_proc_path(descriptor, path);
    return linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

static int open_nameless(const char *folder, mode_t mode) {
#ifdef O_TMPFILE
    char path[PROC_PATH];
    const int descriptor = dun_open(folder, O_TMPFILE | O_WRONLY, mode);
    if (descriptor < 0) return -1;
    write_proc_path(descriptor, path);
    if (access(path, F_OK) == 0) return descriptor;
    close(descriptor); /* without /proc the file could never get a name */
#else
    (void)folder, (void)mode;
#endif
    return -1;
}

/* The target's name is not part of it: that may have the maximum length. Nor is the process id enough: it is 1 in every
 * container. */
static bool make_name(const char *folder, unsigned attempt, char path[PATH_MAX]) {
    char name[20];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t number = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    number = (number ^ (uint64_t)getpid() << 40 ^ attempt) * 0x9e3779b97f4a7c15u;
    snprintf(name, sizeof name, "/.dunlin-%08x", (unsigned)(number >> 32));
    return join(path, folder, (int)strlen(folder), name);
}

/* Gives the file of `descriptor`, or, if that is -1, a new file, a name beside the target. Returns its descriptor, or -1. */
static int name_beside(dun_replacement *r, int descriptor, mode_t mode) {
    char name[PATH_MAX];
    for (unsigned attempt = 0; attempt < MAX_NAMES && make_name(r->folder, attempt, name); attempt++) {
        const int named = descriptor < 0 ? dun_open(name, O_WRONLY | O_CREAT | O_EXCL, mode) : link_to(descriptor, name);
        if (named < 0 && errno == EEXIST) continue;
        if (named < 0) return -1;
        memcpy(r->temporary, name, sizeof name);
        return descriptor < 0 ? named : descriptor;
    }
    return -1;
}

/*
 * Only root can give a file to another owner, and some file systems have no modes. Such failures are ignored: the contents
 * matter more. The mode is set first, while the file is ours: even root may not be allowed to change another owner's file.
 */
static void keep_owner_and_mode(int descriptor, const struct stat *old) {
    (void)!fchmod(descriptor, old->st_mode & 0777);
    const bool is_kept = fchown(descriptor, old->st_uid, old->st_gid) == 0 || fchown(descriptor, (uid_t)-1, old->st_gid) == 0;
    if (is_kept && old->st_mode & 07000) (void)!fchmod(descriptor, old->st_mode & 07777);
}

/* `old`: the file's status, or NULL if there is none. Until the new file has the old one's mode no other user may read it. */
static int open_new(dun_replacement *r, const struct stat *old) {
    const mode_t mode = old ? 0600 : 0666;
    int descriptor = open_nameless(r->folder, mode);
    if (descriptor < 0) descriptor = name_beside(r, -1, mode);
    if (descriptor >= 0 && old) keep_owner_and_mode(descriptor, old);
    return descriptor;
}

static int open_direct(const char *path, const struct stat *old) {
    const int standard = find_standard(old);
    return standard >= 0 ? fcntl(standard, F_DUPFD_CLOEXEC, 0) : dun_open(path, O_WRONLY | O_TRUNC | O_NOCTTY, 0);
}

bool dun_replace_begin(dun_replacement *r, const char *path) {
    struct stat old;
    *r = (dun_replacement){0};
    const bool exists = stat(path, &old) == 0;
    if (!exists && errno != ENOENT) return false;
    errno = EISDIR;
    if (exists && (S_ISDIR(old.st_mode) || access(path, W_OK) != 0)) return false;
    int descriptor = -1;
    if (dun_replace_find(path, r->folder, r->target)) {
        r->is_direct = exists && !can_be_replaced(r, &old);
        descriptor = r->is_direct ? open_direct(path, &old) : open_new(r, exists ? &old : NULL);
    }
    r->stream = descriptor < 0 ? NULL : dun_stream_of(descriptor, "w");
    r->descriptor = descriptor;
    if (r->stream) return true;
    if (descriptor >= 0) close(descriptor);
    dun_replace_abandon(r);
    return false;
}

/* FNV-1a. */
static bool make_shown_name(const dun_replacement *r, char path[PATH_MAX]) {
    char name[20];
    uint32_t number = 2166136261u;
    for (const char *at = r->target; *at; at++) number = (number ^ (unsigned char)*at) * 16777619u;
    snprintf(name, sizeof name, "/.dunlin-%08x", (unsigned)number);
    return join(path, r->folder, (int)strlen(r->folder), name);
}

bool dun_replace_show(dun_replacement *r) {
    char name[PATH_MAX];
    if (!make_shown_name(r, name)) return false;
    if (*r->temporary) {
        if (rename(r->temporary, name) != 0) return false;
    } else {
        unlink(name);
        if (link_to(r->descriptor, name) != 0) return false;
    }
    memcpy(r->temporary, name, sizeof name);
    return true;
}

void dun_replace_clean(const dun_replacement *r) {
    char name[PATH_MAX];
    if (make_shown_name(r, name) && strcmp(name, r->temporary) != 0) unlink(name);
}

/* ---- the end ---------------------------------------------------------------------------------------------------------- */

static bool write_out(dun_replacement *r) {
    const int before = errno; /* of a failed write, if there was one */
    if (fflush(r->stream) != 0) return false;
    if (!ferror(r->stream)) return r->is_direct || r->is_quick || dun_sync(r->descriptor) == 0;
    errno = before ? before : EIO;
    return false;
}

static bool put_in_place(dun_replacement *r) {
    if (!*r->temporary) {
        if (link_to(r->descriptor, r->target) == 0) return true;
        /* A link cannot replace a file, so the file gets a name and is renamed. A writer killed between the two leaves that
         * name. */
        if (errno != EEXIST || name_beside(r, r->descriptor, 0) < 0) return false;
    }
    if (rename(r->temporary, r->target) != 0) return false;
    *r->temporary = '\0';
    return true;
}

/* Syncs the folder, so that the name survives a power cut too. Failure is ignored: some file systems cannot do it. */
static void sync_folder(const char *folder) {
    const int descriptor = dun_open(folder, O_RDONLY | O_DIRECTORY, 0);
    if (descriptor < 0) return;
    (void)dun_sync(descriptor);
    close(descriptor);
}

bool dun_replace_commit(dun_replacement *r) {
    bool is_done = write_out(r) && (r->is_direct || put_in_place(r));
    int problem = errno;
    if (is_done && !r->is_direct && !r->is_quick) sync_folder(r->folder);
    if (fclose(r->stream) != 0 && is_done && r->is_direct) { /* a replaced file is on the disk already */
        problem = errno;
        is_done = false;
    }
    r->stream = NULL;
    dun_replace_abandon(r);
    errno = problem;
    return is_done;
}

void dun_replace_abandon(dun_replacement *r) {
    const int problem = errno;
    if (r->stream) fclose(r->stream);
    if (*r->temporary) unlink(r->temporary);
    *r = (dun_replacement){0};
    errno = problem;
}
