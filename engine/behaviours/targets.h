/* SPDX-License-Identifier: MIT */
/* Targets: what seek, flee, arrive, pursue and evade steer by, and what attracts. */
#ifndef DUNLIN_ENGINE_TARGETS_H
#define DUNLIN_ENGINE_TARGETS_H

#include "engine/world/world.h"

/* Whether the target is a moving place. The place follows from def.target.position, `since` and the time. */
bool dun_target_moves(const dunlin_world *world, const dun_behaviour *behaviour);

/* Where a target that is a place is now. The place follows from the time alone, so that a loaded state finds it again. */
void dun_target_place(const dunlin_world *world, const dun_behaviour *behaviour, float position[3]);

/* Whether this definition leaves the behaviour's moving target where it is. */
bool dun_target_goes_on(const dunlin_world *world, const dun_behaviour *behaviour, const dunlin_target *target);

/* Restarts moving targets from their present places. Call it before the world's shape changes. */
void dun_targets_rebase(dunlin_world *world);

#endif
