/* SPDX-License-Identifier: MIT */
/* Hierarchies of boxes around things that do not move, and the one block of memory that such a hierarchy lies in. */
#ifndef DUNLIN_ENGINE_BOXES_H
#define DUNLIN_ENGINE_BOXES_H

#include <stddef.h>

#include "kernels/contract/obstacles.h"

/* How many boxes of the next level hold so many boxes. */
uint32_t dun_boxes_around(uint32_t count);

/* Fits each box b of a level around the boxes of the level below from b * DUN_BOX_FAN on. */
void dun_boxes_fit(const dun_boxes *below, const dun_boxes *boxes, int dimensions);

/* Hands out the words of a block. Without a block it only counts them. */
typedef struct dun_carver {
    uint32_t *block;
    size_t used;
} dun_carver;

void *dun_carve(dun_carver *carver, size_t words);

#endif
