/* SPDX-License-Identifier: MIT */
/* The time, to measure how long things take. */
#ifndef DUNLIN_ENGINE_CLOCK_H
#define DUNLIN_ENGINE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t dun_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
