/* SPDX-License-Identifier: MIT */
/* The memory of frames. */
#ifndef DUNLIN_ENGINE_PREPARE_H
#define DUNLIN_ENGINE_PREPARE_H

#include <dunlin/dunlin.h>

/* Allocates all that frames and measurements need; returns at once if nothing has changed since the last call. */
dunlin_result dun_world_prepare(dunlin_world *world, dunlin_error *error);

#endif
