/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_ENGINE_SPECIES_H
#define DUNLIN_ENGINE_SPECIES_H

#include "engine/world/world.h"

/*
 * Makes the species a part of a flock of `whole_count` agents, whose cells it then has. In the next frame it owns the agents
 * [own_begin, own_end) of the snapshot. The others are only seen: they do not move, and are gone after the frame.
 */
void dun_species_set_part(dunlin_world *world, int species, uint64_t whole_count, uint32_t own_begin, uint32_t own_end);

void dun_species_free(const dunlin_world *world, dun_species *species);

/* To be called when agents have changed but the world's generation has not. */
static inline void dun_groups_forget(dunlin_world *world) {
    world->groups_known = 0;
}

static inline bool dun_target_is_group(const dunlin_target *target) {
    return target->kind >= DUNLIN_TARGET_GROUP_CENTRE;
}

static inline bool dun_aims_at_groups(const dunlin_behaviour_def *def) {
    return def->kind <= DUNLIN_BEHAVIOUR_EVADE && dun_target_is_group(&def->target);
}

#endif
