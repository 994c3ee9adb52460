/* SPDX-License-Identifier: MIT */
/* Wander: seeking a point that moves at random on a circle ahead. */
#include <math.h>

#include "engine/base/random.h"
#include "engine/behaviours/type.h"

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
    .name = "wander",
    .numbers = {DUN_NUMBER(wander.distance, 10.0f, 0, 1e9, false, "world units"),
                DUN_NUMBER(wander.radius, 5.0f, (double)1e-9f, 1e9, false, "world units"),
                DUN_NUMBER(wander.jitter, 0.05f, 0, 1, true, "directions per step")},
    .prepare = prepare,
    .kernel = DUN_BEHAVE_WANDER};
