/* SPDX-License-Identifier: MIT */
/* Walls, a constant force, the force of a body, and drag: what follows from one agent alone. */
#ifndef DUNLIN_KERNELS_CONTAIN_H
#define DUNLIN_KERNELS_CONTAIN_H

#include "kernels/behaviours/steer.h"

/* ---- contain ---------------------------------------------------------------------------------------------------------- */

/* False for most packets. */
WIDE_INLINE bool any_beyond(const dun_behave *b, int dimensions, uint32_t i) {
    wide_mask beyond = wide_lt(wide_zero(), wide_zero());
    for (int a = 0; a < dimensions; a++) {
        const wide x = wide_load(b->position[a] + i);
        beyond = wide_or(beyond, wide_or(wide_lt(x, wide_set(b->contain.min[a])), wide_lt(wide_set(b->contain.max[a]), x)));
    }
    return wide_any(beyond);
}

WIDE_INLINE void contain_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    if (!any_beyond(b, dimensions, i)) return;
    const wide up = wide_varied(b->max_speed, i), down = wide_sub(wide_zero(), up);
    wide velocity[3], desired[3];
    load(b->velocity, dimensions, i, velocity);
    for (int a = 0; a < dimensions; a++) desired[a] = velocity[a];
    wide_mask turns = wide_lt(wide_zero(), wide_zero());
    for (int a = 0; a < dimensions; a++) {
        const wide x = wide_load(b->position[a] + i);
        const wide_mask below = wide_lt(x, wide_set(b->contain.min[a])), above = wide_lt(wide_set(b->contain.max[a]), x);
        const wide_mask wall = wide_or(below, above);
        for (int other = 0; other < a && b->contain.last; other++)
            desired[other] = wide_blend(wall, velocity[other], desired[other]);
        desired[a] = wide_blend(below, up, wide_blend(above, down, desired[a]));
        turns = wide_or(turns, wall);
    }
    steer_along(b, dimensions, i, wide_and(turns, has_direction(length2(desired, dimensions))), desired, velocity);
}

FOR_ALL_LANES(behave_contain, contain_lanes)

/* ---- forces ----------------------------------------------------------------------------------------------------------- */

WIDE_INLINE void constant_force_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    wide force[3];
    for (int a = 0; a < dimensions; a++) force[a] = wide_set(b->constant[a]);
    add_force(b, dimensions, i, all_lanes(), force);
}

FOR_ALL_LANES(behave_force, constant_force_lanes)

WIDE_INLINE void given_force_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    const wide_int row = group_row(b, i);
    wide force[3];
    for (int a = 0; a < dimensions; a++) force[a] = wide_gather(b->groups.force[a], row);
    add_force(b, dimensions, i, all_lanes(), force);
}

FOR_ALL_LANES(behave_given, given_force_lanes)

WIDE_INLINE void drag_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    wide velocity[3], force[3];
    load(b->velocity, dimensions, i, velocity);
    const wide speed = wide_sqrt(length2(velocity, dimensions));
    const wide scale = wide_add(wide_set(b->drag.linear), wide_mul(wide_set(b->drag.quadratic), speed));
    for (int a = 0; a < dimensions; a++) force[a] = saturate(wide_sub(wide_zero(), wide_mul(scale, velocity[a])));
    add_force(b, dimensions, i, all_lanes(), force);
}

FOR_ALL_LANES(behave_drag, drag_lanes)

#endif
