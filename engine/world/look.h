/* SPDX-License-Identifier: MIT */
/* Looks: the one list of which species observe which, and the geometry that follows from it. */
#ifndef DUNLIN_ENGINE_LOOK_H
#define DUNLIN_ENGINE_LOOK_H

#include "engine/world/world.h"

/* Lists the looks of all interactions, behaviours and meals; false: no memory. The functions below read the list. */
bool dun_looks_list(dunlin_world *world);

/* The maximum radius with which the species observes itself; 0: it does not. */
float dun_species_own_radius(const dunlin_world *world, int species);

/* The space of a world, without a radius and a number of agents. */
dun_space dun_world_space(const dunlin_world_def *def);

/* The space that a species' index covers for so many agents. More agents of an indexed species never make fewer cells. */
dun_space dun_species_space(const dunlin_world *world, int species, uint32_t agents);

/* The size of a cell if there were about one agent per cell, in an even spread. World units. */
float dun_world_spacing(const dunlin_world *world, uint64_t agents);

#endif
