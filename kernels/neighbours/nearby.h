/* SPDX-License-Identifier: MIT */
/* Who is near a box: the first look that near.h has at a group, at a box of the caller's. */
#ifndef DUNLIN_KERNELS_NEARBY_H
#define DUNLIN_KERNELS_NEARBY_H

#include "kernels/neighbours/near.h"

WIDE_INLINE uint32_t nearby_run(const dun_interact *in, int dimensions, const lanes *box, dun_run run, int32_t *slots) {
    const wide widest_r2 = wide_set(in->widest_r2);
    uint32_t count = 0;
    for (uint32_t j = run.begin; j < run.end; j += DUNLIN_LANES) {
        const wide_mask there =
            wide_int_lt(wide_int_load(lane_number), wide_int_set((int32_t)least(run.end - j, DUNLIN_LANES)));
        const wide_mask near = wide_le(near_box(in, dimensions, run.folds, box, j), widest_r2);
        const wide_int slot = wide_int_add(wide_int_load(lane_number), wide_int_set((int32_t)j));
        count += wide_int_pack(slots + count, wide_and(near, there), slot);
    }
    return count;
}

static uint32_t nearby(const dun_interact *in, int dimensions, const dun_corners *corners, dun_run run, int32_t *slots) {
    lanes box;
    for (int a = 0; a < dimensions; a++) {
        box.low[a] = wide_set(corners->of[a][0]);
        box.high[a] = wide_set(corners->of[a][1]);
    }
    return dimensions == 3 ? nearby_run(in, 3, &box, run, slots) : nearby_run(in, 2, &box, run, slots);
}

#endif
