/* SPDX-License-Identifier: MIT */
/*
 * Which agents may touch an obstacle in a step: a first test, of boxes around their ways. Lanes are agents; the loop broadcasts
 * boxes. engine/frame/slide.c looks at those that may. False positives only cost time, so kernels may disagree about them.
 */
#ifndef DUNLIN_KERNELS_TOUCH_H
#define DUNLIN_KERNELS_TOUCH_H

#include <math.h>

#include "kernels/contract/kernel.h"
#include "kernels/wide/vector.h"

typedef struct ways {
    wide min[3], max[3];
} ways;

/* The box around each lane's way, grown by the radius. Lanes without an agent have an empty one. */
WIDE_INLINE ways ways_of(const dun_touch *t, int dimensions, uint32_t i, uint32_t agents) {
    const wide_mask taken = first_lanes(agents);
    const wide grown = wide_set(t->radius * DUN_RADIUS_SLACK);
    ways w;
    for (int a = 0; a < dimensions; a++) {
        const wide from = wide_load(t->from[a] + i), to = wide_load(t->to[a] + i);
        w.min[a] = wide_blend(taken, wide_sub(wide_min(from, to), grown), wide_set(INFINITY));
        w.max[a] = wide_blend(taken, wide_add(wide_max(from, to), grown), wide_set(-INFINITY));
    }
    return w;
}

WIDE_INLINE wide_mask reaches_box(const ways *w, const dun_boxes *boxes, int dimensions, uint32_t box) {
    wide_mask reaches = wide_le(wide_zero(), wide_zero());
    for (int a = 0; a < dimensions; a++) {
        reaches = wide_and(reaches, wide_le(w->min[a], wide_set(boxes->max[a][box])));
        reaches = wide_and(reaches, wide_le(wide_set(boxes->min[a][box]), w->max[a]));
    }
    return reaches;
}

WIDE_INLINE wide_mask reaches_any(const dun_touch *t, int dimensions, uint32_t i, uint32_t agents) {
    const ways w = ways_of(t, dimensions, i, agents);
    dun_box_walk walk = dun_walk_boxes(t->bins->boxes, t->bins->levels);
    wide_mask touch = wide_lt(wide_zero(), wide_zero());
    uint32_t box;
    while (dun_next_box(&walk, &box)) {
        const wide_mask reaches = reaches_box(&w, walk.boxes, dimensions, box);
        if (!wide_any(reaches)) continue;
        if (walk.level > 0)
            dun_enter_box(&walk, box);
        else
            touch = wide_or(touch, reaches);
    }
    return touch;
}

WIDE_INLINE uint32_t touch_lanes(const dun_touch *t, int dimensions, uint32_t count, int32_t *touched) {
    uint32_t touches = 0;
    for (uint32_t i = 0; i < count; i += DUNLIN_LANES) {
        const wide_mask touch = reaches_any(t, dimensions, i, count - i);
        const wide_int number = wide_int_add(wide_int_load(lane_number), wide_int_set((int32_t)i));
        touches += wide_int_pack(touched + touches, touch, number);
    }
    return touches;
}

static uint32_t touch_all(const dun_touch *t, uint32_t count, int32_t *touched) {
    return t->bins->dimensions == 3 ? touch_lanes(t, 3, count, touched) : touch_lanes(t, 2, count, touched);
}

#endif
