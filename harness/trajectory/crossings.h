/* SPDX-License-Identifier: MIT */
/*
 * How often agents have crossed the edges of a world's periodic axes, counted from one frame to the next: an agent has moved
 * the shorter way. That is exact as long as no agent can have moved half of the shortest of these axes (frame.is_near); the
 * first frame that may be too far, and all after it, have TRAJECTORY_NO_IMAGE instead. Agents begin at 0 in their first frame.
 * Bodies of groups do not move, but appear at the nearest image of their group's centre.
 */
#ifndef DUNLIN_HARNESS_TRAJECTORY_CROSSINGS_H
#define DUNLIN_HARNESS_TRAJECTORY_CROSSINGS_H

#include "harness/trajectory/file.h"

/* The frame before. Zero at first; free() its words. */
typedef struct crossings {
    uint32_t rows, room;
    uint32_t *words; /* [1 + 2 dimensions][room]: ids, which ascend; positions; images */
    bool is_lost;    /* images are not known any more */
} crossings;

/* How far the fastest agent moves in a step, at most: 0 without agents. */
double crossings_stride(const selection *s, const dunlin_world *world);

/* What agents may move between two frames: half of the world's shortest side, less what positions are rounded by. */
double crossings_limit(const dunlin_world *world, int precision);

/* Fills in the frame's images, which are then the frame before. False: no memory. */
bool crossings_count(crossings *before, const selection *s, frame *f);

/* Takes the frame before from the file. */
dunlin_result crossings_load(crossings *before, const selection *s, const trajectory_file *file, dunlin_error *error);

#endif
