/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_CLOCK_H
#define DUNLIN_HARNESS_CLOCK_H

#include <time.h>

static inline double clock_read(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds, by a clock that never jumps. */
static inline double clock_seconds(void) {
    return clock_read(CLOCK_MONOTONIC);
}

/* Seconds for which the calling thread has had a processor. */
static inline double clock_thread_seconds(void) {
    return clock_read(CLOCK_THREAD_CPUTIME_ID);
}

#endif
