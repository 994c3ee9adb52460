/* SPDX-License-Identifier: MIT */
/* Drag: a force against the velocity. */
#include "engine/behaviours/type.h"

static bool prepare_drag(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    (void)f;
    job->drag = (dun_behave_drag){behaviour->def.linear_drag, behaviour->def.quadratic_drag};
    return true;
}

const dun_behaviour_type dun_drag_behaviour = {
    .name = "drag",
    .pushes = true,
    .numbers = {DUN_NUMBER(linear_drag, 0.0f, 0, 1e6, false, NULL), DUN_NUMBER(quadratic_drag, 0.0f, 0, 1e6, false, NULL)},
    .prepare = prepare_drag,
    .kernel = DUN_BEHAVE_DRAG};
