/* SPDX-License-Identifier: MIT */
/*
 * What an agent does about one place or about the agents that it sees: towards a target or away from it, where it is or where
 * it will be (seek, flee, arrive, pursue, evade); drawn to it by a force (attract); and sideways, away from what is ahead, for
 * a clear view.
 */
#ifndef DUNLIN_KERNELS_TARGET_H
#define DUNLIN_KERNELS_TARGET_H

#include "kernels/behaviours/steer.h"

/* How far ahead in time to predict. For an agent at rest d / 0 is infinite, so the maximum applies. */
WIDE_INLINE wide prediction_time(const dun_behave_target *t, int dimensions, wide d2, const wide velocity[3],
                                 const wide moves[3]) {
    const wide moves2 = length2(moves, dimensions);
    if (!t->by_distance) return time_ahead(t->ahead, moves2);
    const wide time = wide_min(wide_sqrt(wide_div(d2, length2(velocity, dimensions))), wide_set(t->ahead.time));
    return wide_add(time, time_ahead((dun_ahead){t->ahead.distance, 0.0f}, moves2));
}

/* One place for all agents. Those that are too far from it ignore it. */
WIDE_INLINE wide_mask offset_to_place(const dun_behave *b, int dimensions, uint32_t i, wide offset[3], wide moves[3]) {
    const dun_behave_target *t = &b->target;
    for (int a = 0; a < dimensions; a++) {
        moves[a] = wide_set(t->velocity[a]);
        offset[a] = wide_sub(wide_set(t->position[a]), wide_load(b->position[a] + i));
        if (b->periodic) offset[a] = fold(offset[a], b->size[a]);
        offset[a] = saturate(offset[a]);
    }
    return wide_le(length2(offset, dimensions), wide_set(t->radius2));
}

/* The middle of the agents that each lane sees. */
WIDE_INLINE wide_mask offset_to_others(const dun_behave *b, int dimensions, uint32_t i, wide offset[3], wide moves[3]) {
    const wide count = wide_from_int(wide_int_load(b->others.seen + i));
    for (int a = 0; a < dimensions; a++) {
        offset[a] = wide_div(wide_load(b->others.offset[a] + i), count);
        moves[a] = wide_div(wide_load(b->others.velocity[a] + i), count);
    }
    return wide_lt(wide_zero(), count);
}

/* The place of each lane's group, or of its leader. */
WIDE_INLINE wide_mask offset_to_group(const dun_behave *b, int dimensions, uint32_t i, wide offset[3], wide moves[3]) {
    const dun_behave_groups *groups = &b->groups;
    const wide_int row = group_row(b, i);
    for (int a = 0; a < dimensions; a++) {
        offset[a] = moves[a] = wide_gather(groups->velocity[a], row);
        if (!groups->place[a]) continue;
        offset[a] = wide_sub(wide_gather(groups->place[a], row), wide_load(b->position[a] + i));
        if (b->periodic) offset[a] = fold(offset[a], b->size[a]);
        offset[a] = saturate(offset[a]);
    }
    const wide_mask there = wide_and(wide_le(wide_load(b->others.group + i), wide_set(groups->last)),
                                     wide_lt(wide_zero(), wide_gather(groups->there, row)));
    return wide_and(there, wide_le(length2(offset, dimensions), wide_set(b->target.radius2)));
}

WIDE_INLINE wide_mask offset_to_target(const dun_behave *b, int dimensions, uint32_t i, wide offset[3], wide moves[3]) {
    if (b->others.group) return offset_to_group(b, dimensions, i, offset, moves);
    if (b->others.seen) return offset_to_others(b, dimensions, i, offset, moves);
    return offset_to_place(b, dimensions, i, offset, moves);
}

WIDE_INLINE void target_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    const dun_behave_target *t = &b->target;
    wide velocity[3], offset[3], moves[3];
    const wide_mask has_target = offset_to_target(b, dimensions, i, offset, moves);
    if (!wide_any(has_target)) return;
    load(b->velocity, dimensions, i, velocity);
    wide d2 = length2(offset, dimensions);
    wide_mask steered = t->slows ? has_target : wide_and(has_target, has_direction(d2));
    if (t->predicts) {
        const wide time = prediction_time(t, dimensions, d2, velocity, moves);
        for (int a = 0; a < dimensions; a++) offset[a] = wide_add(offset[a], wide_mul(moves[a], time));
        d2 = length2(offset, dimensions);
        steered = wide_and(steered, has_direction(d2));
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
    add_steering(b, dimensions, i, steered, desired, velocity);
}

FOR_ALL_LANES(behave_target, target_lanes)

WIDE_INLINE void attract_lanes(const dun_behave *b, int dimensions, uint32_t i) {
    const dun_behave_attract *t = &b->target.attract;
    wide force[3], moves[3];
    const wide_mask has_target = offset_to_target(b, dimensions, i, force, moves);
    const wide d2 = length2(force, dimensions);
    const wide_mask pulled = wide_and(has_target, has_direction(d2));
    if (!wide_any(pulled)) return;
    const wide c = wide_max(wide_min(wide_sqrt(d2), wide_set(t->max_distance)), wide_set(t->min_distance));
    wide size = wide_set(t->strength);
    for (int p = 0; p < t->power; p++) size = wide_div(size, c);
    to_unit(force, dimensions);
    for (int a = 0; a < dimensions; a++) force[a] = saturate(wide_mul(force[a], size));
    add_force(b, dimensions, i, pulled, force);
}

FOR_ALL_LANES(behave_attract, attract_lanes)

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

FOR_ALL_LANES(behave_sidestep, clear_view_lanes)

#endif
