/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_ENGINE_DEFINITION_H
#define DUNLIN_ENGINE_DEFINITION_H

#include "engine/world/world.h"

/* Find a kernel or an index by name. On failure the message lists the names that are allowed. */
dunlin_result dun_choose_kernel(const char *name, const dun_kernel **kernel, dunlin_error *error);
dunlin_result dun_choose_index(const char *name, const dun_index_type **index, dunlin_error *error);

dunlin_result dun_world_check(const dunlin_world_def *def, dunlin_error *error);

/* Checks that the definition leaves what a world cannot change. "auto" and 0 stand for what the world has. */
dunlin_result dun_world_check_kept(const dunlin_world *world, const dunlin_world_def *def, dunlin_error *error);

#endif
