/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_CLOCK_H
#define DUNLIN_HARNESS_CLOCK_H

#include <time.h>

/* Seconds, by a clock that never jumps. */
static inline double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
