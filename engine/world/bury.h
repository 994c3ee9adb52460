/* SPDX-License-Identifier: MIT */
/* Removing agents. */
#ifndef DUNLIN_ENGINE_BURY_H
#define DUNLIN_ENGINE_BURY_H

#include "engine/world/world.h"

/* Makes room for `agents` flags, at most the species' room; false: no memory. */
bool dun_life_reserve(dun_heap *heap, dun_species *species, uint32_t agents);

/* Removes the agents that are flagged, `deaths` of them. */
void dun_bury(dunlin_world *world, dun_species *species, uint32_t deaths);

#endif
