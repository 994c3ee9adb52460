/* SPDX-License-Identifier: MIT */
/* Minimum and maximum of many numbers. */
#ifndef DUNLIN_KERNELS_MIN_MAX_H
#define DUNLIN_KERNELS_MIN_MAX_H

#include "kernels/wide/vector.h"

/* Lanes beyond the last number repeat the first. */
static void min_max(const float *x, uint32_t count, float ends[2]) {
    const wide first = wide_set(x[0]);
    wide lanes_min = first, lanes_max = first;
    for (uint32_t i = 0; i < count; i += DUNLIN_LANES) {
        const wide here = wide_blend(first_lanes(count - i), wide_load(x + i), first);
        lanes_min = wide_min(here, lanes_min);
        lanes_max = wide_max(here, lanes_max);
    }
    float minima[DUNLIN_LANES], maxima[DUNLIN_LANES];
    wide_store(minima, wide_min_across(lanes_min));
    wide_store(maxima, wide_max_across(lanes_max));
    ends[0] = minima[0];
    ends[1] = maxima[0];
}

#endif
