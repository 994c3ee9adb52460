/* SPDX-License-Identifier: MIT */
/* Behaviours as the world, the frame and state files use them. */
#ifndef DUNLIN_ENGINE_BEHAVIOUR_H
#define DUNLIN_ENGINE_BEHAVIOUR_H

#include "engine/world/world.h"

/* Whether the target is a moving place. The place follows from def.target.position, `since` and the time. */
bool dun_target_moves(const dunlin_world *world, const dun_behaviour *behaviour);

/* Restarts moving targets from their present places. Call it before the world's shape changes. */
void dun_targets_rebase(dunlin_world *world);

/* Finds what this frame's behaviours aim at. `snapshot`: one per species. Call it before the tiles. */
void dun_behaviours_prepare(dunlin_world *world, const dun_agents *const snapshot[]);

/* Adds the forces of all of the species' behaviours for the agents [begin, end) to the scratch's; the first agent's to
 * force[a][0]. `next`: the species' new state, in which callbacks may rewrite attributes. Overwrites the scratch's sums. */
void dun_behaviours_act(const dunlin_world *world, const dun_agents *const snapshot[], const dun_agents *next, int species,
                        uint32_t begin, uint32_t end, dun_scratch *scratch);

#endif
