/* SPDX-License-Identifier: MIT */
/* What all behaviours share: the way from a desired velocity to a force. */
#ifndef DUNLIN_KERNELS_STEER_H
#define DUNLIN_KERNELS_STEER_H

#include "kernels/contract/behave.h"
#include "kernels/wide/vector.h"

WIDE_INLINE void load(const float *const columns[3], int dimensions, uint32_t i, wide out[3]) {
    for (int a = 0; a < dimensions; a++) out[a] = wide_load(columns[a] + i);
}

/* The row of each lane's group. Of a number beyond the tables, and of what lies in the padding, it is some row. */
WIDE_INLINE wide_int group_row(const dun_behave *b, uint32_t i) {
    const wide number = wide_load(b->others.group + i);
    return wide_to_int(wide_max(wide_min(number, wide_set(b->groups.last)), wide_zero()));
}

WIDE_INLINE wide_mask all_lanes(void) {
    return wide_le(wide_zero(), wide_zero());
}

/* The time in which something of this speed moves that length. Without a direction there is no distance ahead. */
WIDE_INLINE wide time_ahead(dun_ahead ahead, wide speed2) {
    const wide time = wide_set(ahead.time);
    if (ahead.distance == 0.0f) return time;
    return wide_add(time, wide_keep(has_direction(speed2), wide_div(wide_set(ahead.distance), wide_sqrt(speed2))));
}

/* Limits and weights the force, and adds it to the lanes of the mask. */
WIDE_INLINE void add_force(const dun_behave *b, int dimensions, uint32_t i, wide_mask lanes, const wide force[3]) {
    const wide weight = wide_varied(b->weight, i);
    const wide scale = limit_scale(force, dimensions, wide_varied(b->max_force, i));
    for (int a = 0; a < dimensions; a++) {
        const wide weighted = wide_mul(wide_mul(force[a], scale), weight);
        const wide so_far = wide_load(b->force[a] + i);
        wide_store(b->force[a] + i, wide_add(so_far, wide_keep(lanes, weighted)));
    }
}

/* Reynolds (1999): steering = desired velocity - velocity, truncated. */
WIDE_INLINE void add_steering(const dun_behave *b, int dimensions, uint32_t i, wide_mask lanes, const wide desired[3],
                              const wide velocity[3]) {
    wide force[3];
    for (int a = 0; a < dimensions; a++) force[a] = wide_sub(desired[a], velocity[a]);
    add_force(b, dimensions, i, lanes, force);
}

/* Steers to the maximum speed in a direction of any length above 0. */
WIDE_INLINE void steer_along(const dun_behave *b, int dimensions, uint32_t i, wide_mask lanes, const wide direction[3],
                             const wide velocity[3]) {
    wide desired[3];
    const wide scale = wide_div(wide_varied(b->max_speed, i), wide_sqrt(length2(direction, dimensions)));
    for (int a = 0; a < dimensions; a++) desired[a] = wide_mul(direction[a], scale);
    add_steering(b, dimensions, i, lanes, desired, velocity);
}

/*
 * Defines the function `name`, which calls `packet(behave, dimensions, i)` for all agents. It reads a copy of its own: no store
 * to a force can change that, so compilers do not read it again for each packet.
 */
#define FOR_ALL_LANES(name, packet)                                                                                            \
    static void name(const dun_behave *behave, uint32_t count) {                                                               \
        const dun_behave b = *behave;                                                                                          \
        FOR_EACH_PACKET(b.dimensions, count, packet(&b, dimensions, i))                                                        \
    }

#endif
