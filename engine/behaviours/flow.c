/* SPDX-License-Identifier: MIT */
/* Flow and wind: steering along a field's vectors, or being pushed by them. */
#include "engine/behaviours/type.h"
#include "engine/scenery/field.h"

#define NUMBERS .numbers = {DUN_NUMBER(flow.look_ahead, 0.0f, 0, 1e6, false, "time units")}

static dunlin_result check(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    return dun_check_position(def->flow.field, world->field_count, "behaviour.flow.field", " fields", error);
}

static bool prepare(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    const dunlin_flow *def = &behaviour->def.flow;
    job->flow = dun_field_flow(f->world, &f->world->fields[def->field]);
    job->flow.look_ahead = def->look_ahead;
    return true;
}

const dun_behaviour_type dun_flow_behaviour = {
    .name = "flow", NUMBERS, .check = check, .prepare = prepare, .kernel = DUN_BEHAVE_FLOW};

const dun_behaviour_type dun_wind_behaviour = {
    .name = "wind", .pushes = true, NUMBERS, .check = check, .prepare = prepare, .kernel = DUN_BEHAVE_WIND};
