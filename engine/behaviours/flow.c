/* SPDX-License-Identifier: MIT */
/* Flow and wind: steering along a field's vectors, or being pushed by them. */
#include "engine/behaviours/type.h"
#include "engine/scenery/scenery.h"

#define READS_FIELD                                                                                                            \
    .numbers = {DUN_NUMBER(flow.look_ahead, 0.0f, 0, 1e6, false, "time units"),                                                \
                DUN_NUMBER(flow.look_distance, 0.0f, 0, 1e9, false, "world units")},                                           \
    .reference = {DUN_REFERENCE(flow.field, DUN_LIST_FIELDS)}

static bool prepare_flow(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    const dunlin_flow *def = &behaviour->def.flow;
    job->flow = dun_field_flow(f->world, &f->world->fields[def->field]);
    job->flow.look_ahead = (dun_ahead){def->look_distance, def->look_ahead};
    return true;
}

const dun_behaviour_type dun_flow_behaviour = {.name = "flow", READS_FIELD, .prepare = prepare_flow, .kernel = DUN_BEHAVE_FLOW};

const dun_behaviour_type dun_wind_behaviour = {
    .name = "wind", .pushes = true, READS_FIELD, .prepare = prepare_flow, .kernel = DUN_BEHAVE_WIND};
