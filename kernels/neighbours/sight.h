/* SPDX-License-Identifier: MIT */
/*
 * Which neighbours obstacles hide. A lane does not see a candidate if the segment between the two meets an obstacle that
 * contains neither.
 *
 * A packet without an obstacle near it sums as if there were none. For another one the boxes near it are listed, and each
 * candidate that some lane would see walks through what is in them.
 *
 * An obstacle hides only where the segment passes through the obstacle's own box. Rounding is monotone, so a segment that
 * passes through a box passes through all boxes around it, by the same expressions. So which boxes are near a packet, and which
 * are opened, changes nothing.
 */
#ifndef DUNLIN_KERNELS_SIGHT_H
#define DUNLIN_KERNELS_SIGHT_H

#include <math.h>

#include "kernels/neighbours/candidate_list.h"

/* ---- boxes near a packet ---------------------------------------------------------------------------------------------- */

/* What holds every segment from a packet's agents to their candidates. */
typedef struct region {
    float min[3], max[3];
} region;

WIDE_INLINE float first_lane(wide a) {
    float lane[DUNLIN_LANES];
    wide_store(lane, a);
    return lane[0];
}

/* Larger than it need be, by more than rounding takes away. */
WIDE_INLINE region region_of(const dun_interact *in, int dimensions, dun_packet packet) {
    const float radius = first_lane(wide_sqrt(wide_set(in->max_r2)));
    packet_lanes l;
    region r;
    lanes_load(in, dimensions, packet, &l);
    for (int a = 0; a < dimensions; a++) {
        const float min = first_lane(l.min[a]), max = first_lane(l.max[a]), size = in->size[a] < INFINITY ? in->size[a] : 0.0f;
        const float grown = radius * DUN_RADIUS_SLACK + (float)DUN_OBSTACLE_SLACK * (fabsf(min) + fabsf(max) + radius + size);
        r.min[a] = min - grown;
        r.max[a] = max + grown;
    }
    return r;
}

WIDE_INLINE bool touches(const region *r, const float shift[3], const dun_boxes *boxes, int dimensions, uint32_t box) {
    bool all = true;
    for (int a = 0; a < dimensions; a++)
        all = all && r->min[a] + shift[a] <= boxes->max[a][box] && boxes->min[a][box] <= r->max[a] + shift[a];
    return all;
}

WIDE_INLINE void list_touched(dun_near *near, const region *r, const float shift[3], int level, uint32_t begin, uint32_t end) {
    const dun_boxes *boxes = near->bins->boxes + level;
    for (uint32_t box = begin; box < min_u32(end, boxes->count); box++) {
        if (!touches(r, shift, boxes, near->bins->dimensions, box)) continue;
        near->box[near->count] = box;
        for (int a = 0; a < near->bins->dimensions; a++) near->shift[near->count][a] = shift[a];
        near->count++;
    }
}

/* Replaces each box by those in it. */
static void open_boxes(dun_near *near, const region *r) {
    const dun_near closed = *near;
    near->level--;
    near->count = 0;
    for (uint32_t i = 0; i < closed.count; i++)
        list_touched(near, r, closed.shift[i], near->level, closed.box[i] * DUN_BOX_FAN, (closed.box[i] + 1) * DUN_BOX_FAN);
}

/* The images of the last level's boxes: at most 27 times DUN_BOX_FAN. */
static void list_images(dun_near *near, const region *r, const float size[3]) {
    const int dimensions = near->bins->dimensions, images = dimensions == 3 ? 27 : 9;
    for (int image = 0; image < images; image++) {
        const int way[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
        float shift[3] = {0};
        bool is_there = true;
        for (int a = 0; a < dimensions; a++) {
            if (way[a] != 0) shift[a] = (float)way[a] * size[a];
            is_there = is_there && shift[a] < INFINITY && shift[a] > -INFINITY;
        }
        if (is_there) list_touched(near, r, shift, near->level, 0, DUN_BOX_FAN);
    }
}

/* Whether there are any. */
static bool find_near(const dun_interact *in, int dimensions, dun_packet packet, dun_near *near) {
    near->bins = in->sight->bins;
    near->level = near->bins->levels - 1;
    near->count = 0;
    const region r = region_of(in, dimensions, packet);
    list_images(near, &r, in->size);
    while (near->level > 0 && near->count > 0 && near->count <= DUN_NEAR_OPENED) open_boxes(near, &r);
    return near->count > 0;
}

/* ---- segments --------------------------------------------------------------------------------------------------------- */

/* Between each lane and one candidate. Both have the same one, whichever of them looks: it begins at the lower of the two,
 * where that is in the world. `frame` leads from there to where the lane sees it: 0, or the world's size. */
typedef struct segment {
    wide from[3], to[3], delta[3], frame[3];
    wide inverse[3]; /* 1 / delta, finite */
} segment;

WIDE_INLINE segment segment_of(const dun_interact *in, int dimensions, const wide at[3], uint32_t j, const wide delta[3]) {
    const wide zero = wide_zero(), slow = wide_set(1e-30f);
    wide_mask back = wide_lt(delta[dimensions - 1], zero);
    for (int a = dimensions - 2; a >= 0; a--) back = wide_or(wide_lt(delta[a], zero), wide_and(wide_le(delta[a], zero), back));
    segment s;
    for (int a = 0; a < dimensions; a++) {
        const wide candidate = wide_set(in->position[a][j]), straight = wide_sub(candidate, at[a]);
        const wide behind = wide_keep(wide_lt(delta[a], straight), wide_set(-in->size[a]));
        const wide ahead = wide_blend(wide_lt(straight, delta[a]), wide_set(in->size[a]), behind);
        s.frame[a] = wide_keep(back, ahead);
        s.from[a] = wide_blend(back, candidate, at[a]);
        s.delta[a] = wide_blend(back, wide_sub(zero, delta[a]), delta[a]);
        const wide length = wide_max(s.delta[a], wide_sub(zero, s.delta[a]));
        s.inverse[a] = wide_div(wide_set(1.0f), wide_blend(wide_lt(length, slow), slow, s.delta[a]));
    }
    return s;
}

WIDE_INLINE segment shifted(const segment *s, int dimensions, const float shift[3]) {
    segment to = *s;
    for (int a = 0; a < dimensions; a++) {
        to.from[a] = wide_add(s->from[a], wide_add(s->frame[a], wide_set(shift[a])));
        to.to[a] = wide_add(to.from[a], s->delta[a]);
    }
    return to;
}

WIDE_INLINE wide_mask passes(const segment *s, int dimensions, const float min[3], const float max[3]) {
    wide in = wide_zero(), out = wide_set(1.0f);
    for (int a = 0; a < dimensions; a++) {
        const wide to_min = wide_mul(wide_sub(wide_set(min[a]), s->from[a]), s->inverse[a]);
        const wide to_max = wide_mul(wide_sub(wide_set(max[a]), s->from[a]), s->inverse[a]);
        in = wide_max(wide_min(to_min, to_max), in);
        out = wide_min(wide_max(to_min, to_max), out);
    }
    return wide_le(in, out);
}

/* ---- one obstacle ----------------------------------------------------------------------------------------------------- */

WIDE_INLINE wide_mask is_outside(const wide at[3], int dimensions, const float min[3], const float max[3]) {
    wide_mask outside = wide_lt(wide_zero(), wide_zero());
    for (int a = 0; a < dimensions; a++)
        outside = wide_or(outside, wide_or(wide_lt(at[a], wide_set(min[a])), wide_lt(wide_set(max[a]), at[a])));
    return outside;
}

WIDE_INLINE wide_mask box_hides(const segment *s, int dimensions, const float min[3], const float max[3]) {
    const wide_mask outside = wide_and(is_outside(s->from, dimensions, min, max), is_outside(s->to, dimensions, min, max));
    return wide_and(outside, passes(s, dimensions, min, max));
}

/* 0 / 0 gives 1. */
WIDE_INLINE wide share_of(wide a, wide b) {
    return wide_max(wide_min(wide_div(a, b), wide_set(1.0f)), wide_zero());
}

/* A capsule, of which a ball is one without a length. */
typedef struct capsule {
    wide along[3], length2;
} capsule;

/* The squared distance from a place to the axis; `offset`: from the axis' first end. */
WIDE_INLINE wide axis_distance2(const capsule *c, int dimensions, const wide offset[3]) {
    wide nearest[3];
    const wide share = share_of(inner(offset, c->along, dimensions), c->length2);
    for (int a = 0; a < dimensions; a++) nearest[a] = wide_sub(offset[a], wide_mul(share, c->along[a]));
    return length2(nearest, dimensions);
}

/* The squared distance between segment and axis (C. Ericson, "Real-Time Collision Detection", 2005, 5.1.9). */
WIDE_INLINE wide axes_distance2(const segment *s, const capsule *c, int dimensions, const wide offset[3]) {
    const wide delta2 = length2(s->delta, dimensions), both = inner(s->delta, c->along, dimensions);
    const wide by_delta = inner(offset, s->delta, dimensions), by_axis = inner(offset, c->along, dimensions);
    const wide apart = wide_sub(wide_mul(delta2, c->length2), wide_mul(both, both));
    const wide first = share_of(wide_sub(wide_mul(both, by_axis), wide_mul(by_delta, c->length2)), apart);
    const wide on_axis = share_of(wide_add(wide_mul(both, first), by_axis), c->length2);
    const wide share = share_of(wide_sub(wide_mul(both, on_axis), by_delta), delta2);
    wide nearest[3];
    for (int a = 0; a < dimensions; a++)
        nearest[a] = wide_sub(wide_add(offset[a], wide_mul(share, s->delta[a])), wide_mul(on_axis, c->along[a]));
    return length2(nearest, dimensions);
}

WIDE_INLINE wide cross_of(const wide a[3], const wide b[3]) {
    return wide_sub(wide_mul(a[0], b[1]), wide_mul(a[1], b[0]));
}

/* In the plane: whether the lines cross. A line's end counts, so that no segment slips through where two lines meet. */
WIDE_INLINE wide_mask crosses(const segment *s, const capsule *c, const wide from[3], const wide to[3]) {
    wide end[3];
    for (int a = 0; a < 2; a++) end[a] = wide_sub(from[a], c->along[a]);
    const wide zero = wide_zero(), before = cross_of(c->along, from), after = cross_of(c->along, to);
    const wide left = cross_of(s->delta, from), right = cross_of(s->delta, end);
    const wide_mask parts =
        wide_or(wide_and(wide_lt(before, zero), wide_lt(zero, after)), wide_and(wide_lt(zero, before), wide_lt(after, zero)));
    return wide_and(parts, wide_or(wide_and(wide_le(left, zero), wide_le(zero, right)),
                                   wide_and(wide_le(zero, left), wide_le(right, zero))));
}

WIDE_INLINE wide_mask capsule_hides(const segment *s, const dun_obstacle_bins *bins, int dimensions, uint32_t k) {
    const wide radius2 = wide_set(bins->radius[k] * bins->radius[k]);
    wide from[3], to[3];
    capsule c;
    for (int a = 0; a < dimensions; a++) {
        from[a] = wide_sub(s->from[a], wide_set(bins->a[a][k]));
        to[a] = wide_sub(s->to[a], wide_set(bins->a[a][k]));
        c.along[a] = wide_set(bins->b[a][k] - bins->a[a][k]);
    }
    c.length2 = length2(c.along, dimensions);
    wide_mask meets = wide_le(axes_distance2(s, &c, dimensions, from), radius2);
    if (dimensions == 2) meets = wide_or(meets, crosses(s, &c, from, to));
    const wide_mask outside =
        wide_and(wide_lt(radius2, axis_distance2(&c, dimensions, from)), wide_lt(radius2, axis_distance2(&c, dimensions, to)));
    return wide_and(outside, meets);
}

WIDE_INLINE wide_mask obstacle_hides(const segment *s, const dun_obstacle_bins *bins, int dimensions, uint32_t k) {
    if (bins->solid[k] != DUN_SOLID_BOX) return capsule_hides(s, bins, dimensions, k);
    float min[3], max[3];
    for (int a = 0; a < dimensions; a++) {
        min[a] = bins->a[a][k];
        max[a] = bins->b[a][k];
    }
    return box_hides(s, dimensions, min, max);
}

/* ---- one candidate ---------------------------------------------------------------------------------------------------- */

WIDE_INLINE dun_box_walk walk_inside(const dun_near *near, uint32_t box) {
    dun_box_walk walk = {.boxes = near->bins->boxes + near->level, .level = near->level, .levels = near->level + 1};
    walk.next[walk.level] = box;
    walk.end[walk.level] = box + 1;
    return walk;
}

/* Returns `hidden` with 1 in each lane where the segment meets an obstacle in the box. Lanes outside `seen` are not tested. */
WIDE_INLINE wide hide_by_box(const dun_near *near, int dimensions, uint32_t number, const segment *s, wide_mask seen,
                             wide hidden) {
    dun_box_walk walk = walk_inside(near, number);
    uint32_t box;
    while (dun_next_box(&walk, &box)) {
        float min[3], max[3];
        for (int a = 0; a < dimensions; a++) {
            min[a] = walk.boxes->min[a][box];
            max[a] = walk.boxes->max[a][box];
        }
        const wide_mask through = wide_and(seen, passes(s, dimensions, min, max));
        if (!wide_any(through)) continue;
        if (walk.level > 0) {
            dun_enter_box(&walk, box);
            continue;
        }
        const wide_mask hides = wide_and(through, obstacle_hides(s, near->bins, dimensions, box));
        hidden = wide_blend(hides, wide_set(1.0f), hidden);
    }
    return hidden;
}

/* Those of the mask that see candidate j. */
WIDE_INLINE wide_mask in_sight(const dun_interact *in, int dimensions, const wide at[3], uint32_t j, const wide delta[3],
                               wide_mask seen) {
    const segment s = segment_of(in, dimensions, at, j, delta);
    wide hidden = wide_zero();
    for (uint32_t i = 0; i < in->near->count; i++) {
        const segment here = shifted(&s, dimensions, in->near->shift[i]);
        hidden = hide_by_box(in->near, dimensions, in->near->box[i], &here, seen, hidden);
    }
    return wide_and(seen, wide_lt(hidden, wide_set(1.0f)));
}

/* Not inlined: copies in all passes of a selection would add 20 KB to a page's WebAssembly. */
#define IN_SIGHT(d)                                                                                                            \
    static __attribute__((noinline))                                                                                           \
    wide_mask in_sight_##d(const dun_interact *in, const wide at[3], uint32_t j, const wide delta[3], wide_mask seen) {        \
        return in_sight(in, d, at, j, delta, seen);                                                                            \
    }
IN_SIGHT(2)
IN_SIGHT(3)

#endif
