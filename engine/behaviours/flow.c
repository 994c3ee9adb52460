/* SPDX-License-Identifier: MIT */
/* Flow and wind: steering along a field's vectors, or being pushed by them. */
#include "engine/behaviours/type.h"
#include "engine/scenery/field.h"

static dunlin_result check(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    static const dun_range any_time = {"behaviour.flow.look_ahead", 0, 1e6, false, "time units"};
    const dunlin_result result =
        dun_check_position(def->flow.field, world->field_count, "behaviour.flow.field", " fields", error);
    return result ? result : dun_check((double)def->flow.look_ahead, &any_time, error);
}

static bool prepare(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    const dunlin_flow *def = &behaviour->def.flow;
    job->flow = dun_field_flow(f->world, &f->world->fields[def->field]);
    job->flow.look_ahead = def->look_ahead;
    return true;
}

const dun_behaviour_type dun_flow_behaviour = {.name = "flow", .check = check, .prepare = prepare, .kernel = DUN_BEHAVE_FLOW};

const dun_behaviour_type dun_wind_behaviour = {
    .name = "wind", .pushes = true, .check = check, .prepare = prepare, .kernel = DUN_BEHAVE_WIND};
