/* SPDX-License-Identifier: MIT */
/* Before frames and measurements: what they need is there, and so is their memory. */
#ifndef DUNLIN_ENGINE_PREPARE_H
#define DUNLIN_ENGINE_PREPARE_H

#include "engine/world/frame.h"

/* Whether attributes are there that interactions, bodies and behaviours need: they may be added later than these. */
dunlin_result dun_world_check(const dunlin_world *world, dunlin_error *error);

/* Allocates all that frames and measurements need; returns at once if nothing has changed since the last call. */
dunlin_result dun_world_prepare(dunlin_world *world, dunlin_error *error);

/* Makes the workers' scratch, empty; false: no memory. */
bool dun_frame_memory_create(dunlin_world *world);

#endif
