/* SPDX-License-Identifier: MIT */
/* Force: the same force on every agent, gravity for one. */
#include "engine/behaviours/type.h"

static dunlin_result check_force(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    return dun_check_vector(def->force, world->def.dimensions, "behaviour.force", error);
}

static bool prepare_force(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    for (int a = 0; a < f->world->def.dimensions; a++) job->constant[a] = behaviour->def.force[a];
    return true;
}

const dun_behaviour_type dun_force_behaviour = {
    .name = "force", .pushes = true, .check = check_force, .prepare = prepare_force, .kernel = DUN_BEHAVE_FORCE};
