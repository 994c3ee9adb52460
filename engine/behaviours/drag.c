/* SPDX-License-Identifier: MIT */
/* Drag: a force against the velocity. */
#include "engine/behaviours/type.h"

static dunlin_result check(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    const dun_number numbers[] = {
        {(double)def->linear_drag, {"behaviour.linear_drag", 0, 1e6, false, NULL}},
        {(double)def->quadratic_drag, {"behaviour.quadratic_drag", 0, 1e6, false, NULL}},
    };
    (void)world;
    return dun_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
}

static bool prepare(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    (void)f;
    job->drag = (dun_behave_drag){behaviour->def.linear_drag, behaviour->def.quadratic_drag};
    return true;
}

const dun_behaviour_type dun_drag_behaviour = {
    .name = "drag", .pushes = true, .check = check, .prepare = prepare, .kernel = DUN_BEHAVE_DRAG};
