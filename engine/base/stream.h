/* SPDX-License-Identifier: MIT */
/*
 * Streams and files that a signal does not break. A host's handler may lack SA_RESTART; then a slow read or write, of a pipe
 * for instance, ends with EINTR, and stdio takes that for an error and loses what it had to write.
 *
 * Like replace_file.h this file uses nothing else of the engine, and the harness includes it, too.
 */
#ifndef DUNLIN_ENGINE_STREAM_H
#define DUNLIN_ENGINE_STREAM_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* Opening waits, too: for the other end of a pipe. */
static inline int dun_open(const char *path, int flags, mode_t mode) {
    int descriptor;
    do descriptor = open(path, flags | O_CLOEXEC, mode);
    while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

static inline int dun_truncate(int descriptor, off_t length) {
    int result;
    do result = ftruncate(descriptor, length);
    while (result != 0 && errno == EINTR);
    return result;
}

static inline int dun_sync(int descriptor) {
    int result;
    do result = fsync(descriptor);
    while (result != 0 && errno == EINTR);
    return result;
}

/* Writes all of it, or returns false: errno says why. */
static inline bool dun_write_at(int descriptor, const char *bytes, size_t count, off_t at) {
    while (count > 0) {
        const ssize_t written = pwrite(descriptor, bytes, count, at);
        if (written < 0 && errno == EINTR) continue;
        if (written == 0) errno = ENOSPC;
        if (written <= 0) return false;
        bytes += written, count -= (size_t)written, at += written;
    }
    return true;
}

/* Returns how much there was, less than `count` at the end of the file, or -1: errno says why. */
static inline ssize_t dun_read_at(int descriptor, char *bytes, size_t count, off_t at) {
    size_t done = 0;
    while (done < count) {
        const ssize_t got = pread(descriptor, bytes + done, count - done, at + (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

#ifdef __linux__

static inline ssize_t dun_stream_read(void *cookie, char *bytes, size_t count) {
    ssize_t got;
    do got = read((int)(intptr_t)cookie, bytes, count);
    while (got < 0 && errno == EINTR);
    return got;
}

/* Fewer bytes than asked for are an error. */
static inline ssize_t dun_stream_write(void *cookie, const char *bytes, size_t count) {
    size_t done = 0;
    while (done < count) {
        const ssize_t written = write((int)(intptr_t)cookie, bytes + done, count - done);
        if (written < 0 && errno != EINTR) break;
        if (written > 0) done += (size_t)written;
    }
    return (ssize_t)done;
}

static inline int dun_stream_seek(void *cookie, off64_t *offset, int whence) {
    const off64_t at = lseek64((int)(intptr_t)cookie, *offset, whence);
    if (at >= 0) *offset = at;
    return at >= 0 ? 0 : -1;
}

/* An interrupted close() has closed. */
static inline int dun_stream_close(void *cookie) {
    return close((int)(intptr_t)cookie) == 0 || errno == EINTR ? 0 : -1;
}

/* fileno() does not know the descriptor of such a stream. */
static inline FILE *dun_stream_of(int descriptor, const char *mode) {
    const cookie_io_functions_t functions = {dun_stream_read, dun_stream_write, dun_stream_seek, dun_stream_close};
    return fopencookie((void *)(intptr_t)descriptor, mode, functions);
}

#else

static inline FILE *dun_stream_of(int descriptor, const char *mode) {
    return fdopen(descriptor, mode);
}

#endif

/* Opens a file for reading. NULL: errno says why. */
static inline FILE *dun_stream_open(const char *path) {
    const int descriptor = dun_open(path, O_RDONLY, 0);
    FILE *stream = descriptor < 0 ? NULL : dun_stream_of(descriptor, "r");
    if (descriptor >= 0 && !stream) close(descriptor);
    return stream;
}

#endif
