/* SPDX-License-Identifier: MIT */
/* Wander: seeking a point that moves at random on a circle ahead. */
#include <math.h>

#include "engine/base/random.h"
#include "engine/behaviours/type.h"

static void set_default(const dunlin_world *world, dunlin_behaviour_def *def) {
    (void)world;
    def->wander = (dunlin_wander){.distance = 10.0f, .radius = 5.0f, .jitter = 0.05f};
}

static dunlin_result check(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    const dun_number numbers[] = {
        {(double)def->wander.distance, {"behaviour.wander.distance", 0, 1e9, false, "world units"}},
        {(double)def->wander.radius, {"behaviour.wander.radius", (double)1e-9f, 1e9, false, "world units"}},
        {(double)def->wander.jitter, {"behaviour.wander.jitter", 0, 1, true, "directions per step"}},
    };
    (void)world;
    return dun_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
}

/* Binary64 is exact here for the first 2^29 steps, and the same on every machine after them. */
static bool prepare(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    const dunlin_world *world = f->world;
    const dunlin_wander *def = &behaviour->def.wander;
    const uint32_t number = (uint32_t)(behaviour - world->behaviours);
    const double passed = (double)def->jitter * (double)world->stats.step, whole = floor(passed);
    job->wander = (dun_behave_wander){.distance = def->distance,
                                      .radius = def->radius,
                                      .key = {(uint32_t)world->def.seed, (uint32_t)(world->def.seed >> 32)},
                                      .stream = dun_stream(DUN_DRAW_WANDER, number),
                                      .direction = (uint64_t)fmod(whole, 0x1p64),
                                      .share = (float)(passed - whole)};
    return true;
}

const dun_behaviour_type dun_wander_behaviour = {
    .name = "wander", .set_default = set_default, .check = check, .prepare = prepare, .kernel = DUN_BEHAVE_WANDER};
