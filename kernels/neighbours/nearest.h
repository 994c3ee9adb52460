/* SPDX-License-Identifier: MIT */
/*
 * For each lane the nearest neighbour: a selection of one (select.h) without views, minimum radii or pushes. There is no
 * candidate list, because hardly anything is to be done with a candidate that is not the nearest so far.
 */
#ifndef DUNLIN_KERNELS_NEAREST_H
#define DUNLIN_KERNELS_NEAREST_H

#include "kernels/neighbours/candidate_list.h"

/* So far. */
typedef struct nearest_found {
    wide d2;     /* the squared radius, before there is one */
    wide_int id; /* turned (wide_turned()); INT32_MAX: there is none */
    wide offset[3], velocity[3];
} nearest_found;

WIDE_INLINE void nearest_visit(const dun_interact *in, int dimensions, bool own, uint32_t folds, const packet_lanes *l,
                               uint32_t j, nearest_found *found) {
    wide delta[3];
    const wide d2 = offset_to(in, dimensions, folds, l->at, j, delta);
    wide_mask better = wide_le(d2, found->d2);
    if (own) better = other_than(l, j, better);
    if (!wide_any(better)) return;
    const wide_int id = wide_turned(in->id[j]);
    better = wide_and(better, wide_or(wide_lt(d2, found->d2), wide_int_lt(id, found->id)));
    found->d2 = wide_blend(better, d2, found->d2);
    found->id = blend_int(better, id, found->id);
    for (int a = 0; a < dimensions; a++) {
        found->offset[a] = wide_blend(better, delta[a], found->offset[a]);
        found->velocity[a] = wide_blend(better, wide_set(in->velocity[a][j]), found->velocity[a]);
    }
}

WIDE_INLINE void nearest_range(const dun_interact *in, int dimensions, bool own, uint32_t folds, const packet_lanes *l,
                               dun_range range, nearest_found *found) {
    for (uint32_t j = range.begin; j < range.end; j++) nearest_visit(in, dimensions, own, folds, l, j, found);
}

/* Sums of one: adding to +0 turns -0 into +0, as in other sums. */
WIDE_INLINE void nearest_store(const nearest_found *found, int dimensions, const dun_sums *sums, uint32_t at) {
    for (int a = 0; a < dimensions; a++) {
        wide_store(sums->offset[a] + at, wide_add(wide_zero(), found->offset[a]));
        wide_store(sums->velocity[a] + at, wide_add(wide_zero(), found->velocity[a]));
    }
    const wide_mask any = wide_int_lt(found->id, wide_int_set(INT32_MAX));
    wide_int_store(sums->seen + at, wide_count_if(wide_int_set(0), any));
}

WIDE_INLINE void nearest_lanes(const dun_interact *in, int dimensions, dun_packet packet, const dun_range *ranges,
                               uint32_t range_count, const dun_sums *sums, uint32_t at) {
    packet_lanes l;
    l.self = wide_int_add(wide_int_load(lane_number), wide_int_set((int32_t)packet.first));
    nearest_found found = {.d2 = wide_set(in->max_r2), .id = wide_int_set(INT32_MAX)};
    for (int a = 0; a < dimensions; a++) {
        l.at[a] = wide_load(in->observer[a] + packet.first);
        found.offset[a] = found.velocity[a] = wide_zero();
    }
    for (uint32_t r = 0; r < range_count; r++) {
        if (in->own && ranges[r].folds)
            nearest_range(in, dimensions, true, ranges[r].folds, &l, ranges[r], &found);
        else if (in->own)
            nearest_range(in, dimensions, true, 0, &l, ranges[r], &found);
        else if (ranges[r].folds)
            nearest_range(in, dimensions, false, ranges[r].folds, &l, ranges[r], &found);
        else
            nearest_range(in, dimensions, false, 0, &l, ranges[r], &found);
    }
    nearest_store(&found, dimensions, sums, at);
}

WIDE_INLINE void nearest_packet(const dun_interact *in, int dimensions, dun_packet packet, const dun_range *ranges,
                                uint32_t range_count, const dun_sums *sums, uint32_t at) {
    for (uint32_t i = 0; i < packet.count; i += DUNLIN_LANES) {
        const dun_packet here = {packet.first + i, min_u32(packet.count - i, DUNLIN_LANES)};
        nearest_lanes(in, dimensions, here, ranges, range_count, sums, at + i);
    }
}

INTERACT_FUNCTION_OF(nearest_2, nearest_packet(in, 2, packet, ranges, range_count, sums, at))
INTERACT_FUNCTION_OF(nearest_3, nearest_packet(in, 3, packet, ranges, range_count, sums, at))

#endif
