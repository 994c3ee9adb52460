/* SPDX-License-Identifier: MIT */
/* Avoid: steering around obstacles ahead. */
#include "engine/behaviours/type.h"

static void set_default(const dunlin_world *world, dunlin_behaviour_def *def) {
    (void)world;
    def->avoid.look_ahead = 10.0f;
}

static dunlin_result check(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    const dun_number numbers[] = {
        {(double)def->avoid.look_ahead, {"behaviour.avoid.look_ahead", 0, 1e6, false, "time units"}},
        {(double)def->avoid.agent_radius, {"behaviour.avoid.agent_radius", 0, 1e9, false, "world units"}},
    };
    (void)world;
    return dun_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
}

static bool prepare(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    const dunlin_avoid *def = &behaviour->def.avoid;
    job->avoid = (dun_behave_avoid){&f->world->obstacles.bins, def->look_ahead, def->agent_radius};
    return f->world->obstacles.count > 0;
}

const dun_behaviour_type dun_avoid_behaviour = {
    .name = "avoid", .set_default = set_default, .check = check, .prepare = prepare, .kernel = DUN_BEHAVE_AVOID};
