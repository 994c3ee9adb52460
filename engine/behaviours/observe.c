/* SPDX-License-Identifier: MIT */
/* What a behaviour observes if its force follows from other agents. */
#include "engine/behaviours/type.h"
#include "engine/world/interaction.h"

dun_interaction dun_behaviour_observe(const dunlin_world *world, const dunlin_behaviour_def *def, int observed, bool nearest) {
    dunlin_interaction_def look = dunlin_interaction_def_default();
    look.observer = def->species;
    look.observed = observed;
    look.nearest = nearest;
    look.sight_blocked = def->sight_blocked;
    look.rules[DUNLIN_RULE_ALIGNMENT].radius = look.rules[DUNLIN_RULE_COHESION].radius = def->radius;
    dun_interaction made = dun_interaction_of(world, &look);
    made.look.searches = nearest;
    if (nearest) made.sums_over = DUN_SUMS_NEAREST;
    return made;
}
