/* SPDX-License-Identifier: MIT */
/* From forces to motion: speed limits, drag, friction, movement and the world's edge. */
#ifndef DUNLIN_KERNELS_INTEGRATE_H
#define DUNLIN_KERNELS_INTEGRATE_H

#include <string.h>

#include "kernels/contract/kernel.h"
#include "kernels/wide/vector.h"

/* An agent at rest has no direction, so min_speed does not apply to it. A max_speed of 0 stops an agent even where the square
 * of its velocity rounds to 0. */
WIDE_INLINE wide speed_scale(const dun_integrate *in, const wide v[3], int dimensions, uint32_t i) {
    const wide max = wide_varied(in->max_speed, i), min = wide_min(wide_set(in->min_speed), max);
    const wide v2 = length2(v, dimensions);
    const wide_mask over = wide_lt(wide_mul(max, max), v2);
    const wide_mask under = wide_and(wide_lt(v2, wide_mul(min, min)), has_direction(v2));
    const wide to_limit = wide_div(wide_blend(over, max, min), wide_sqrt(v2));
    const wide scale = wide_blend(wide_or(over, under), to_limit, wide_set(1.0f));
    return wide_keep(wide_lt(wide_zero(), max), scale);
}

/* What is left of the speed, as a fraction. Friction stops an agent that has no direction. */
WIDE_INLINE wide friction_scale(const dun_integrate *in, const wide v[3], int dimensions) {
    const wide v2 = length2(v, dimensions);
    const wide lost = wide_div(wide_set(in->friction), wide_sqrt(v2));
    return wide_keep(has_direction(v2), wide_max(wide_sub(wide_set(1.0f), lost), wide_zero()));
}

/* The next number below a positive one: nextafterf() without libm. */
WIDE_INLINE float below(float a) {
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    bits--;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/* Once around where `over` is set or x is below 0, then clamped: an agent that moves by more than the world in one step ends at
 * the edge. */
WIDE_INLINE wide edge_around(wide x, wide_mask over, float size, float last) {
    const wide back = wide_blend(over, wide_set(size), wide_zero());
    const wide ahead = wide_blend(wide_lt(x, wide_zero()), wide_set(size), wide_zero());
    const wide inside = wide_add(wide_sub(x, back), ahead);
    return wide_max(wide_min(inside, wide_set(last)), wide_zero());
}

WIDE_INLINE wide edge_teleport(wide x, float size, float margin) {
    const wide min = wide_set(-margin), max = wide_set(size + margin);
    return wide_blend(wide_lt(x, min), max, wide_blend(wide_lt(max, x), min, x));
}

/* Mirrored once, then clamped. */
WIDE_INLINE wide edge_reflect(wide x, wide *v, float size) {
    const wide_mask below = wide_lt(x, wide_zero()), above = wide_lt(wide_set(size), x);
    const wide mirrored = wide_blend(below, wide_sub(wide_zero(), x), wide_sub(wide_set(2.0f * size), x));
    const wide turned = wide_sub(wide_zero(), *v);
    *v = wide_blend(below, turned, wide_blend(above, turned, *v));
    x = wide_blend(below, mirrored, wide_blend(above, mirrored, x));
    return wide_max(wide_min(x, wide_set(size)), wide_zero());
}

WIDE_INLINE wide edge_apply(const dun_integrate *in, dun_edge all, int a, wide x, wide *v) {
    const dun_edge edge = all == DUN_EDGE_MIXED ? in->edges[a] : all;
    const float size = in->size[a];
    if (edge == DUN_EDGE_PERIODIC) return edge_around(x, wide_le(wide_set(size), x), size, below(size));
    if (edge == DUN_EDGE_OVERSHOOT) return edge_around(x, wide_lt(wide_set(size), x), size, size);
    if (edge == DUN_EDGE_TELEPORT) return edge_teleport(x, size, in->margin);
    return edge == DUN_EDGE_REFLECT ? edge_reflect(x, v, size) : x;
}

WIDE_INLINE void integrate_lanes(const dun_integrate *in, dun_edge edge, int dimensions, uint32_t i) {
    wide old[3], v[3];
    for (int a = 0; a < dimensions; a++) {
        old[a] = wide_load(in->velocity[a] + i);
        wide change = wide_mul(wide_load(in->force[a] + i), wide_set(in->force_scale));
        if (in->mass) change = wide_div(change, wide_load(in->mass + i));
        v[a] = saturate(wide_add(old[a], change));
    }
    const wide scale = speed_scale(in, v, dimensions, i);
    for (int a = 0; a < dimensions; a++) v[a] = wide_mul(wide_mul(v[a], scale), wide_set(in->keep));
    if (in->friction > 0.0f) {
        const wide left = friction_scale(in, v, dimensions);
        for (int a = 0; a < dimensions; a++) v[a] = wide_mul(v[a], left);
    }
    for (int a = 0; a < dimensions; a++) {
        const wide moving = in->explicit_motion ? old[a] : v[a];
        const wide x = wide_add(wide_load(in->position[a] + i), wide_mul(moving, wide_set(in->time_step)));
        wide_store(in->to_position[a] + i, edge_apply(in, edge, a, x, &v[a]));
        wide_store(in->to_velocity[a] + i, v[a]);
    }
}

WIDE_INLINE void bound_lanes(const dun_integrate *in, dun_edge edge, int dimensions, uint32_t i) {
    for (int a = 0; a < dimensions; a++) {
        wide v = wide_load(in->to_velocity[a] + i);
        const wide x = edge_apply(in, edge, a, wide_load(in->to_position[a] + i), &v);
        wide_store(in->to_position[a] + i, x);
        wide_store(in->to_velocity[a] + i, v);
    }
}

/* Runs `body` for all agents, with edge and dimensions constant in each loop. */
#define FOR_EDGE(body, edge)                                                                                                   \
    case edge:                                                                                                                 \
        FOR_EACH_PACKET(in.dimensions, count, body(&in, edge, dimensions, i))                                                  \
        break;

#define FOR_EVERY_EDGE(body)                                                                                                   \
    switch (in.edge) {                                                                                                         \
        FOR_EDGE(body, DUN_EDGE_OPEN)                                                                                          \
        FOR_EDGE(body, DUN_EDGE_PERIODIC)                                                                                      \
        FOR_EDGE(body, DUN_EDGE_TELEPORT)                                                                                      \
        FOR_EDGE(body, DUN_EDGE_OVERSHOOT)                                                                                     \
        FOR_EDGE(body, DUN_EDGE_REFLECT)                                                                                       \
        FOR_EDGE(body, DUN_EDGE_MIXED)                                                                                         \
    }

static void integrate_all(const dun_integrate *what, uint32_t count) {
    const dun_integrate in = *what;
    FOR_EVERY_EDGE(integrate_lanes)
}

static void bound_all(const dun_integrate *what, uint32_t count) {
    const dun_integrate in = *what;
    FOR_EVERY_EDGE(bound_lanes)
}

#endif
