/* SPDX-License-Identifier: MIT */
/* A clear view: moves sideways, away from what is ahead. */
#ifndef DUNLIN_KERNELS_CLEAR_VIEW_H
#define DUNLIN_KERNELS_CLEAR_VIEW_H

#include "kernels/behaviours/steer.h"

WIDE_INLINE void clear_view_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    wide velocity[3], heading[3], blocked[3], desired[3];
    load(b->velocity, dimensions, i, velocity);
    for (int a = 0; a < dimensions; a++) {
        blocked[a] = wide_load(b->others.offset[a] + i);
        heading[a] = velocity[a];
    }
    const wide_mask moves = has_direction(length2(heading, dimensions));
    const wide_mask moved = wide_and(moves, has_direction(length2(blocked, dimensions)));
    if (!wide_any(moved)) return;
    to_unit(heading, dimensions);
    to_unit(blocked, dimensions);
    aside_of(blocked, heading, dimensions, desired);
    const wide back = wide_sub(wide_zero(), wide_varied(b->max_speed, i));
    for (int a = 0; a < dimensions; a++) desired[a] = wide_mul(desired[a], back);
    add_steering(b, dimensions, i, moved, desired, velocity);
}

FOR_ALL_LANES(clear_view, clear_view_lanes)

#endif
