/* SPDX-License-Identifier: MIT */
/* Force: the same force on every agent, gravity for one. */
#include "engine/behaviours/type.h"

static dunlin_result check(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    return dun_check_vector(def->force, world->def.dimensions, "behaviour.force", error);
}

const dun_behaviour_type dun_force_behaviour = {.name = "force", .check = check};
