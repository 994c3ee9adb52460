/* SPDX-License-Identifier: MIT */
/* View: moving aside until no neighbour ahead blocks the view. */
#include "engine/behaviours/type.h"
#include "engine/world/interaction.h"

static dun_interaction look(const dunlin_world *world, const dunlin_behaviour_def *def) {
    dunlin_interaction_def look = dunlin_interaction_def_default();
    look.observer = def->species;
    look.observed = def->view.observed;
    look.rules[DUNLIN_RULE_COHESION].radius = def->radius;
    look.rules[DUNLIN_RULE_COHESION].view = def->view.angle;
    return dun_interaction_of(world, &look);
}

const dun_behaviour_type dun_view_behaviour = {
    .name = "view",
    .numbers = {DUN_NUMBER(view.angle, 0.785398163f, 0, (double)3.14159274f, true, "radians")},
    .reference = {DUN_REFERENCE(view.observed, DUN_LIST_SPECIES)},
    .look = look,
    .kernel = DUN_BEHAVE_VIEW};
