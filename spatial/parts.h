/* SPDX-License-Identifier: MIT */
/* The minimum and maximum of two values, and parts of ranges. Of a NaN and b, the minimum and maximum are b. */
#ifndef DUNLIN_SPATIAL_PARTS_H
#define DUNLIN_SPATIAL_PARTS_H

#include <stdint.h>

static inline uint32_t min_u32(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

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

/* Where a part begins of `all` that are cut in `parts` about equal ones. */
static inline uint32_t part_begin(uint32_t all, uint32_t part, uint32_t parts) {
    return (uint32_t)((uint64_t)all * part / parts);
}

#endif
