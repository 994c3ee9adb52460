/* SPDX-License-Identifier: MIT */
/* All agents of a species as the camera sees them, in columns: a film sees a million of them in every frame. */
#ifndef DUNLIN_HARNESS_PICTURE_SIGHTS_H
#define DUNLIN_HARNESS_PICTURE_SIGHTS_H

#include "harness/picture/camera.h"

#include <stdbool.h>
#include <stddef.h>

/* Memory that is kept from one picture to the next, so that the pictures of a film do not fetch it again from the system. */
typedef struct block {
    void *bytes; /* aligned to BLOCK_ALIGNMENT */
    size_t size;
} block;

enum { BLOCK_ALIGNMENT = 64 };

/* At least `size` bytes with unspecified contents; NULL: memory has run out, and the block is empty. */
void *block_need(block *b, size_t size);
void block_free(block *b);

/* As many threads as that many agents are worth: sharing a loop out may take longer than a short loop. */
static inline int picture_threads_for(uint32_t agents, int threads) {
    const uint32_t per_thread = 10000, worth = agents / per_thread + 1;
    return worth < (uint32_t)threads ? (int)worth : threads;
}

typedef struct picture_sights {
    uint32_t count;
    float *x, *y;                 /* pixels, y down */
    float *heading_x, *heading_y; /* direction in the picture, y up; of length 0 at rest, <= 1 in 3D */
    float *depth;                 /* 0 nearest .. 1 farthest; NULL in 2D */
    uint32_t *slot;               /* of the view; NULL: the index */
    float *weight;                /* agents that one counts for; NULL: 1 each */
} picture_sights;

/* Columns for `count` of them in that memory; weighted ones have slots and weights. false: memory has run out. */
bool picture_sights_make(picture_sights *seen, block *memory, const picture_camera *camera, uint32_t count, bool is_weighted);

/* Fills them, by slot. */
void picture_sights_see(picture_sights *seen, const picture_camera *camera, const dunlin_view *view, int threads);

static inline sighting picture_sights_at(const picture_sights *seen, uint32_t i) {
    return (sighting){.x = seen->x[i],
                      .y = seen->y[i],
                      .heading_x = seen->heading_x[i],
                      .heading_y = seen->heading_y[i],
                      .depth = seen->depth ? seen->depth[i] : 0.0f,
                      .slot = seen->slot ? seen->slot[i] : i};
}

#endif
