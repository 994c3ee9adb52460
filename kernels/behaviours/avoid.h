/* SPDX-License-Identifier: MIT */
/*
 * Rays among obstacles: avoid them. Lanes are agents; the loop broadcasts a box or an obstacle, and every lane keeps its
 * nearest hit.
 *
 * A hit counts only where the ray passes through the obstacle's own box, and is no nearer than the entry into that box.
 * Rounding is monotone, so the computed entry into a box around other boxes is never behind the entry into one of these. So the
 * search leaves out no box that holds a lane's nearest hit or an equal one: which boxes it opens, and when, depends on the
 * lanes and changes nothing.
 */
#ifndef DUNLIN_KERNELS_AVOID_H
#define DUNLIN_KERNELS_AVOID_H

#include <math.h>

#include "kernels/behaviours/steer.h"

typedef struct ray {
    wide at[3], velocity[3];
    wide inverse[3]; /* 1 / velocity, finite */
    wide v2, inverse_v2;
    float inflated; /* obstacles grow by this */
    wide time;      /* until the nearest hit, or as far as the agent looks; -1: it does not look */
    wide number;    /* of the obstacle that is hit, exact in binary32; INFINITY: none */
    wide normal[3]; /* of the obstacle, outwards, of any length */
    wide inside;    /* 1: the agent is in it already */
} ray;

/* A possible hit. */
typedef struct hit {
    wide number;
    wide_mask passes; /* whether the ray passes through the obstacle's box */
    wide reached;     /* when it enters that */
    wide normal[3];
} hit;

/* ---- boxes ------------------------------------------------------------------------------------------------------------ */

/* Whether the ray passes through the box before its nearest hit; `reached`: when it enters. */
WIDE_INLINE wide_mask passes_box(const ray *r, const dun_boxes *boxes, int dimensions, uint32_t box, wide *reached) {
    const float grown = r->inflated * DUN_RADIUS_SLACK;
    wide in = wide_zero(), out = wide_set(INFINITY);
    for (int a = 0; a < dimensions; a++) {
        const wide min = wide_set(boxes->min[a][box] - grown), max = wide_set(boxes->max[a][box] + grown);
        const wide to_min = wide_mul(wide_sub(min, r->at[a]), r->inverse[a]);
        const wide to_max = wide_mul(wide_sub(max, r->at[a]), r->inverse[a]);
        in = wide_max(wide_min(to_min, to_max), in);
        out = wide_min(wide_max(to_min, to_max), out);
    }
    *reached = in;
    return wide_and(wide_le(in, out), wide_le(in, r->time));
}

/* ---- obstacles -------------------------------------------------------------------------------------------------------- */

/* Keeps the nearer hit; of equal ones that of the obstacle that was added first. */
WIDE_INLINE void take_hit(ray *r, const hit *h, int dimensions, wide_mask hits, wide time, wide inside) {
    time = wide_max(time, h->reached);
    const wide_mask first = wide_and(wide_le(time, r->time), wide_lt(h->number, r->number));
    const wide_mask nearer = wide_and(wide_and(hits, h->passes), wide_or(wide_lt(time, r->time), first));
    r->time = wide_blend(nearer, time, r->time);
    r->number = wide_blend(nearer, h->number, r->number);
    r->inside = wide_blend(nearer, inside, r->inside);
    for (int a = 0; a < dimensions; a++) r->normal[a] = wide_blend(nearer, h->normal[a], r->normal[a]);
}

/* Half a chord back from the time of the nearest approach: this subtracts no large squares. */
WIDE_INLINE void hit_ball_from_outside(ray *r, hit *h, int dimensions, const wide offset[3], wide radius2, wide_mask hits) {
    wide approach[3];
    const wide middle = wide_sub(wide_zero(), wide_mul(inner(offset, r->velocity, dimensions), r->inverse_v2));
    add_scaled(offset, middle, r->velocity, dimensions, approach);
    const wide distance2 = length2(approach, dimensions);
    const wide half2 = wide_mul(wide_sub(radius2, distance2), r->inverse_v2);
    const wide time = wide_sub(middle, wide_sqrt(wide_max(half2, wide_zero())));
    add_scaled(offset, time, r->velocity, dimensions, h->normal);
    hits = wide_and(hits, wide_and(wide_lt(distance2, radius2), wide_le(wide_zero(), time)));
    take_hit(r, h, dimensions, hits, time, wide_zero());
}

WIDE_INLINE void hit_from_inside(ray *r, hit *h, int dimensions, const wide offset[3], wide radius2) {
    for (int a = 0; a < dimensions; a++) h->normal[a] = offset[a];
    take_hit(r, h, dimensions, wide_lt(length2(offset, dimensions), radius2), wide_zero(), wide_set(1.0f));
}

WIDE_INLINE void hit_ball(ray *r, hit *h, const dun_obstacle_bins *bins, int dimensions, uint32_t k) {
    const float radius = bins->radius[k] + r->inflated;
    const wide radius2 = wide_set(radius * radius);
    wide offset[3];
    for (int a = 0; a < dimensions; a++) offset[a] = wide_sub(r->at[a], wide_set(bins->a[a][k]));
    hit_from_inside(r, h, dimensions, offset, radius2);
    hit_ball_from_outside(r, h, dimensions, offset, radius2, wide_le(radius2, length2(offset, dimensions)));
}

/*
 * A capsule's side, between its ends. In the plane no ray misses a line, however thin: the chord's length follows from the
 * angle alone. `across` leads from the axis to the agent, from the place `share` on the axis.
 */
WIDE_INLINE void hit_side(ray *r, hit *h, int dimensions, const wide along[3], wide inverse2, const wide across[3], wide share,
                          wide radius2, wide_mask hits) {
    wide velocity[3], approach[3];
    const wide share_speed = wide_mul(inner(r->velocity, along, dimensions), inverse2);
    for (int a = 0; a < dimensions; a++) velocity[a] = wide_sub(r->velocity[a], wide_mul(share_speed, along[a]));
    const wide v2 = length2(velocity, dimensions);
    const wide middle = wide_sub(wide_zero(), wide_div(inner(across, velocity, dimensions), v2));
    wide half2 = wide_div(radius2, v2);
    hits = wide_and(hits, has_direction(v2));
    if (dimensions == 3) {
        add_scaled(across, middle, velocity, dimensions, approach);
        const wide distance2 = length2(approach, dimensions);
        half2 = wide_div(wide_sub(radius2, distance2), v2);
        hits = wide_and(hits, wide_lt(distance2, radius2));
    }
    const wide time = wide_sub(middle, wide_sqrt(wide_max(half2, wide_zero())));
    const wide where = wide_add(share, wide_mul(time, share_speed));
    if (dimensions == 3)
        add_scaled(across, time, velocity, dimensions, h->normal);
    else
        for (int a = 0; a < dimensions; a++) h->normal[a] = across[a];
    hits = wide_and(hits, wide_and(wide_le(wide_zero(), where), wide_le(where, wide_set(1.0f))));
    take_hit(r, h, dimensions, wide_and(hits, wide_le(wide_zero(), time)), time, wide_zero());
}

/* The first hit of the two end balls and the side counts. */
WIDE_INLINE void hit_capsule(ray *r, hit *h, const dun_obstacle_bins *bins, int dimensions, uint32_t k) {
    const float radius = bins->radius[k] + r->inflated;
    const wide radius2 = wide_set(radius * radius), inverse2 = wide_set(bins->inverse2[k]);
    wide from_a[3], from_b[3], along[3], across[3], nearest[3];
    for (int a = 0; a < dimensions; a++) {
        from_a[a] = wide_sub(r->at[a], wide_set(bins->a[a][k]));
        from_b[a] = wide_sub(r->at[a], wide_set(bins->b[a][k]));
        along[a] = wide_set(bins->b[a][k] - bins->a[a][k]);
    }
    const wide share = wide_mul(inner(from_a, along, dimensions), inverse2);
    const wide on_axis = wide_max(wide_min(share, wide_set(1.0f)), wide_zero());
    for (int a = 0; a < dimensions; a++) {
        nearest[a] = wide_sub(from_a[a], wide_mul(on_axis, along[a]));
        across[a] = wide_sub(from_a[a], wide_mul(share, along[a]));
    }
    const wide_mask outside = wide_le(radius2, length2(nearest, dimensions));
    hit_from_inside(r, h, dimensions, nearest, radius2);
    hit_ball_from_outside(r, h, dimensions, from_a, radius2, outside);
    hit_ball_from_outside(r, h, dimensions, from_b, radius2, outside);
    if (bins->inverse2[k] > 0.0f) hit_side(r, h, dimensions, along, inverse2, across, share, radius2, outside);
}

/* What is known of a ray and a box, axis by axis. */
typedef struct box_hit {
    wide in, out, depth;     /* times of entry and exit, and the distance to the nearest face from inside */
    wide into[3], out_of[3]; /* normals of the faces of entry and of the nearest exit */
    wide_mask inside, may_enter;
} box_hit;

/* Makes axis `a` the normal's only one where the mask is set. */
WIDE_INLINE void turn_normal(wide normal[3], int a, wide_mask m, wide sign) {
    for (int other = 0; other < a; other++) normal[other] = wide_blend(m, wide_zero(), normal[other]);
    normal[a] = wide_keep(m, sign);
}

WIDE_INLINE void hit_box_axis(const ray *r, int a, wide min, wide max, box_hit *b) {
    const wide from_min = wide_sub(r->at[a], min), from_max = wide_sub(max, r->at[a]);
    const wide_mask between = wide_and(wide_lt(min, r->at[a]), wide_lt(r->at[a], max));
    const wide_mask moves = wide_or(wide_lt(r->velocity[a], wide_zero()), wide_lt(wide_zero(), r->velocity[a]));
    b->inside = wide_and(b->inside, between);
    b->may_enter = wide_and(b->may_enter, wide_or(between, moves));

    const wide distance = wide_min(from_min, from_max);
    const wide face = wide_blend(wide_le(from_min, from_max), wide_set(-1.0f), wide_set(1.0f));
    turn_normal(b->out_of, a, wide_lt(distance, b->depth), face);
    b->depth = wide_min(distance, b->depth);

    const wide to_min = wide_mul(wide_sub(min, r->at[a]), r->inverse[a]), to_max = wide_mul(from_max, r->inverse[a]);
    const wide enters = wide_min(to_min, to_max);
    const wide against = wide_blend(wide_lt(r->velocity[a], wide_zero()), wide_set(1.0f), wide_set(-1.0f));
    turn_normal(b->into, a, wide_lt(b->in, enters), against);
    b->in = wide_max(enters, b->in);
    b->out = wide_min(wide_max(to_min, to_max), b->out);
}

/* The way out is through the nearest face, the way in through the last one that the ray passes. */
WIDE_INLINE void hit_box(ray *r, hit *h, const dun_obstacle_bins *bins, int dimensions, uint32_t k) {
    const wide_mask all = wide_le(wide_zero(), wide_zero());
    box_hit b = {
        .in = wide_set(-INFINITY), .out = wide_set(INFINITY), .depth = wide_set(INFINITY), .inside = all, .may_enter = all};
    for (int a = 0; a < dimensions; a++)
        hit_box_axis(r, a, wide_set(bins->a[a][k] - r->inflated), wide_set(bins->b[a][k] + r->inflated), &b);
    for (int a = 0; a < dimensions; a++) h->normal[a] = b.out_of[a];
    take_hit(r, h, dimensions, b.inside, wide_zero(), wide_set(1.0f));
    for (int a = 0; a < dimensions; a++) h->normal[a] = b.into[a];
    const wide_mask enters = wide_and(b.may_enter, wide_and(wide_le(b.in, b.out), wide_le(wide_zero(), b.in)));
    take_hit(r, h, dimensions, enters, b.in, wide_zero());
}

WIDE_INLINE void visit_obstacle(ray *r, const dun_obstacle_bins *bins, int dimensions, uint32_t k, wide_mask passes,
                                wide reached) {
    hit h = {.number = wide_set((float)bins->number[k]), .passes = passes, .reached = reached};
    if (bins->solid[k] == DUN_SOLID_BALL)
        hit_ball(r, &h, bins, dimensions, k);
    else if (bins->solid[k] == DUN_SOLID_BOX)
        hit_box(r, &h, bins, dimensions, k);
    else
        hit_capsule(r, &h, bins, dimensions, k);
}

WIDE_INLINE void cast_ray(ray *r, const dun_obstacle_bins *bins, int dimensions) {
    dun_box_walk walk = dun_walk_boxes(bins->boxes, bins->levels);
    uint32_t box;
    while (dun_next_box(&walk, &box)) {
        wide reached;
        const wide_mask passes = passes_box(r, walk.boxes, dimensions, box, &reached);
        if (!wide_any(passes)) continue;
        if (walk.level > 0)
            dun_enter_box(&walk, box);
        else
            visit_obstacle(r, bins, dimensions, box, passes, reached);
    }
}

/* ---- avoiding --------------------------------------------------------------------------------------------------------- */

/* Lanes without an agent and agents at rest look nowhere. Very low speeds along an axis count as slow but not as 0. */
WIDE_INLINE ray ray_of(const dun_behave *b, int dimensions, uint32_t i, uint32_t agents) {
    const wide slow = wide_set(1e-30f);
    ray r = {.inflated = b->avoid.agent_radius, .number = wide_set(INFINITY), .inside = wide_zero()};
    load(b->position, dimensions, i, r.at);
    load(b->velocity, dimensions, i, r.velocity);
    for (int a = 0; a < dimensions; a++) {
        const wide speed = wide_max(r.velocity[a], wide_sub(wide_zero(), r.velocity[a]));
        r.inverse[a] = wide_div(wide_set(1.0f), wide_blend(wide_lt(speed, slow), slow, r.velocity[a]));
        r.normal[a] = wide_zero();
    }
    r.v2 = length2(r.velocity, dimensions);
    r.inverse_v2 = wide_div(wide_set(1.0f), r.v2);
    const wide_mask taken = first_lanes(agents);
    r.time = wide_blend(wide_and(taken, has_direction(r.v2)), time_ahead(b->avoid.look_ahead, r.v2), wide_set(-1.0f));
    return r;
}

/* The way to go at a hit: out of the obstacle, or halfway between the heading and the side. */
WIDE_INLINE void way_around(const ray *r, int dimensions, wide way[3]) {
    wide heading[3], normal[3], side[3];
    for (int a = 0; a < dimensions; a++) heading[a] = r->velocity[a];
    to_unit(heading, dimensions);
    const wide scale = wide_div(wide_set(1.0f), wide_sqrt(length2(r->normal, dimensions)));
    const wide_mask known = has_direction(length2(r->normal, dimensions));
    for (int a = 0; a < dimensions; a++)
        normal[a] = wide_blend(known, wide_mul(r->normal[a], scale), wide_sub(wide_zero(), heading[a]));

    aside_of(normal, heading, dimensions, side);
    for (int a = 0; a < dimensions; a++) way[a] = wide_add(heading[a], side[a]);
    to_unit(way, dimensions);
    for (int a = 0; a < dimensions; a++) way[a] = wide_blend(wide_lt(wide_zero(), r->inside), normal[a], way[a]);
}

WIDE_INLINE void avoid_lanes(const dun_behave *b, int dimensions, uint32_t i, uint32_t agents) {
    ray r = ray_of(b, dimensions, i, agents);
    cast_ray(&r, b->avoid.bins, dimensions);
    const wide_mask hits = wide_lt(r.number, wide_set(INFINITY));
    if (!wide_any(hits)) return;
    wide desired[3];
    way_around(&r, dimensions, desired);
    for (int a = 0; a < dimensions; a++) desired[a] = wide_mul(desired[a], wide_varied(b->max_speed, i));
    add_steering(b, dimensions, i, hits, desired, r.velocity);
}

static void behave_avoid(const dun_behave *b, uint32_t count) {
    FOR_EACH_PACKET(b->dimensions, count, avoid_lanes(b, dimensions, i, count - i))
}

#endif
