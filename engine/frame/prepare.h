/* SPDX-License-Identifier: MIT */
/* The memory of frames. */
#ifndef DUNLIN_ENGINE_PREPARE_H
#define DUNLIN_ENGINE_PREPARE_H

#include "engine/world/world.h"

/* Allocates all that frames and measurements need; returns at once if nothing has changed since the last call. */
dunlin_result dun_world_prepare(dunlin_world *world, dunlin_error *error);

/* Makes the workers' scratch, empty; false: no memory. */
bool dun_frame_memory_create(dunlin_world *world);
void dun_frame_memory_free(dunlin_world *world);
size_t dun_frame_memory_bytes(const dunlin_world *world);

#endif
