/* SPDX-License-Identifier: MIT */
/* For each lane the neighbour with the minimum id. */
#ifndef DUNLIN_KERNELS_MIN_ID_H
#define DUNLIN_KERNELS_MIN_ID_H

#include "kernels/neighbours/candidate_list.h"

/* So far; the id turned (wide_turned()). */
typedef struct min_id_found {
    wide_int id, slot;
} min_id_found;

WIDE_INLINE void min_id_visit(const dun_interact *in, int dimensions, uint32_t folds, const packet_lanes *l, uint32_t j,
                              min_id_found *found) {
    wide delta[3];
    const wide d2 = offset_to(in, dimensions, folds, l->at, j, delta);
    const wide_int id = wide_turned(in->id[j]);
    const wide_mask better = wide_and(wide_le(d2, wide_set(in->max_r2)), wide_int_lt(id, found->id));
    found->id = blend_int(better, id, found->id);
    found->slot = blend_int(better, wide_int_set((int32_t)j), found->slot);
}

WIDE_INLINE void min_id_packet(const dun_interact *in, int dimensions, uint32_t folds, dun_packet packet,
                               const dun_range *ranges, uint32_t range_count, int32_t *slot) {
    packet_lanes l;
    candidate_list list;
    range_place from = {0, 0};
    bool more;
    lanes_load(in, dimensions, packet, &l);
    min_id_found found = {wide_int_set(INT32_MAX), wide_int_set(-1)};
    do {
        more = list_ranges(in, dimensions, folds, false, false, &l, ranges, range_count, &from, &list);
        for (uint32_t k = 0; k < list.count; k++) min_id_visit(in, dimensions, folds, &l, (uint32_t)list.slot[k], &found);
    } while (more);
    wide_int_store(slot, found.slot);
}

static void find_min_ids(const dun_interact *in, dun_packet packet, const dun_range *ranges, uint32_t range_count,
                         int32_t *slot) {
    const uint32_t folds = folded_axes(ranges, range_count);
    if (in->shape.dimensions == 3)
        folds ? min_id_packet(in, 3, folds, packet, ranges, range_count, slot)
              : min_id_packet(in, 3, 0, packet, ranges, range_count, slot);
    else
        folds ? min_id_packet(in, 2, folds, packet, ranges, range_count, slot)
              : min_id_packet(in, 2, 0, packet, ranges, range_count, slot);
}

#endif
