/* SPDX-License-Identifier: MIT */
/* Behaviours as the world, the frame and state files use them. */
#ifndef DUNLIN_ENGINE_BEHAVIOUR_H
#define DUNLIN_ENGINE_BEHAVIOUR_H

#include "engine/world/world.h"

/* Finds what this frame's behaviours aim at. `snapshot`: one per species. Call it before the tiles. */
void dun_behaviours_prepare(dunlin_world *world, const dun_agents *const snapshot[]);

/* Adds the forces of all of the species' behaviours for the agents [begin, end) to the scratch's; the first agent's to
 * force[a][0]. `next`: the species' new state, in which callbacks may rewrite attributes. Overwrites the scratch's sums. */
void dun_behaviours_act(const dunlin_world *world, const dun_agents *const snapshot[], const dun_agents *next, int species,
                        uint32_t begin, uint32_t end, dun_scratch *scratch);

#endif
