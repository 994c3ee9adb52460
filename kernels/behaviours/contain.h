/* SPDX-License-Identifier: MIT */
/* What needs nobody: walls, a constant force, drag. */
#ifndef DUNLIN_KERNELS_CONTAIN_H
#define DUNLIN_KERNELS_CONTAIN_H

#include "kernels/behaviours/steer.h"

/* ---- contain ---------------------------------------------------------------------------------------------------------- */

/* Most groups are nowhere near a wall. */
WIDE_INLINE bool any_beyond(const dun_behave *b, int dimensions, uint32_t i) {
    wide_mask beyond = wide_lt(wide_zero(), wide_zero());
    for (int a = 0; a < dimensions; a++) {
        const wide x = wide_load(b->position[a] + i);
        beyond = wide_or(beyond, wide_or(wide_lt(x, wide_set(b->contain.low[a])), wide_lt(wide_set(b->contain.high[a]), x)));
    }
    return wide_any(beyond);
}

WIDE_INLINE void contain_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    if (!any_beyond(b, dimensions, i)) return;
    const wide towards_high = wide_varied(b->max_speed, i), towards_low = wide_sub(wide_zero(), towards_high);
    wide velocity[3], desired[3];
    load(b->velocity, dimensions, i, velocity);
    for (int a = 0; a < dimensions; a++) desired[a] = velocity[a];
    wide_mask turns = wide_lt(wide_zero(), wide_zero());
    for (int a = 0; a < dimensions; a++) {
        const wide x = wide_load(b->position[a] + i);
        const wide_mask low = wide_lt(x, wide_set(b->contain.low[a])), high = wide_lt(wide_set(b->contain.high[a]), x);
        const wide_mask wall = wide_or(low, high);
        for (int other = 0; other < a && b->contain.last; other++)
            desired[other] = wide_blend(wall, velocity[other], desired[other]);
        desired[a] = wide_blend(low, towards_high, wide_blend(high, towards_low, desired[a]));
        turns = wide_or(turns, wall);
    }
    const wide desired2 = length2(desired, dimensions), scale = wide_div(wide_varied(b->max_speed, i), wide_sqrt(desired2));
    for (int a = 0; a < dimensions; a++) desired[a] = wide_mul(desired[a], scale);
    add_steering(b, dimensions, i, wide_and(turns, has_direction(desired2)), desired, velocity);
}

FOR_ALL_LANES(contain, contain_lanes)

/* ---- forces ----------------------------------------------------------------------------------------------------------- */

WIDE_INLINE void constant_force_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    wide force[3];
    for (int a = 0; a < dimensions; a++) force[a] = wide_set(b->constant[a]);
    add_force(b, dimensions, i, everyone(), force);
}

FOR_ALL_LANES(constant_force, constant_force_lanes)

WIDE_INLINE void drag_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    wide velocity[3], force[3];
    load(b->velocity, dimensions, i, velocity);
    const wide speed = wide_sqrt(length2(velocity, dimensions));
    const wide scale = wide_add(wide_set(b->drag.linear), wide_mul(wide_set(b->drag.quadratic), speed));
    for (int a = 0; a < dimensions; a++) force[a] = saturate(wide_sub(wide_zero(), wide_mul(scale, velocity[a])));
    add_force(b, dimensions, i, everyone(), force);
}

FOR_ALL_LANES(drag, drag_lanes)

#endif
