/* SPDX-License-Identifier: MIT */
/* Towards or away from something, now or where it will be: seek, flee, arrive, pursue, evade. */
#ifndef DUNLIN_KERNELS_TARGET_H
#define DUNLIN_KERNELS_TARGET_H

#include "kernels/behaviours/steer.h"

/* For how long ahead to predict. An agent at rest would never get there: d / 0 is infinite, so it predicts as far as it may. */
WIDE_INLINE wide prediction_time(const dun_behave_target *t, int dimensions, wide d2, const wide velocity[3]) {
    if (!t->by_distance) return wide_set(t->time);
    return wide_min(wide_sqrt(wide_div(d2, length2(velocity, dimensions))), wide_set(t->time));
}

/* A place, everyone's. Who is too far from it leaves it alone. */
WIDE_INLINE wide_mask look_at_place(const dun_behave *b, int dimensions, uint32_t i, wide offset[3], wide moves[3]) {
    const dun_behave_target *t = &b->target;
    for (int a = 0; a < dimensions; a++) {
        moves[a] = wide_set(t->velocity[a]);
        offset[a] = wide_sub(wide_set(t->position[a]), wide_load(b->position[a] + i));
        if (b->periodic) offset[a] = fold(offset[a], b->size[a]);
        offset[a] = saturate(offset[a]);
    }
    return wide_le(length2(offset, dimensions), wide_set(t->radius2));
}

/* The middle of those whom each sees. */
WIDE_INLINE wide_mask look_at_others(const dun_behave *b, int dimensions, uint32_t i, wide offset[3], wide moves[3]) {
    const wide count = wide_from_int(wide_int_load(b->others.seen + i));
    for (int a = 0; a < dimensions; a++) {
        offset[a] = wide_div(wide_load(b->others.offset[a] + i), count);
        moves[a] = wide_div(wide_load(b->others.velocity[a] + i), count);
    }
    return wide_lt(wide_zero(), count);
}

/* Where the target is, and where it goes; who has one. */
WIDE_INLINE wide_mask look_at_target(const dun_behave *b, int dimensions, uint32_t i, wide offset[3], wide moves[3]) {
    if (b->others.seen) return look_at_others(b, dimensions, i, offset, moves);
    return look_at_place(b, dimensions, i, offset, moves);
}

WIDE_INLINE void target_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    const dun_behave_target *t = &b->target;
    wide velocity[3], offset[3], moves[3];
    const wide_mask near = look_at_target(b, dimensions, i, offset, moves);
    if (!wide_any(near)) return;
    load(b->velocity, dimensions, i, velocity);
    wide d2 = length2(offset, dimensions);
    wide_mask who = t->slows ? near : wide_and(near, has_direction(d2));
    if (t->predicts) {
        const wide time = prediction_time(t, dimensions, d2, velocity);
        for (int a = 0; a < dimensions; a++) offset[a] = wide_add(offset[a], wide_mul(moves[a], time));
        d2 = length2(offset, dimensions);
        who = wide_and(who, has_direction(d2));
    }
    const wide d = wide_sqrt(d2);
    wide speed = wide_varied(b->max_speed, i);
    if (t->slows) speed = wide_mul(speed, wide_min(wide_div(d, wide_set(t->slowing_radius)), wide_set(1.0f)));
    const wide scale = wide_keep(has_direction(d2), wide_div(speed, d));
    wide desired[3];
    for (int a = 0; a < dimensions; a++) {
        desired[a] = wide_mul(offset[a], scale);
        if (t->away) desired[a] = wide_sub(wide_zero(), desired[a]);
    }
    add_steering(b, dimensions, i, who, desired, velocity);
}

FOR_ALL_LANES(target, target_lanes)

#endif
