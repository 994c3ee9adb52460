/* SPDX-License-Identifier: MIT */
/* The minimum and maximum of two values. Of a NaN and b, it is b. */
#ifndef DUNLIN_ENGINE_MINMAX_H
#define DUNLIN_ENGINE_MINMAX_H

#include "spatial/parts.h"

static inline uint32_t max_u32(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static inline float min_float(float a, float b) {
    return a < b ? a : b;
}

static inline float max_float(float a, float b) {
    return a > b ? a : b;
}

#endif
