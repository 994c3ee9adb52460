/* SPDX-License-Identifier: MIT */
/*
 * The candidates of a packet: the observed agents of its ranges within the maximum radius of the box around the packet, in the
 * order of the ranges.
 *
 * A kernel tests as many of them against the box at a time as it has lanes, and lists those that pass in the L1 cache. In 2D a
 * fifth, in 3D half of a range's agents fail, each of which would cost a pass over all lanes; and the loop over one list ends,
 * and is mispredicted, once instead of once per range. Rounding is monotone, so no lane's squared distance is below that of the
 * box, and no neighbour is left out.
 */
#ifndef DUNLIN_KERNELS_CANDIDATE_LIST_H
#define DUNLIN_KERNELS_CANDIDATE_LIST_H

#include "kernels/contract/kernel.h"
#include "kernels/wide/vector.h"

enum { LIST_ROOM = 256 /* slots: a kilobyte of L1 */, LIST_COLUMN = LIST_ROOM + 2 * DUNLIN_LANES };

/* Where a packet's agents are. */
typedef struct packet_lanes {
    wide at[3];
    wide min[3], max[3]; /* the box around them, the same in every lane */
    wide scale;          /* of their radii */
    wide_int self;       /* the slots of the lanes themselves; where observers are another species no candidate has these */
} packet_lanes;

/* Candidates in the order of the ranges, the lanes themselves among them. */
typedef struct candidate_list {
    uint32_t count, push_count;
    int32_t slot[LIST_COLUMN];
    int32_t push_slot[LIST_COLUMN];                            /* those within the separation radius of the box */
    float shift[3 * LIST_COLUMN], push_shift[3 * LIST_COLUMN]; /* of each, by axis, where images are known */
} candidate_list;

/* Where to continue once a list is full. */
typedef struct range_place {
    uint32_t range, slot;
} range_place;

/* How offsets become those of the nearest images. Which of the two, if any, is a constant wherever this is inlined. */
typedef struct folding {
    uint32_t folds;     /* axes along which each offset is folded */
    const float *shift; /* what is added to the offset to a candidate: its element of the list's columns; or NULL */
} folding;

/* A dun_interact_fn with this body. */
#define INTERACT_FUNCTION_OF(name, ...)                                                                                        \
    static void name(const dun_interact *in, dun_packet packet, const dun_range *ranges, uint32_t range_count,                 \
                     const dun_sums *sums, uint32_t at) {                                                                      \
        __VA_ARGS__;                                                                                                           \
    }

/* Lanes without an agent repeat the packet's first, so that they do not grow the box. */
WIDE_INLINE void lanes_load(const dun_interact *in, int dimensions, dun_packet packet, packet_lanes *l) {
    const wide_mask taken = first_lanes(packet.count);
    for (int a = 0; a < dimensions; a++) {
        const float *position = in->observer[a] + packet.first;
        l->at[a] = wide_blend(taken, wide_load(position), wide_set(*position));
        l->min[a] = wide_min_across(l->at[a]);
        l->max[a] = wide_max_across(l->at[a]);
    }
    l->scale = in->radius_scale ? wide_load(in->radius_scale + packet.first) : wide_set(1.0f);
    const int32_t first = (int32_t)(in->own ? packet.first : UINT32_MAX - DUNLIN_LANES);
    l->self = wide_int_add(wide_int_load(lane_number), wide_int_set(first));
}

/* A squared radius, scaled by lane. */
WIDE_INLINE wide lane_r2(wide scale, float r2) {
    return wide_mul(wide_set(r2), wide_mul(scale, scale));
}

/* The inverse of a radius, scaled by lane. */
WIDE_INLINE wide lane_inverse(wide scale, float inverse) {
    return wide_div(wide_set(inverse), scale);
}

/* A squared radius by lane, for candidates of the lane's own group and for others; -1 where none of them counts. */
typedef struct kin_r2 {
    wide same, other;
} kin_r2;

WIDE_INLINE kin_r2 lane_kin_r2(wide scale, float r2, dun_kin kin) {
    const wide all = lane_r2(scale, r2), none = wide_set(-1.0f);
    return (kin_r2){kin == DUN_KIN_OTHER_GROUPS ? none : all, kin == DUN_KIN_SAME_GROUP ? none : all};
}

/* The lanes of whose group the candidate is not. */
WIDE_INLINE wide_mask not_kin(wide own, wide group) {
    return wide_and_ne(wide_le(wide_zero(), wide_zero()), wide_to_bits(own), wide_to_bits(group));
}

WIDE_INLINE wide_mask within_kin(wide d2, wide_mask other, kin_r2 r2) {
    return wide_le(d2, wide_blend(other, r2.other, r2.same));
}

/* Those of the mask that are not candidate j. */
WIDE_INLINE wide_mask other_than(const packet_lanes *l, uint32_t j, wide_mask mask) {
    return wide_and_ne(mask, l->self, wide_int_set((int32_t)j));
}

/* The offset from each lane to candidate j. Returns its squared length. */
WIDE_INLINE wide offset_to(const dun_interact *in, int dimensions, uint32_t folds, const wide at[3], uint32_t j,
                           wide delta[3]) {
    for (int a = 0; a < dimensions; a++) {
        delta[a] = wide_sub(wide_set(in->position[a][j]), at[a]);
        if (folds >> a & 1) delta[a] = fold(delta[a], in->size[a]);
    }
    return length2(delta, dimensions);
}

/* The minimum distance from x to anything in [min, max], folded as an offset from there would be. */
WIDE_INLINE wide folded_distance(wide x, wide min, wide max, float side) {
    const wide size = wide_set(side), min_offset = wide_sub(x, max), max_offset = wide_sub(x, min);
    const wide here = wide_max(min_offset, wide_sub(wide_zero(), max_offset));
    const wide back = wide_max(wide_sub(min_offset, size), wide_sub(size, max_offset));
    const wide ahead = wide_max(wide_add(min_offset, size), wide_sub(wide_sub(wide_zero(), max_offset), size));
    return wide_max(wide_min(here, wide_min(back, ahead)), wide_zero());
}

/* The same for a range that is one image. By the expressions that offsets have, so rounding is monotone here, too. */
WIDE_INLINE wide shifted_distance(wide x, wide min, wide max, wide shift) {
    const wide min_offset = wide_add(wide_sub(x, max), shift), max_offset = wide_add(wide_sub(x, min), shift);
    return wide_max(wide_max(min_offset, wide_sub(wide_zero(), max_offset)), wide_zero());
}

/* Squared distances from the box to the observed agents in slots j to j + DUNLIN_LANES - 1. */
WIDE_INLINE wide box_distance2(const dun_interact *in, int dimensions, uint32_t folds, const wide *shift, const packet_lanes *l,
                               uint32_t j) {
    wide distance[3];
    for (int a = 0; a < dimensions; a++) {
        const wide x = wide_load(in->position[a] + j);
        if (shift)
            distance[a] = shifted_distance(x, l->min[a], l->max[a], shift[a]);
        else if (folds >> a & 1)
            distance[a] = folded_distance(x, l->min[a], l->max[a], in->size[a]);
        else
            distance[a] = wide_sub(x, wide_min(wide_max(x, l->min[a]), l->max[a]));
    }
    return length2(distance, dimensions);
}

/* Adds candidates of [begin, end), of one image, to the list until it is full. Returns the first slot that is left. */
WIDE_INLINE uint32_t list_candidates(const dun_interact *in, int dimensions, uint32_t folds, const wide *shift, bool pushes,
                                     const packet_lanes *l, uint32_t begin, uint32_t end, candidate_list *list) {
    const wide_int last = wide_turned(end), step = wide_int_set(DUNLIN_LANES);
    const wide max_r2 = wide_set(in->max_r2), separation_r2 = wide_set(in->separation_r2);
    wide_int slot = wide_int_add(wide_int_set((int32_t)begin), wide_int_load(lane_number));
    wide_int turned = wide_int_add(slot, wide_int_set(INT32_MIN));
    uint32_t j = begin, count = list->count, push_count = list->push_count;
    for (; j < end && count <= LIST_ROOM; j += DUNLIN_LANES) {
        const wide d2 = box_distance2(in, dimensions, folds, shift, l, j);
        const wide_mask there = wide_int_lt(turned, last);
        for (int a = 0; a < dimensions && shift; a++) {
            wide_store(list->shift + a * LIST_COLUMN + count, shift[a]);
            if (pushes) wide_store(list->push_shift + a * LIST_COLUMN + push_count, shift[a]);
        }
        count += wide_int_pack(list->slot + count, wide_and(wide_le(d2, max_r2), there), slot);
        if (pushes)
            push_count += wide_int_pack(list->push_slot + push_count, wide_and(wide_le(d2, separation_r2), there), slot);
        slot = wide_int_add(slot, step);
        turned = wide_int_add(turned, step);
    }
    list->count = count;
    list->push_count = push_count;
    return j;
}

/* What a range adds to offsets. */
WIDE_INLINE void range_shift(const dun_interact *in, int dimensions, uint8_t image, wide shift[3]) {
    for (int a = 0; a < dimensions; a++) {
        const float ahead = image & DUN_IMAGE_AHEAD(a) ? in->size[a] : 0.0f;
        shift[a] = wide_set(image & DUN_IMAGE_BACK(a) ? -in->size[a] : ahead);
    }
}

/* Lists candidates from that place on until there are no more or the list is full. `shifts`: with the shifts of their images.
 * Returns whether some are left; *from is then the next. */
WIDE_INLINE bool list_ranges(const dun_interact *in, int dimensions, uint32_t folds, bool shifts, bool pushes,
                             const packet_lanes *l, const dun_range *ranges, uint32_t range_count, range_place *from,
                             candidate_list *list) {
    list->count = list->push_count = 0;
    for (uint32_t r = from->range; r < range_count; r++) {
        const uint32_t begin = r == from->range ? max_u32(from->slot, ranges[r].begin) : ranges[r].begin;
        wide shift[3];
        if (shifts) range_shift(in, dimensions, ranges[r].image, shift);
        const uint32_t next = list_candidates(in, dimensions, folds, shifts ? shift : 0, pushes, l, begin, ranges[r].end, list);
        if (next >= ranges[r].end) continue;
        *from = (range_place){r, next};
        return true;
    }
    return false;
}

/* The axes along which a packet's ranges fold. */
WIDE_INLINE uint32_t folded_axes(const dun_range *ranges, uint32_t range_count) {
    return range_count ? ranges->folds : 0;
}

#endif
