/* SPDX-License-Identifier: MIT */
/* The least and the greatest of many numbers. */
#ifndef DUNLIN_KERNELS_SPAN_H
#define DUNLIN_KERNELS_SPAN_H

#include "kernels/contract/kernel.h"
#include "kernels/wide/vector.h"

/* What is beyond the last number counts as the first. */
static void span(const float *x, uint32_t count, float ends[2]) {
    wide low = wide_set(x[0]), high = low;
    for (uint32_t i = 0; i < count; i += DUNLIN_LANES) {
        const wide_mask taken = wide_int_lt(wide_int_load(lane_number), wide_int_set((int32_t)(count - i)));
        const wide here = wide_blend(taken, wide_load(x + i), wide_set(x[0]));
        low = wide_min(here, low);
        high = wide_max(here, high);
    }
    float lowest[DUNLIN_LANES], highest[DUNLIN_LANES];
    wide_store(lowest, wide_min_across(low));
    wide_store(highest, wide_max_across(high));
    ends[0] = lowest[0];
    ends[1] = highest[0];
}

#endif
