/* SPDX-License-Identifier: MIT */
/* What a grid of vectors says where the agent is, or will be: a flow to follow, or a wind that pushes. */
#ifndef DUNLIN_KERNELS_FLOW_H
#define DUNLIN_KERNELS_FLOW_H

#include "kernels/behaviours/steer.h"

/* ---- where -------------------------------------------------------------------------------------------------------------- */

/* The cells of one axis that an agent is between, as parts of an index, and how far it is from the lower to the upper. */
typedef struct flow_axis {
    wide_int lower, upper;
    wide share; /* 0 .. 1 */
} flow_axis;

/* Whole numbers below `at`, which is within ±2^23. */
WIDE_INLINE wide flow_floor(wide at) {
    const wide whole = wide_from_int(wide_to_int(at));
    return wide_sub(whole, wide_keep(wide_lt(at, whole), wide_set(1.0f)));
}

/* In 0 .. most, and most where it is NaN, as the lanes beyond the last agent may be: always inside the arrays. */
WIDE_INLINE wide flow_clamp(wide at, float most) {
    return wide_max(wide_min(at, wide_set(most)), wide_zero());
}

/*
 * Around as often as it takes, to 0 .. cells. Multiplying by the inverse may miss a whole number by rounding, and then it takes
 * once more, or back. Who is further than millions of times around may be anywhere by rounding alone.
 */
WIDE_INLINE wide flow_wrap(wide at, float cells, float per_cell) {
    const wide around = wide_mul(at, wide_set(per_cell));
    const wide times = flow_floor(wide_max(wide_min(around, wide_set(0x1p22f)), wide_set(-0x1p22f)));
    const wide once = wide_sub(at, wide_mul(times, wide_set(cells)));
    const wide back = wide_keep(wide_le(wide_set(cells), once), wide_set(cells));
    const wide more = wide_keep(wide_lt(once, wide_zero()), wide_set(cells));
    return wide_add(wide_sub(once, back), more);
}

/* Centres of cells are half a cell from their edges, which is `shift` where the cells between which x lies are asked for. */
WIDE_INLINE flow_axis flow_locate(const dun_behave_flow *f, int a, wide x, float shift) {
    const float cells = f->cells[a], last = cells - 1.0f;
    wide at = wide_sub(wide_mul(wide_sub(x, wide_set(f->low[a])), wide_set(f->per_unit[a])), wide_set(shift));
    if (f->wraps && wide_any(wide_or(wide_lt(at, wide_zero()), wide_le(wide_set(cells), at))))
        at = flow_wrap(at, cells, f->per_cell[a]);
    at = flow_clamp(at, f->wraps ? cells : last);
    const wide lower = wide_min(wide_from_int(wide_to_int(at)), wide_set(last)), next = wide_add(lower, wide_set(1.0f));
    const wide upper = f->wraps ? wide_keep(wide_lt(next, wide_set(cells)), next) : wide_min(next, wide_set(last));
    const wide_int low = wide_to_int(lower), high = wide_to_int(upper), stride = wide_int_set(f->stride[a]);
    if (a == 0) return (flow_axis){low, high, wide_sub(at, lower)};
    return (flow_axis){wide_int_mul(low, stride), wide_int_mul(high, stride), wide_sub(at, lower)};
}

/* ---- what ------------------------------------------------------------------------------------------------------------- */

/* Neighbours are in the same cell more often than not: then one load a column does, where gathering takes as many as there are
 * lanes. */
WIDE_INLINE void flow_fetch(const dun_behave_flow *f, int dimensions, wide_int index, wide vector[3]) {
    int32_t cell;
    if (wide_int_uniform(index, &cell)) {
        for (int a = 0; a < dimensions; a++) vector[a] = wide_set(f->vectors[a][cell]);
    } else {
        for (int a = 0; a < dimensions; a++) vector[a] = wide_gather(f->vectors[a], index);
    }
}

/* Vectors that are not finite or whose squares might not be count as zero. */
WIDE_INLINE void flow_gather(const dun_behave_flow *f, int dimensions, wide_int index, wide vector[3]) {
    flow_fetch(f, dimensions, index, vector);
    const wide_mask usable = wide_le(length2(vector, dimensions), wide_set(1e36f));
    for (int a = 0; a < dimensions; a++) vector[a] = wide_keep(usable, vector[a]);
}

WIDE_INLINE void flow_nearest(const dun_behave_flow *f, int dimensions, const wide x[3], wide vector[3]) {
    wide_int index = flow_locate(f, 0, x[0], 0.0f).lower;
    for (int a = 1; a < dimensions; a++) index = wide_int_add(index, flow_locate(f, a, x[a], 0.0f).lower);
    flow_gather(f, dimensions, index, vector);
}

/* Corner c is the upper one on axis a where bit a of c is set. Each axis halves the number of corners. */
WIDE_INLINE void flow_linear(const dun_behave_flow *f, int dimensions, const wide x[3], wide vector[3]) {
    flow_axis axis[3] = {{.share = wide_zero()}};
    wide corner[8][3];
    for (int a = 0; a < dimensions; a++) axis[a] = flow_locate(f, a, x[a], 0.5f);
    for (int c = 0; c < 1 << dimensions; c++) {
        wide_int index = c & 1 ? axis[0].upper : axis[0].lower;
        for (int a = 1; a < dimensions; a++) index = wide_int_add(index, c >> a & 1 ? axis[a].upper : axis[a].lower);
        flow_gather(f, dimensions, index, corner[c]);
    }
    for (int a = 0; a < dimensions; a++)
        for (int c = 0; c < 1 << (dimensions - 1 - a); c++)
            for (int n = 0; n < dimensions; n++) {
                const wide step = wide_sub(corner[2 * c + 1][n], corner[2 * c][n]);
                corner[c][n] = wide_add(corner[2 * c][n], wide_mul(step, axis[a].share));
            }
    for (int n = 0; n < dimensions; n++) vector[n] = corner[0][n];
}

WIDE_INLINE void flow_vector(const dun_behave *b, int dimensions, uint32_t i, const wide velocity[3], wide vector[3]) {
    const dun_behave_flow *f = &b->flow;
    wide x[3];
    for (int a = 0; a < dimensions; a++)
        x[a] = wide_add(wide_load(b->position[a] + i), wide_mul(velocity[a], wide_set(f->look_ahead)));
    if (f->linear)
        flow_linear(f, dimensions, x, vector);
    else
        flow_nearest(f, dimensions, x, vector);
}

/* ---- flow, wind ------------------------------------------------------------------------------------------------------- */

WIDE_INLINE void flow_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    wide velocity[3], desired[3];
    load(b->velocity, dimensions, i, velocity);
    flow_vector(b, dimensions, i, velocity, desired);
    const wide desired2 = length2(desired, dimensions), scale = wide_div(wide_varied(b->max_speed, i), wide_sqrt(desired2));
    for (int a = 0; a < dimensions; a++) desired[a] = wide_mul(desired[a], scale);
    add_steering(b, dimensions, i, has_direction(desired2), desired, velocity);
}

FOR_ALL_LANES(flow, flow_lanes)

WIDE_INLINE void wind_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    wide velocity[3], force[3];
    load(b->velocity, dimensions, i, velocity);
    flow_vector(b, dimensions, i, velocity, force);
    add_force(b, dimensions, i, everyone(), force);
}

FOR_ALL_LANES(wind, wind_lanes)

#endif
