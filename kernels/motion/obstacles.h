/* SPDX-License-Identifier: MIT */
/*
 * Obstacles, as kernels and the sweep (engine/frame/slide.c) see them: sorted so that neighbours in space are mostly neighbours
 * in memory, with boxes over them. Box k of level 0 is around obstacle k alone, box b of a higher level around the boxes from b
 * * FAN on of the level below.
 */
#ifndef DUNLIN_KERNELS_OBSTACLES_H
#define DUNLIN_KERNELS_OBSTACLES_H

#include <stdbool.h>
#include <stdint.h>

#define DUN_BOX_FAN         8u /* boxes in one of the next level */
#define DUN_OBSTACLE_LEVELS 7  /* enough for a million obstacles */

typedef struct dun_boxes {
    uint32_t count;
    float *low[3], *high[3]; /* [count] */
} dun_boxes;

typedef enum dun_solid { DUN_SOLID_BALL = 0, DUN_SOLID_BOX, DUN_SOLID_CAPSULE } dun_solid;

typedef struct dun_obstacle_bins {
    uint32_t count;
    int dimensions;
    uint32_t *number;   /* [count] in the order in which they were added, below 2^24 */
    uint32_t *solid;    /* [count] a dun_solid */
    float *a[3], *b[3]; /* [count] a ball's centre, the same twice; a box's corners; a capsule's ends */
    float *radius;      /* [count] 0 for boxes */
    float *inverse2;    /* [count] 1 / |b - a|^2; 0 where that has no direction */
    int levels;
    dun_boxes boxes[DUN_OBSTACLE_LEVELS]; /* a little larger than what is in them; at most FAN of the highest level */
} dun_obstacle_bins;

/*
 * By how much, times the largest coordinate of an obstacle, its box is too large on every side; and what a radius by which a
 * box is grown is multiplied by. Far more than rounding takes away, so that whatever comes as near as a radius is in the grown
 * box.
 */
#define DUN_OBSTACLE_SLACK 0x1p-19
#define DUN_RADIUS_SLACK   (1.0f + 0x1p-18f)

/* A way through the boxes, depth first: every box that is come to is entered, where it has something in it, or passed over. */
typedef struct dun_box_walk {
    int level; /* of the box that was come to last */
    uint32_t next[DUN_OBSTACLE_LEVELS], end[DUN_OBSTACLE_LEVELS];
} dun_box_walk;

static inline dun_box_walk dun_walk_boxes(const dun_obstacle_bins *bins) {
    dun_box_walk walk;
    walk.level = bins->levels - 1;
    walk.next[walk.level] = 0;
    walk.end[walk.level] = bins->boxes[walk.level].count;
    return walk;
}

/* false: there are no more. */
static inline bool dun_next_box(const dun_obstacle_bins *bins, dun_box_walk *walk, uint32_t *box) {
    while (walk->next[walk->level] == walk->end[walk->level])
        if (++walk->level == bins->levels) return false;
    *box = walk->next[walk->level]++;
    return true;
}

/* Not for level 0. */
static inline void dun_enter_box(const dun_obstacle_bins *bins, dun_box_walk *walk, uint32_t box) {
    const uint32_t first = box * DUN_BOX_FAN, last = first + DUN_BOX_FAN, count = bins->boxes[--walk->level].count;
    walk->next[walk->level] = first;
    walk->end[walk->level] = last < count ? last : count;
}

#endif
