/* SPDX-License-Identifier: MIT */
/* A grid of vectors, looked up where the agent is, or will be: a flow to follow, or a wind that pushes. */
#ifndef DUNLIN_KERNELS_FLOW_H
#define DUNLIN_KERNELS_FLOW_H

#include "kernels/behaviours/steer.h"

/* ---- places -------------------------------------------------------------------------------------------------------------- */

/* The two cells on one axis that an agent is between, as parts of an index. */
typedef struct flow_axis {
    wide_int cell, next;
    wide share; /* 0 .. 1: how far it is from the one to the other */
} flow_axis;

/* Rounds `at`, which is within ±2^23, down. */
WIDE_INLINE wide flow_floor(wide at) {
    const wide whole = wide_from_int(wide_to_int(at));
    return wide_sub(whole, wide_keep(wide_lt(at, whole), wide_set(1.0f)));
}

/*
 * Goes around as often as it takes to get to 0 .. cells. Multiplying by the inverse may miss a whole number by rounding; then
 * it goes around once more, or back. Beyond millions of times around, rounding alone decides where an agent is.
 */
WIDE_INLINE wide flow_wrap(wide at, float cells, float per_cell) {
    const wide around = wide_mul(at, wide_set(per_cell));
    const wide times = flow_floor(wide_max(wide_min(around, wide_set(0x1p22f)), wide_set(-0x1p22f)));
    const wide once = wide_sub(at, wide_mul(times, wide_set(cells)));
    const wide back = wide_keep(wide_le(wide_set(cells), once), wide_set(cells));
    const wide more = wide_keep(wide_lt(once, wide_zero()), wide_set(cells));
    return wide_add(wide_sub(once, back), more);
}

/* `shift` is 0 for the cell that x is in, and 1/2 for the cells between whose centres x lies. */
WIDE_INLINE flow_axis flow_locate(const dun_behave_flow *f, int a, wide x, float shift) {
    const float cells = f->cells[a], last = cells - 1.0f;
    wide at = wide_sub(wide_mul(wide_sub(x, wide_set(f->min[a])), wide_set(f->per_unit[a])), wide_set(shift));
    const bool wraps = f->wraps >> a & 1;
    if (wraps && wide_any(wide_or(wide_lt(at, wide_zero()), wide_le(wide_set(cells), at))))
        at = flow_wrap(at, cells, f->per_cell[a]);
    /* NaN, which lanes beyond the last agent may be, becomes the maximum, so that no index is outside the arrays */
    at = wide_max(wide_min(at, wide_set(wraps ? cells : last)), wide_zero());
    const wide cell = wide_min(wide_from_int(wide_to_int(at)), wide_set(last)), beyond = wide_add(cell, wide_set(1.0f));
    const wide next = wraps ? wide_keep(wide_lt(beyond, wide_set(cells)), beyond) : wide_min(beyond, wide_set(last));
    const flow_axis axis = {wide_to_int(cell), wide_to_int(next), wide_sub(at, cell)};
    if (a == 0) return axis;
    const wide_int stride = wide_int_set(f->stride[a]);
    return (flow_axis){wide_int_mul(axis.cell, stride), wide_int_mul(axis.next, stride), axis.share};
}

/* ---- vectors ---------------------------------------------------------------------------------------------------------- */

/*
 * Most packets are in one cell: they need one load per column, where gathering needs one per lane. Vectors that are not finite,
 * or whose squares might not be, count as zero.
 */
WIDE_INLINE void flow_gather(const dun_behave_flow *f, int dimensions, wide_int index, wide vector[3]) {
    int32_t cell;
    if (wide_int_uniform(index, &cell)) {
        for (int a = 0; a < dimensions; a++) vector[a] = wide_set(f->vectors[a][cell]);
    } else {
        for (int a = 0; a < dimensions; a++) vector[a] = wide_gather(f->vectors[a], index);
    }
    const wide_mask usable = wide_le(length2(vector, dimensions), wide_set(1e36f));
    for (int a = 0; a < dimensions; a++) vector[a] = wide_keep(usable, vector[a]);
}

WIDE_INLINE void flow_nearest(const dun_behave_flow *f, int dimensions, const wide x[3], wide vector[3]) {
    wide_int index = flow_locate(f, 0, x[0], 0.0f).cell;
    for (int a = 1; a < dimensions; a++) index = wide_int_add(index, flow_locate(f, a, x[a], 0.0f).cell);
    flow_gather(f, dimensions, index, vector);
}

/* Bit a of a corner's number says which of the two cells on axis a it is. Each axis halves the number of corners. */
WIDE_INLINE void flow_linear(const dun_behave_flow *f, int dimensions, const wide x[3], wide vector[3]) {
    flow_axis axis[3] = {{.share = wide_zero()}};
    wide corner[8][3];
    for (int a = 0; a < dimensions; a++) axis[a] = flow_locate(f, a, x[a], 0.5f);
    for (int c = 0; c < 1 << dimensions; c++) {
        wide_int index = c & 1 ? axis[0].next : axis[0].cell;
        for (int a = 1; a < dimensions; a++) index = wide_int_add(index, c >> a & 1 ? axis[a].next : axis[a].cell);
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
    const wide time = time_ahead(f->look_ahead, length2(velocity, dimensions));
    wide x[3];
    for (int a = 0; a < dimensions; a++) x[a] = wide_add(wide_load(b->position[a] + i), wide_mul(velocity[a], time));
    if (f->linear)
        flow_linear(f, dimensions, x, vector);
    else
        flow_nearest(f, dimensions, x, vector);
}

/* ---- flow, wind ------------------------------------------------------------------------------------------------------- */

WIDE_INLINE void flow_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    wide velocity[3], vector[3];
    load(b->velocity, dimensions, i, velocity);
    flow_vector(b, dimensions, i, velocity, vector);
    steer_along(b, dimensions, i, has_direction(length2(vector, dimensions)), vector, velocity);
}

FOR_ALL_LANES(behave_flow, flow_lanes)

WIDE_INLINE void wind_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    wide velocity[3], force[3];
    load(b->velocity, dimensions, i, velocity);
    flow_vector(b, dimensions, i, velocity, force);
    add_force(b, dimensions, i, all_lanes(), force);
}

FOR_ALL_LANES(behave_wind, wind_lanes)

#endif
