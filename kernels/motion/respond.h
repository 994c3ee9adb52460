/* SPDX-License-Identifier: MIT */
/* From sums to forces: one rule's response for a stretch of agents. */
#ifndef DUNLIN_KERNELS_RESPOND_H
#define DUNLIN_KERNELS_RESPOND_H

#include "kernels/contract/kernel.h"
#include "kernels/wide/vector.h"

/* Reynolds, "Steering Behaviors For Autonomous Characters" (1999): steering = desired velocity - velocity, truncated. */
WIDE_INLINE wide_mask respond_steer(const dun_respond *r, int dimensions, uint32_t i, const wide sum[3], const wide own[3],
                                    wide response[3]) {
    const wide s2 = length2(sum, dimensions);
    const wide scale = wide_div(wide_varied(r->max_speed, i), wide_sqrt(s2));
    for (int a = 0; a < dimensions; a++) response[a] = wide_sub(wide_mul(sum[a], scale), own[a]);
    return has_direction(s2);
}

WIDE_INLINE wide_mask respond_direct(const dun_respond *r, int dimensions, uint32_t i, const wide sum[3], const wide own[3],
                                     wide response[3]) {
    const wide count = wide_from_int(wide_int_load(r->seen + i));
    for (int a = 0; a < dimensions; a++) {
        response[a] = r->average ? wide_div(sum[a], count) : sum[a];
        if (r->minus_velocity) response[a] = wide_sub(response[a], own[a]);
    }
    const wide_mask any = wide_lt(wide_zero(), count);
    if (!r->unit) return any;
    const wide r2 = length2(response, dimensions), scale = wide_div(wide_set(1.0f), wide_sqrt(r2));
    for (int a = 0; a < dimensions; a++) response[a] = wide_mul(response[a], scale);
    return wide_and(any, has_direction(r2));
}

WIDE_INLINE void respond_lanes(const dun_respond *r, int dimensions, uint32_t i) {
    wide sum[3], own[3], response[3], force[3];
    for (int a = 0; a < dimensions; a++) {
        force[a] = wide_load(r->force[a] + i);
        sum[a] = saturate(wide_load(r->sum[a] + i));
        own[a] = wide_load(r->velocity[a] + i);
        if (r->in_turn != 0.0f) own[a] = saturate(wide_add(own[a], wide_mul(force[a], wide_set(r->in_turn))));
    }
    const wide_mask any =
        r->steer ? respond_steer(r, dimensions, i, sum, own, response) : respond_direct(r, dimensions, i, sum, own, response);
    const wide weight = wide_varied(r->weight, i);
    const wide scale = limit_scale(response, dimensions, wide_varied(r->limit, i));
    for (int a = 0; a < dimensions; a++) {
        const wide weighted = wide_mul(wide_mul(response[a], scale), weight);
        wide_store(r->force[a] + i, wide_add(force[a], wide_blend(any, weighted, wide_zero())));
    }
}

/* Reads a copy of its own: no store to a force can change that, so compilers do not read it again for each packet. */
static void respond_all(const dun_respond *what, uint32_t count) {
    const dun_respond r = *what;
    FOR_EACH_PACKET(r.dimensions, count, respond_lanes(&r, dimensions, i))
}

#endif
