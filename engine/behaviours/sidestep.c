/* SPDX-License-Identifier: MIT */
/* View: moving aside until no neighbour ahead blocks the view. */
#include "engine/behaviours/type.h"
#include "engine/world/interaction.h"

static dun_interaction look_sidestep(const dunlin_world *world, const dunlin_behaviour_def *def) {
    dunlin_interaction_def look = dunlin_interaction_def_default();
    look.observer = def->species;
    look.observed = def->sidestep.observed;
    look.sight_blocked = def->sight_blocked;
    look.rules[DUNLIN_RULE_COHESION].radius = def->radius;
    look.rules[DUNLIN_RULE_COHESION].half_angle = def->sidestep.half_angle;
    return dun_interaction_of(world, &look);
}

const dun_behaviour_type dun_sidestep_behaviour = {
    .name = "sidestep",
    .radius = 10.0f,
    .numbers = {DUN_NUMBER(sidestep.half_angle, 0.785398163f, 0, (double)3.14159274f, true, "radians")},
    .reference = {DUN_REFERENCE(sidestep.observed, DUN_LIST_SPECIES)},
    .look = look_sidestep,
    .kernel = DUN_BEHAVE_SIDESTEP};
