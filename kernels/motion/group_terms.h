/* SPDX-License-Identifier: MIT */
/*
 * What agents add to the sums over their groups: whole numbers, so neither the order nor the number of lanes changes a bit of a
 * sum. Offsets are those of the lanes; units are counted in binary64, in loops that compilers turn into vectors.
 */
#ifndef DUNLIN_KERNELS_GROUP_TERMS_H
#define DUNLIN_KERNELS_GROUP_TERMS_H

#include "kernels/motion/measure.h"

/* Offsets from the leaders, to nearest images. Numbers of groups in the padding mean nothing. */
WIDE_INLINE void offsets_from_leaders(const dun_grouped *in, int axis, uint32_t first, uint32_t count, float *offset) {
    const float *leader = in->leader[axis], *position = in->position[axis] + first, *group = in->group + first;
    const wide last = wide_set(in->last);
    for (uint32_t i = 0; i < count; i += DUNLIN_LANES) {
        const wide_int row = wide_to_int(wide_max(wide_min(wide_load(group + i), last), wide_zero()));
        wide d = wide_sub(wide_load(position + i), wide_gather(leader, row));
        if (in->size[axis] > 0.0f) d = fold(d, in->size[axis]);
        wide_store(offset + i, d);
    }
}

/* The nearest whole number, below 2^31. A binary64 beyond 2^52 has no fraction, so adding rounds. */
WIDE_INLINE int32_t whole_of(double a) {
    return (int32_t)(uint32_t)bits_of(a + 0x1.8p52);
}

WIDE_INLINE void count_units(const float *x, uint32_t count, double per_one, int32_t *restrict units) {
    for (uint32_t i = 0; i < count; i++) units[i] = whole_of((double)x[i] * per_one);
}

WIDE_INLINE void headings_of(const dun_grouped *in, int dimensions, uint32_t first, uint32_t count, dun_group_terms *terms) {
    for (uint32_t i = 0; i < count; i++) {
        double v[3];
        for (int a = 0; a < dimensions; a++) v[a] = (double)in->velocity[a][first + i];
        const double v2 = inner_double(v, v, dimensions), scale = keep_double(above(v2, 0.0), 0x1p30 / sqrt(v2));
        for (int a = 0; a < dimensions; a++) terms->heading[a][i] = whole_of(v[a] * scale);
    }
}

static void group_terms_of(const dun_grouped *grouped, uint32_t first, uint32_t count, dun_group_terms *terms) {
    const dun_grouped in = *grouped;
    float offset[DUN_BLOCK + DUN_PADDING];
    for (int a = 0; a < in.dimensions; a++) {
        offsets_from_leaders(&in, a, first, count, offset);
        count_units(offset, count, in.per_offset, terms->offset[a]);
        count_units(in.velocity[a] + first, count, in.per_velocity, terms->velocity[a]);
    }
    if (!in.headings) return;
    if (in.dimensions == 3)
        headings_of(&in, 3, first, count, terms);
    else
        headings_of(&in, 2, first, count, terms);
}

#endif
