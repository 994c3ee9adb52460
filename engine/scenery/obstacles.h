/* SPDX-License-Identifier: MIT */
/* Obstacles as the frame uses them. */
#ifndef DUNLIN_ENGINE_OBSTACLES_H
#define DUNLIN_ENGINE_OBSTACLES_H

#include "engine/world/world.h"

void dun_obstacles_free(dun_obstacles *obstacles);
size_t dun_obstacles_bytes(const dun_obstacles *obstacles);

/* Sorts all obstacles into bins if they have changed. false: out of memory, and nothing has changed. */
bool dun_obstacles_prepare(dunlin_world *world);

#endif
