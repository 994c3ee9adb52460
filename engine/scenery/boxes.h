/* SPDX-License-Identifier: MIT */
/* Hierarchies of boxes around what is static, and the one block of memory that such a thing lies in. */
#ifndef DUNLIN_ENGINE_BOXES_H
#define DUNLIN_ENGINE_BOXES_H

#include <stddef.h>

#include "kernels/motion/obstacles.h"

/* How many boxes are around so many. */
uint32_t dun_boxes_around(uint32_t count);

/* Makes box b of a level the one around the boxes of the level below from b * FAN on. */
void dun_boxes_fit(const dun_boxes *below, const dun_boxes *boxes, int dimensions);

/* Hands out the block's words, or, where there is none yet, only counts them. */
typedef struct dun_carver {
    uint32_t *block;
    size_t used;
} dun_carver;

void *dun_carve(dun_carver *carver, size_t words);

#endif
