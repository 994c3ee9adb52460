/* SPDX-License-Identifier: MIT */
/* Avoid: steering around obstacles ahead. */
#include "engine/behaviours/type.h"

static bool prepare_avoid(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    const dunlin_avoid *def = &behaviour->def.avoid;
    job->avoid = (dun_behave_avoid){&f->world->obstacles.bins, {def->look_distance, def->look_ahead}, def->agent_radius};
    return f->world->obstacles.count > 0;
}

const dun_behaviour_type dun_avoid_behaviour = {.name = "avoid",
                                                .numbers = {DUN_NUMBER(avoid.look_ahead, 10.0f, 0, 1e6, false, "time units"),
                                                            DUN_NUMBER(avoid.look_distance, 0.0f, 0, 1e9, false, "world units"),
                                                            DUN_NUMBER(avoid.agent_radius, 0.0f, 0, 1e9, false, "world units")},
                                                .prepare = prepare_avoid,
                                                .kernel = DUN_BEHAVE_AVOID};
