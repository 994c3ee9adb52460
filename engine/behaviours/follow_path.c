/* SPDX-License-Identifier: MIT */
/* Follow path: staying near a polyline. */
#include "engine/behaviours/type.h"

static dunlin_result check_follow_path(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    (void)world;
    return dun_check_choice((int)def->follow.off_segment, "behaviour.follow.off_segment", &dun_names_of_off_segment, error);
}

static bool prepare_follow_path(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    const dunlin_follow *def = &behaviour->def.follow;
    const dun_path *path = &f->world->paths[def->path];
    job->path = (dun_behave_path){.line = &path->line,
                                  .off = (dun_path_off)def->off_segment,
                                  .radius2 = def->radius * def->radius,
                                  .prediction = {def->prediction.distance, def->prediction.time},
                                  .ahead = {def->ahead.distance, def->ahead.time},
                                  .ahead_share = def->ahead_share};
    return f->memory->path_is_whole[def->path];
}

const dun_behaviour_type dun_follow_path_behaviour = {
    .name = "follow_path",
    .numbers = {DUN_NUMBER(follow.radius, 10.0f, 0, 1e9, false, "world units"),
                DUN_NUMBER(follow.prediction.distance, 25.0f, 0, 1e9, false, "world units"),
                DUN_NUMBER(follow.prediction.time, 0.0f, 0, 1e6, false, "time units"),
                DUN_NUMBER(follow.ahead.distance, 10.0f, 0, 1e9, false, "world units"),
                DUN_NUMBER(follow.ahead.time, 0.0f, 0, 1e6, false, "time units"),
                DUN_NUMBER(follow.ahead_share, 0.0f, 0, 1e6, false, NULL)},
    .reference = {DUN_REFERENCE(follow.path, DUN_LIST_PATHS)},
    .check = check_follow_path,
    .prepare = prepare_follow_path,
    .kernel = DUN_BEHAVE_PATH};
