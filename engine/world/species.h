/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_ENGINE_SPECIES_H
#define DUNLIN_ENGINE_SPECIES_H

#include "engine/world/world.h"

/* Checks that the world has that species. */
dunlin_result dun_species_check(const dunlin_world *world, int species, dunlin_error *error);

/*
 * Makes the species a part of a flock of `whole_count` agents, whose cells it then has. In the next frame it owns the agents
 * [own_begin, own_end) of the snapshot. The others are only seen: they do not move, and are gone after the frame.
 */
void dun_species_set_part(dunlin_world *world, int species, uint64_t whole_count, uint32_t own_begin, uint32_t own_end);

void dun_species_free(const dunlin_world *world, dun_species *species);

#endif
