/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_ENGINE_SPECIES_H
#define DUNLIN_ENGINE_SPECIES_H

#include "engine/world/world.h"

void dun_species_free(const dunlin_world *world, dun_species *species);

/* To be called when agents have changed but the world's generation has not. */
static inline void dun_groups_forget(dunlin_world *world) {
    world->groups_known = 0;
}

static inline bool dun_target_is_group(const dunlin_target *target) {
    return target->kind >= DUNLIN_TARGET_GROUP_CENTRE;
}

static inline bool dun_aims_at_groups(const dunlin_behaviour_def *def) {
    const bool aims = def->kind <= DUNLIN_BEHAVIOUR_EVADE || def->kind == DUNLIN_BEHAVIOUR_ATTRACT;
    return aims && dun_target_is_group(&def->target);
}

#endif
