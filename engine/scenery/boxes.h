/* SPDX-License-Identifier: MIT */
/* Hierarchies of boxes around things that do not move. */
#ifndef DUNLIN_ENGINE_BOXES_H
#define DUNLIN_ENGINE_BOXES_H

#include "engine/world/memory.h"
#include "kernels/contract/obstacles.h"

/* Adds levels above `count` boxes or other things, until one has at most DUN_BOX_FAN boxes. Returns how many there are then. */
int dun_boxes_stack(dun_boxes boxes[], int levels, uint32_t count);

void dun_boxes_carve(dun_boxes boxes[], int levels, int dimensions, dun_carver *carver);

/* Fits the boxes of all levels above the first, each around the DUN_BOX_FAN boxes below it. */
void dun_boxes_fit(const dun_boxes boxes[], int levels, int dimensions);

#endif
