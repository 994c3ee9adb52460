/* SPDX-License-Identifier: MIT */
/* What behaviours do in a frame. */
#ifndef DUNLIN_ENGINE_ACT_H
#define DUNLIN_ENGINE_ACT_H

#include "engine/world/frame.h"

/* Fills in f->acts. Call it before the tiles. */
void dun_behaviours_prepare(dun_frame *f);

/* Adds one behaviour's forces for the tile to the scratch's. `job`: f->acts[behaviour].job with the tile's arrays. */
void dun_behaviour_act(const dun_frame *f, const dun_tile *tile, int behaviour, const dun_behave *job);

#endif
