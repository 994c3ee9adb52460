/* SPDX-License-Identifier: MIT */
/* Behaviours as the world, the frame and state files use them. */
#ifndef DUNLIN_ENGINE_BEHAVIOUR_H
#define DUNLIN_ENGINE_BEHAVIOUR_H

#include "engine/world/frame.h"

/* Finds what this frame's behaviours aim at, and fills in f->acts. Call it before the tiles. */
void dun_behaviours_prepare(dun_frame *f);

/* Adds one behaviour's forces for the tile to the scratch's. `job`: f->acts[behaviour].job with the tile's arrays. */
void dun_behaviour_act(const dun_frame *f, const dun_tile *tile, int behaviour, const dun_behave *job);

#endif
