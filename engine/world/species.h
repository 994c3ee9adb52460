/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_ENGINE_SPECIES_H
#define DUNLIN_ENGINE_SPECIES_H

#include "engine/world/world.h"

/* Checks that the world has that species. */
dunlin_result dun_species_check(const dunlin_world *world, int species, dunlin_error *error);

void dun_species_free(const dunlin_world *world, dun_species *species);

size_t dun_species_bytes(const dunlin_world *world, const dun_species *species);

#endif
