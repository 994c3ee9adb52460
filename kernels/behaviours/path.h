/* SPDX-License-Identifier: MIT */
/*
 * Along a polyline: follow a path. Lanes are agents; the loop broadcasts one segment at a time, and every lane keeps its
 * nearest.
 *
 * On a long path the search visits only segments that may be the nearest of some lane. It leaves out boxes that are farther
 * than the nearest segment so far, and opens the others in the order of the segments. The result is the same to the last bit as
 * if it visited every segment, even where several are equally near and the first counts. That is so because the point that
 * stands for a segment lies in the segment's box, whatever replaces feet that are off the segment, and because rounding is
 * monotone: no computed distance is below the computed minimum distance to the box, or above the maximum one. (A foot inside
 * its segment counts as nearer by one bit; so does its box.) Which boxes the search opens depends on the lanes, and changes
 * nothing.
 */
#ifndef DUNLIN_KERNELS_PATH_H
#define DUNLIN_KERNELS_PATH_H

#include <math.h>

#include "kernels/behaviours/steer.h"

/* ---- one segment ------------------------------------------------------------------------------------------------------ */

typedef struct path_segment {
    wide start[3], end[3], along[3], inverse2;
} path_segment;

WIDE_INLINE path_segment broadcast_segment(const dun_polyline *line, int dimensions, uint32_t number) {
    path_segment s;
    for (int a = 0; a < dimensions; a++) {
        s.start[a] = wide_set(line->point[a][number]);
        s.end[a] = wide_set(line->point[a][number + 1]);
        s.along[a] = wide_set(line->along[a][number]);
    }
    s.inverse2 = wide_set(line->inverse2[number]);
    return s;
}

/* The place of the perpendicular's foot: 0 at the start, 1 at the end. */
WIDE_INLINE wide foot_of(const path_segment *s, int dimensions, const wide at[3]) {
    wide sum = wide_mul(wide_sub(at[0], s->start[0]), s->along[0]);
    for (int a = 1; a < dimensions; a++) sum = wide_add(sum, wide_mul(wide_sub(at[a], s->start[a]), s->along[a]));
    return wide_mul(sum, s->inverse2);
}

/*
 * The squared distance to the point that stands for the segment: the foot; the end for feet beyond it; for feet before the
 * start what `before` says. The end is the point itself, not start + along, so that it has the bits of the next segment's
 * start.
 */
WIDE_INLINE wide distance2_to(const path_segment *s, int dimensions, wide foot, wide before, const wide at[3], wide point[3]) {
    wide offset[3];
    const wide share = wide_blend(wide_lt(foot, wide_zero()), before, foot);
    const wide_mask past = wide_le(wide_set(1.0f), share);
    for (int a = 0; a < dimensions; a++) {
        point[a] = wide_blend(past, s->end[a], wide_add(s->start[a], wide_mul(share, s->along[a])));
        offset[a] = wide_sub(point[a], at[a]);
    }
    return length2(offset, dimensions);
}

/* ---- the nearest ------------------------------------------------------------------------------------------------------ */

typedef struct path_search {
    wide at[3];
    wide before;   /* 0: a foot before the start counts as the start; 1: as the end */
    wide bound;    /* squared: some segment is at most that far; -1 in lanes without an agent */
    wide nearest2; /* squared */
    wide nearest;  /* its number; exact in binary32 */
} path_search;

/* The squared distance to a point of the polyline. */
WIDE_INLINE wide corner2_of(const dun_polyline *line, int dimensions, uint32_t number, const wide at[3]) {
    wide offset[3];
    for (int a = 0; a < dimensions; a++) offset[a] = wide_sub(wide_set(line->point[a][number]), at[a]);
    return length2(offset, dimensions);
}

/* The squared distance to the foot, wherever on the line it is. */
WIDE_INLINE wide foot2_of(const path_segment *s, int dimensions, wide foot, const wide at[3]) {
    wide offset[3];
    for (int a = 0; a < dimensions; a++) offset[a] = wide_sub(wide_add(s->start[a], wide_mul(foot, s->along[a])), at[a]);
    return length2(offset, dimensions);
}

/*
 * Near a corner, rounding must not choose between the two segments, since they lead to different places. So a foot inside its
 * segment counts as nearer than the ends by at least one bit, and segments that share an end compute the distance to it alike.
 */
WIDE_INLINE wide inside_of(wide ends2) {
    return wide_mul(ends2, wide_set(1.0f - 0x1p-23f));
}

WIDE_INLINE void visit_segments(const dun_polyline *line, int dimensions, uint32_t begin, uint32_t end, path_search *p) {
    const wide start = wide_blend(wide_lt(wide_zero(), p->before), wide_zero(), wide_set(-INFINITY));
    wide nearest2 = p->nearest2, nearest = p->nearest, start2 = corner2_of(line, dimensions, begin, p->at);
    for (uint32_t number = begin; number < end; number++) {
        const path_segment s = broadcast_segment(line, dimensions, number);
        const wide foot = foot_of(&s, dimensions, p->at), end2 = corner2_of(line, dimensions, number + 1, p->at);
        const wide ends2 = wide_min(start2, end2), foot2 = foot2_of(&s, dimensions, foot, p->at);
        const wide_mask inside = wide_and(wide_lt(wide_zero(), foot), wide_lt(foot, wide_set(1.0f)));
        const wide off2 = wide_blend(wide_lt(foot, start), end2, ends2);
        const wide d2 = wide_blend(inside, wide_min(foot2, inside_of(ends2)), off2);
        const wide_mask nearer = wide_lt(d2, nearest2);
        nearest2 = wide_blend(nearer, d2, nearest2);
        nearest = wide_blend(nearer, wide_set((float)number), nearest);
        start2 = end2;
    }
    p->nearest2 = nearest2;
    p->nearest = nearest;
    p->bound = wide_min(nearest2, p->bound);
}

/* Squared minimum distances to the boxes [begin, end). The maximum distance to a box bounds that to the nearest segment. */
WIDE_INLINE void measure_boxes(const dun_boxes *boxes, int dimensions, uint32_t begin, uint32_t end, path_search *p,
                               wide min2[DUN_BOX_FAN]) {
    for (uint32_t b = begin; b < end; b++) {
        wide min_offset[3], max_offset[3];
        for (int a = 0; a < dimensions; a++) {
            const wide below = wide_sub(wide_set(boxes->min[a][b]), p->at[a]);
            const wide above = wide_sub(p->at[a], wide_set(boxes->max[a][b]));
            min_offset[a] = wide_max(wide_max(below, above), wide_zero());
            max_offset[a] = wide_min(below, above);
        }
        min2[b - begin] = inside_of(length2(min_offset, dimensions));
        p->bound = wide_min(length2(max_offset, dimensions), p->bound);
    }
}

WIDE_INLINE void search_boxes(const dun_polyline *line, int dimensions, path_search *p) {
    wide min2[DUN_BOX_LEVELS][DUN_BOX_FAN];
    dun_box_walk walk = dun_walk_boxes(line->boxes, line->levels);
    measure_boxes(walk.boxes, dimensions, 0, walk.boxes->count, p, min2[walk.level]);
    uint32_t box;
    while (dun_next_box(&walk, &box)) {
        if (!wide_any(wide_le(min2[walk.level][box % DUN_BOX_FAN], p->bound))) continue;
        if (walk.level == 0) {
            const uint32_t first = box * DUN_BOX_FAN;
            visit_segments(line, dimensions, first, min_u32(first + DUN_BOX_FAN, line->segments), p);
            continue;
        }
        dun_enter_box(&walk, box);
        measure_boxes(walk.boxes, dimensions, walk.next[walk.level], walk.end[walk.level], p, min2[walk.level]);
    }
}

/* ---- following -------------------------------------------------------------------------------------------------------- */

/* The nearest segment of each lane, and the direction of the one after it. */
typedef struct gathered {
    float start[3][DUNLIN_LANES], end[3][DUNLIN_LANES], along[3][DUNLIN_LANES], inverse2[DUNLIN_LANES];
    float next[3][DUNLIN_LANES];
} gathered;

static uint32_t segment_after(const dun_polyline *line, uint32_t number) {
    if (number + 1 < line->segments) return number + 1;
    return line->closed ? 0 : number;
}

WIDE_INLINE path_segment gather_segments(const dun_polyline *line, int dimensions, const float number[DUNLIN_LANES],
                                         wide next[3]) {
    gathered g;
    path_segment s;
    for (int lane = 0; lane < DUNLIN_LANES; lane++) {
        const uint32_t nearest = (uint32_t)number[lane], after = segment_after(line, nearest);
        for (int a = 0; a < dimensions; a++) {
            g.start[a][lane] = line->point[a][nearest];
            g.end[a][lane] = line->point[a][nearest + 1];
            g.along[a][lane] = line->along[a][nearest];
            g.next[a][lane] = line->along[a][after];
        }
        g.inverse2[lane] = line->inverse2[nearest];
    }
    for (int a = 0; a < dimensions; a++) {
        s.start[a] = wide_load(g.start[a]);
        s.end[a] = wide_load(g.end[a]);
        s.along[a] = wide_load(g.along[a]);
        next[a] = wide_load(g.next[a]);
    }
    s.inverse2 = wide_load(g.inverse2);
    return s;
}

/* Searches for the first `agents` lanes. `guess` is a segment that is probably not far. */
WIDE_INLINE path_search search_path(const dun_behave_path *f, int dimensions, const wide at[3], uint32_t agents,
                                    uint32_t guess) {
    const wide_mask taken = first_lanes(agents);
    path_search p = {.before = wide_set(f->off == DUN_PATH_CLAMP ? 0.0f : 1.0f),
                     .bound = wide_blend(taken, wide_set(INFINITY), wide_set(-1.0f)),
                     .nearest2 = wide_set(INFINITY),
                     .nearest = wide_zero()};
    for (int a = 0; a < dimensions; a++) p.at[a] = at[a];
    if (f->line->levels == 0) {
        visit_segments(f->line, dimensions, 0, f->line->segments, &p);
        return p;
    }
    const path_segment s = broadcast_segment(f->line, dimensions, guess);
    wide point[3];
    p.bound = wide_min(distance2_to(&s, dimensions, foot_of(&s, dimensions, at), p.before, at, point), p.bound);
    search_boxes(f->line, dimensions, &p);
    return p;
}

/* The point to seek, a little further along the path. Returns which lanes seek it: those farther from it than the path's
 * radius. */
WIDE_INLINE wide_mask point_ahead(const dun_behave_path *f, int dimensions, const path_search *p,
                                  const float number[DUNLIN_LANES], wide speed, wide point[3]) {
    wide next[3], heading[3];
    const path_segment s = gather_segments(f->line, dimensions, number, next);
    const wide foot = foot_of(&s, dimensions, p->at);
    const wide d2 = distance2_to(&s, dimensions, foot, p->before, p->at, point);
    const wide_mask off = wide_or(wide_lt(foot, wide_zero()), wide_lt(wide_set(1.0f), foot));
    for (int a = 0; a < dimensions; a++)
        heading[a] = f->off == DUN_PATH_NEXT ? wide_blend(off, next[a], s.along[a]) : s.along[a];
    const wide heading2 = length2(heading, dimensions);
    wide ahead = wide_add(wide_mul(wide_set(f->ahead.time), speed), wide_set(f->ahead.distance));
    if (f->ahead_share > 0.0f) ahead = wide_add(ahead, wide_mul(wide_set(f->ahead_share), wide_sqrt(d2)));
    const wide scale = wide_keep(has_direction(heading2), wide_div(ahead, wide_sqrt(heading2)));
    for (int a = 0; a < dimensions; a++) point[a] = wide_add(point[a], wide_mul(heading[a], scale));
    return wide_lt(wide_set(f->radius2), d2);
}

/* `last`: the nearest segment of the agent before the packet, which is probably not far; on return that of the packet's last
 * lane. */
WIDE_INLINE void path_lanes(const dun_behave *b, int dimensions, uint32_t i, uint32_t agents, uint32_t *last) {
    const dun_behave_path *f = &b->path;
    wide position[3], velocity[3], at[3], point[3], offset[3];
    load(b->position, dimensions, i, position);
    load(b->velocity, dimensions, i, velocity);
    const wide v2 = length2(velocity, dimensions), speed = wide_sqrt(v2), forward = time_ahead(f->prediction, v2);
    for (int a = 0; a < dimensions; a++) at[a] = saturate(wide_add(position[a], wide_mul(velocity[a], forward)));

    const path_search p = search_path(f, dimensions, at, agents, *last);
    float number[DUNLIN_LANES];
    wide_store(number, p.nearest);
    *last = (uint32_t)number[DUNLIN_LANES - 1];

    const wide_mask leaves = point_ahead(f, dimensions, &p, number, speed, point);
    for (int a = 0; a < dimensions; a++) offset[a] = saturate(wide_sub(point[a], position[a]));
    steer_along(b, dimensions, i, wide_and(leaves, has_direction(length2(offset, dimensions))), offset, velocity);
}

static void behave_path(const dun_behave *b, uint32_t count) {
    uint32_t last = 0;
    FOR_EACH_PACKET(b->dimensions, count, path_lanes(b, dimensions, i, count - i, &last))
}

#endif
