/* SPDX-License-Identifier: MIT */
/*
 * Which of the runs' candidates are near a group: those within the widest radius of the box around it, in their order.
 *
 * They are found as many at a time as there are lanes, and go to a list in L1. In 2D a fifth, in 3D half of the candidates
 * don't get there, each of which would cost a pass for all lanes; and one loop over the list ends once, where one over every
 * run would end, and be mispredicted, with every run. Rounding is monotone, so no lane's squared distance is below its box's:
 * nobody is left out whom a lane could see.
 */
#ifndef DUNLIN_KERNELS_NEAR_H
#define DUNLIN_KERNELS_NEAR_H

#include "kernels/contract/kernel.h"
#include "kernels/wide/vector.h"

enum {
    /*
     * Whether separation has a list and a loop of its own, so that only close candidates cost a division. Not for long groups,
     * to which most near candidates are close.
     */
    CLOSE_APART = DUNLIN_LANES < 16,
    NEAR_ROOM = 256,      /* slots: a kilobyte of L1 */
    NOBODY = DUNLIN_LANES /* no lane */
};

/* Where a group's agents are. */
typedef struct lanes {
    wide at[3];
    wide low[3], high[3];    /* the box around them, the same in every lane */
    wide scale;              /* of their radii */
    uint32_t self, self_end; /* the slots of the lanes themselves, in order; no candidate has them where observers are others */
} lanes;

/*
 * Candidates to be added up: slot[0 .. before), then a stretch in which the lanes themselves may be, then slot[before ..
 * count). Where CLOSE_APART says so, those within the separation radius of the box, the stretch included, are listed once more.
 */
typedef struct near_list {
    uint32_t before, count, close_count;
    uint32_t stretch_begin, stretch_end;
    int32_t slot[NEAR_ROOM + 2 * DUNLIN_LANES];
    int32_t close[NEAR_ROOM + 4 * DUNLIN_LANES];
} near_list;

WIDE_INLINE uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

WIDE_INLINE uint32_t greatest(uint32_t a, uint32_t b) {
    return a < b ? b : a;
}

/* Lanes that the group has no agent for repeat its first, so that they don't widen the box. */
WIDE_INLINE void lanes_load(const dun_interact *in, int dimensions, dun_group group, lanes *l) {
    const wide_mask taken = wide_int_lt(wide_int_load(lane_number), wide_int_set((int32_t)group.count));
    for (int a = 0; a < dimensions; a++) {
        const float *position = in->observer[a] + group.first;
        l->at[a] = wide_blend(taken, wide_load(position), wide_set(*position));
        l->low[a] = wide_min_across(l->at[a]);
        l->high[a] = wide_max_across(l->at[a]);
    }
    l->scale = in->radius_scale ? wide_load(in->radius_scale + group.first) : wide_set(1.0f);
    l->self = in->own ? group.first : UINT32_MAX - DUNLIN_LANES;
    l->self_end = l->self + group.count;
}

/* A squared radius, as each lane has it. */
WIDE_INLINE wide lane_r2(const lanes *l, float r2) {
    return wide_mul(wide_set(r2), wide_mul(l->scale, l->scale));
}

/* 1 / a radius, likewise. */
WIDE_INLINE wide lane_inverse(const lanes *l, float inverse) {
    return wide_div(wide_set(inverse), l->scale);
}

/* The offset from each lane to candidate j, and its squared length. */
WIDE_INLINE wide offset_to(const dun_interact *in, int dimensions, bool folds, const wide at[3], uint32_t j, wide delta[3]) {
    for (int a = 0; a < dimensions; a++) {
        delta[a] = wide_sub(wide_set(in->position[a][j]), at[a]);
        if (folds) delta[a] = fold(delta[a], in->size[a]);
    }
    return length2(delta, dimensions);
}

/* How far x is from all of [low, high], at least, folded like an offset from any number in there. */
WIDE_INLINE wide away_folded(wide x, wide low, wide high, float side) {
    const wide size = wide_set(side), least_offset = wide_sub(x, high), most_offset = wide_sub(x, low);
    const wide here = wide_max(least_offset, wide_sub(wide_zero(), most_offset));
    const wide back = wide_max(wide_sub(least_offset, size), wide_sub(size, most_offset));
    const wide ahead = wide_max(wide_add(least_offset, size), wide_sub(wide_sub(wide_zero(), most_offset), size));
    return wide_max(wide_min(here, wide_min(back, ahead)), wide_zero());
}

WIDE_INLINE wide near_box(const dun_interact *in, int dimensions, bool folds, const lanes *l, uint32_t j) {
    wide away[3];
    for (int a = 0; a < dimensions; a++) {
        const wide x = wide_load(in->position[a] + j);
        away[a] = folds ? away_folded(x, l->low[a], l->high[a], in->size[a])
                        : wide_sub(x, wide_min(wide_max(x, l->low[a]), l->high[a]));
    }
    return length2(away, dimensions);
}

/* Goes on with the list until all candidates are through or it is full. Returns the first candidate that is not. */
WIDE_INLINE uint32_t list_near(const dun_interact *in, int dimensions, bool folds, const lanes *l, uint32_t begin, uint32_t end,
                               near_list *near) {
    /* Slots have 32 bits and comparisons a sign: with its top bit turned a slot is compared like any number. */
    const uint32_t sign = 1u << 31;
    const wide_int last = wide_int_set((int32_t)(end ^ sign)), step = wide_int_set(DUNLIN_LANES);
    const wide widest_r2 = wide_set(in->widest_r2), separation_r2 = wide_set(in->separation_r2);
    wide_int slot = wide_int_add(wide_int_set((int32_t)begin), wide_int_load(lane_number));
    wide_int turned = wide_int_add(slot, wide_int_set((int32_t)sign));
    uint32_t j = begin, count = near->count, close_count = near->close_count;
    for (; j < end && count <= NEAR_ROOM; j += DUNLIN_LANES) {
        const wide d2 = near_box(in, dimensions, folds, l, j);
        const wide_mask there = wide_int_lt(turned, last);
        count += wide_int_pack(near->slot + count, wide_and(wide_le(d2, widest_r2), there), slot);
        if (CLOSE_APART) {
            const wide_mask keep = wide_and(wide_le(d2, separation_r2), there);
            close_count += wide_int_pack(near->close + close_count, keep, slot);
        }
        slot = wide_int_add(slot, step);
        turned = wide_int_add(turned, step);
    }
    near->count = count;
    near->close_count = close_count;
    return j;
}

#endif
