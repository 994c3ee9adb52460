/* SPDX-License-Identifier: MIT */
/*
 * Obstacles, as kernels and the sweep (engine/frame/slide.c) see them: sorted so that neighbours in space are mostly neighbours
 * in memory, with levels of boxes around them. Box k of level 0 is around obstacle k alone, box b of a higher level around the
 * DUN_BOX_FAN boxes from b * DUN_BOX_FAN on of the level below.
 */
#ifndef DUNLIN_KERNELS_OBSTACLES_H
#define DUNLIN_KERNELS_OBSTACLES_H

#include <stdbool.h>
#include <stdint.h>

#define DUN_BOX_FAN    8u /* boxes in one of the next level */
#define DUN_BOX_LEVELS 7  /* enough for a million obstacles; a path has one less */

typedef struct dun_boxes {
    uint32_t count;
    float *min[3], *max[3]; /* [count] */
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
    dun_boxes boxes[DUN_BOX_LEVELS]; /* a little larger than what is in them; at most FAN on the last level */
} dun_obstacle_bins;

/*
 * Boxes are too large rather than too small, by far more than rounding takes away: an obstacle's box by its maximum coordinate
 * times DUN_OBSTACLE_SLACK on every side, and a box that grows by a radius grows by that radius times DUN_RADIUS_SLACK. So
 * whatever is within the radius is in the grown box.
 */
#define DUN_OBSTACLE_SLACK 0x1p-19
#define DUN_RADIUS_SLACK   (1.0f + 0x1p-18f)

/* A walk through levels of boxes, depth first. The caller enters each box that it gets, or leaves it out. */
typedef struct dun_box_walk {
    const dun_boxes *boxes; /* the last box's level, … */
    int level, levels;      /* … and its number */
    uint32_t next[DUN_BOX_LEVELS], end[DUN_BOX_LEVELS];
} dun_box_walk;

static inline dun_box_walk dun_walk_boxes(const dun_boxes boxes[], int levels) {
    dun_box_walk walk; /* not all of it is written: that shows in the time of a search */
    walk.levels = levels;
    walk.level = levels - 1;
    walk.boxes = boxes + walk.level;
    walk.next[walk.level] = 0;
    walk.end[walk.level] = walk.boxes->count;
    return walk;
}

/* The next box; false: there is none. */
static inline bool dun_next_box(dun_box_walk *walk, uint32_t *box) {
    for (; walk->next[walk->level] == walk->end[walk->level]; walk->boxes++)
        if (++walk->level == walk->levels) return false;
    *box = walk->next[walk->level]++;
    return true;
}

/* Continues with the boxes in this one, which has a level above 0. */
static inline void dun_enter_box(dun_box_walk *walk, uint32_t box) {
    const uint32_t first = box * DUN_BOX_FAN, last = first + DUN_BOX_FAN, count = (--walk->boxes)->count;
    walk->next[--walk->level] = first;
    walk->end[walk->level] = last < count ? last : count;
}

enum { DUN_NEAR_OPENED = 32 /* a longer list of boxes is not opened */, DUN_NEAR_ROOM = DUN_NEAR_OPENED * DUN_BOX_FAN };

/* Boxes near a packet, all of one level. In a periodic world obstacles repeat: to meet image k, places shift by shift[k]. */
typedef struct dun_near {
    const dun_obstacle_bins *bins;
    int level;
    uint32_t count;
    uint32_t box[DUN_NEAR_ROOM];
    float shift[DUN_NEAR_ROOM][3];
} dun_near;

#endif
