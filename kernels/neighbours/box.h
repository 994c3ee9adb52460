/* SPDX-License-Identifier: MIT */
/* Lanes that are candidates, not observers: the extremes of many numbers, the candidates of a caller's box by the test of
 * candidate_list.h, and the nearest of one agent. */
#ifndef DUNLIN_KERNELS_BOX_H
#define DUNLIN_KERNELS_BOX_H

#include "kernels/neighbours/candidate_list.h"

/* Lanes beyond the last number repeat the first. */
static void find_ends(const float *x, uint32_t count, float ends[2]) {
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

/* Adds them to those that there are. */
WIDE_INLINE uint32_t candidates_in_range(const dun_interact *in, int dimensions, uint32_t folds, const packet_lanes *box,
                                         dun_range range, int32_t *slots, uint32_t count) {
    const wide max_r2 = wide_set(in->max_r2);
    const wide_int step = wide_int_set(DUNLIN_LANES), end = wide_turned(range.end);
    wide_int slot = wide_int_add(wide_int_load(lane_number), wide_int_set((int32_t)range.begin));
    wide_int turned = wide_int_add(slot, wide_int_set(INT32_MIN));
    for (uint32_t j = range.begin; j < range.end; j += DUNLIN_LANES) {
        const wide_mask within = wide_le(box_distance2(in, dimensions, folds, 0, box, j), max_r2);
        count += wide_int_pack(slots + count, wide_and(within, wide_int_lt(turned, end)), slot);
        slot = wide_int_add(slot, step);
        turned = wide_int_add(turned, step);
    }
    return count;
}

WIDE_INLINE uint32_t candidates_in_ranges(const dun_interact *in, int dimensions, const dun_box *box, const dun_range *ranges,
                                          uint32_t range_count, int32_t *slots) {
    uint32_t count = 0;
    packet_lanes around;
    for (int a = 0; a < dimensions; a++) {
        around.min[a] = wide_set(box->of[a][0]);
        around.max[a] = wide_set(box->of[a][1]);
    }
    for (uint32_t r = 0; r < range_count; r++) {
        if (ranges[r].folds)
            count = candidates_in_range(in, dimensions, ranges[r].folds, &around, ranges[r], slots, count);
        else
            count = candidates_in_range(in, dimensions, 0, &around, ranges[r], slots, count);
    }
    return count;
}

static uint32_t find_candidates(const dun_interact *in, int dimensions, const dun_box *box, const dun_range *ranges,
                                uint32_t range_count, int32_t *slots) {
    return dimensions == 3 ? candidates_in_ranges(in, 3, box, ranges, range_count, slots)
                           : candidates_in_ranges(in, 2, box, ranges, range_count, slots);
}

WIDE_INLINE wide nearest_in_range(const dun_interact *in, int dimensions, uint32_t folds, const wide at[3], uint32_t agent,
                                  dun_range range, wide nearest) {
    for (uint32_t j = range.begin; j < range.end; j += DUNLIN_LANES) {
        wide delta[3];
        for (int a = 0; a < dimensions; a++) {
            delta[a] = wide_sub(wide_load(in->position[a] + j), at[a]);
            if (folds >> a & 1) delta[a] = fold(delta[a], in->size[a]);
        }
        wide_mask other = first_lanes(min_u32(range.end - j, DUNLIN_LANES));
        other = wide_and_ne(other, wide_int_load(lane_number), wide_int_set((int32_t)(agent - j)));
        nearest = wide_blend(other, wide_min(length2(delta, dimensions), nearest), nearest);
    }
    return nearest;
}

WIDE_INLINE float nearest_in_ranges(const dun_interact *in, int dimensions, uint32_t agent, const dun_range *ranges,
                                    uint32_t range_count) {
    wide at[3], nearest = wide_set(__builtin_inff());
    for (int a = 0; a < dimensions; a++) at[a] = wide_set(in->position[a][agent]);
    for (uint32_t r = 0; r < range_count; r++) {
        if (ranges[r].folds)
            nearest = nearest_in_range(in, dimensions, ranges[r].folds, at, agent, ranges[r], nearest);
        else
            nearest = nearest_in_range(in, dimensions, 0, at, agent, ranges[r], nearest);
    }
    float minima[DUNLIN_LANES];
    wide_store(minima, wide_min_across(nearest));
    return minima[0];
}

static float nearest_to(const dun_interact *in, int dimensions, uint32_t agent, const dun_range *ranges, uint32_t range_count) {
    return dimensions == 3 ? nearest_in_ranges(in, 3, agent, ranges, range_count)
                           : nearest_in_ranges(in, 2, agent, ranges, range_count);
}

#endif
