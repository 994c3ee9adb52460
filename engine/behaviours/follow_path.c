/* SPDX-License-Identifier: MIT */
/* Follow path: staying near a polyline. */
#include "engine/behaviours/type.h"

static void set_default(const dunlin_world *world, dunlin_behaviour_def *def) {
    (void)world;
    def->follow.prediction = (dunlin_ahead){.distance = 25.0f, .time = 10.0f};
    def->follow.ahead = (dunlin_ahead){.distance = 10.0f, .time = 10.0f};
}

/* `fields`: the names of kind, distance and time. */
static dunlin_result check_ahead(const dunlin_ahead *ahead, const char *const fields[3], dunlin_error *error) {
    const dunlin_result result = dun_check_choice((int)ahead->kind, fields[0], &dun_names_of_ahead, error);
    if (result) return result;
    if (ahead->kind == DUNLIN_AHEAD_FIXED)
        return dun_check((double)ahead->distance, &(dun_limits){fields[1], 0, 1e9, false, "world units"}, error);
    return dun_check((double)ahead->time, &(dun_limits){fields[2], 0, 1e6, false, "time units"}, error);
}

static dunlin_result check(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    static const char *const prediction[] = {"behaviour.follow.prediction.kind", "behaviour.follow.prediction.distance",
                                             "behaviour.follow.prediction.time"};
    static const char *const ahead[] = {"behaviour.follow.ahead.kind", "behaviour.follow.ahead.distance",
                                        "behaviour.follow.ahead.time"};
    const dunlin_follow *follow = &def->follow;
    (void)world;
    dunlin_result result = check_ahead(&follow->prediction, prediction, error);
    if (!result) result = check_ahead(&follow->ahead, ahead, error);
    return result
               ? result
               : dun_check_choice((int)follow->off_segment, "behaviour.follow.off_segment", &dun_names_of_off_segment, error);
}

static bool prepare(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    const dunlin_follow *def = &behaviour->def.follow;
    const dun_path *path = &f->world->paths[def->path];
    const bool predicts_by_speed = def->prediction.kind == DUNLIN_AHEAD_BY_SPEED;
    const bool ahead_by_speed = def->ahead.kind == DUNLIN_AHEAD_BY_SPEED;
    job->path = (dun_behave_path){.line = &path->line,
                                  .off = (dun_path_off)def->off_segment,
                                  .radius2 = def->radius * def->radius,
                                  .predicts_by_speed = predicts_by_speed,
                                  .ahead_by_speed = ahead_by_speed,
                                  .prediction = predicts_by_speed ? def->prediction.time : def->prediction.distance,
                                  .ahead = ahead_by_speed ? def->ahead.time : def->ahead.distance};
    return f->memory->path_is_whole[def->path];
}

const dun_behaviour_type dun_follow_path_behaviour = {
    .name = "follow_path",
    .numbers = {DUN_NUMBER(follow.radius, 10.0f, 0, 1e9, false, "world units")},
    .reference = {DUN_REFERENCE(follow.path, DUN_LIST_PATHS)},
    .set_default = set_default,
    .check = check,
    .prepare = prepare,
    .kernel = DUN_BEHAVE_PATH};
