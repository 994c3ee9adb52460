/* SPDX-License-Identifier: MIT */
/* For LD_PRELOAD: the process ends in the midst of a call that changes a file, the one with the number $DUNLIN_TEST_CALL from 0
 * on, as if it was killed: half of what that should write is written. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KILLED = 99 };

static bool is_last_call(void) {
    static atomic_int calls;
    const char *last = getenv("DUNLIN_TEST_CALL");
    return last && calls++ == atoi(last);
}

static bool is_output(int descriptor) {
    struct stat file;
    return descriptor > STDERR_FILENO && fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode);
}

#pragma GCC visibility push(default) /* or it would stand in for nothing */

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t at) {
    const bool is_last = is_output(descriptor) && is_last_call();
    const ssize_t written = syscall(SYS_pwrite64, descriptor, bytes, is_last ? count / 2 : count, at);
    if (is_last) _exit(KILLED);
    return written;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t at) {
    return pwrite(descriptor, bytes, count, at);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    const bool is_last = is_output(descriptor) && is_last_call();
    const ssize_t written = syscall(SYS_write, descriptor, bytes, is_last ? count / 2 : count);
    if (is_last) _exit(KILLED);
    return written;
}

int ftruncate(int descriptor, off_t length) {
    if (is_last_call()) _exit(KILLED);
    return (int)syscall(SYS_ftruncate, descriptor, length);
}

int ftruncate64(int descriptor, off64_t length) {
    return ftruncate(descriptor, length);
}

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
        va_list values;
        va_start(values, flags);
        mode = va_arg(values, mode_t);
        va_end(values);
    }
    if ((flags & O_TRUNC) && is_last_call()) _exit(KILLED);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int linkat(int from, const char *path, int to, const char *name, int flags) {
    if (is_last_call()) _exit(KILLED);
    return (int)syscall(SYS_linkat, from, path, to, name, flags);
}

int rename(const char *path, const char *name) {
    if (is_last_call()) _exit(KILLED);
    return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, name, 0);
}

int unlink(const char *path) {
    if (is_last_call()) _exit(KILLED);
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

#pragma GCC visibility pop
