/* SPDX-License-Identifier: MIT */
/* Ranges, and parts of them. */
#ifndef DUNLIN_SPATIAL_PARTS_H
#define DUNLIN_SPATIAL_PARTS_H

#include <stdint.h>

static inline uint32_t min_u32(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Where a part begins of `all` that are cut in `parts` about equal ones. */
static inline uint32_t part_begin(uint32_t all, uint32_t part, uint32_t parts) {
    return (uint32_t)((uint64_t)all * part / parts);
}

#endif
