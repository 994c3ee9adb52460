/* SPDX-License-Identifier: MIT */
/* For LD_PRELOAD: every second call of each kind on a file is interrupted by a signal before it has done anything, as it may be
 * on a network's or a user's file system if the handler lacks SA_RESTART. */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_interrupted(long call) {
    static atomic_uint calls[512];
    const bool is_odd = calls[call]++ % 2 == 0;
    if (is_odd) errno = EINTR;
    return is_odd;
}

#define INTERRUPTED(call, ...) (is_interrupted(call) ? -1 : syscall(call, __VA_ARGS__))

#pragma GCC visibility push(default) /* or it would stand in for nothing */

ssize_t pread(int descriptor, void *bytes, size_t count, off_t at) {
    return INTERRUPTED(SYS_pread64, descriptor, bytes, count, at);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t at) {
    return pread(descriptor, bytes, count, at);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t at) {
    return INTERRUPTED(SYS_pwrite64, descriptor, bytes, count, at);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t at) {
    return pwrite(descriptor, bytes, count, at);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    return INTERRUPTED(SYS_write, descriptor, bytes, count);
}

int ftruncate(int descriptor, off_t length) {
    return (int)INTERRUPTED(SYS_ftruncate, descriptor, length);
}

int ftruncate64(int descriptor, off64_t length) {
    return ftruncate(descriptor, length);
}

int fsync(int descriptor) {
    return (int)INTERRUPTED(SYS_fsync, descriptor);
}

#pragma GCC visibility pop
