/* SPDX-License-Identifier: MIT */
/* Wander: seeking a point that takes a random walk on a circle or sphere ahead. */
#include <math.h>

#include "engine/base/random.h"
#include "engine/behaviours/type.h"

static const double pi = 3.14159265358979323846;

/*
 * The rate at which blocks pass, per step. The walk has a variance of angle_change²/3 per step. In a block, in 2D, it has one
 * of 1/6 turn². In 3D the vector has components of variance 1/3 at both ends, of their difference 2/3, and so on all the way
 * between; divided by its squared length, three times that. At the maximum angle_change nothing is left of a place after a
 * step.
 */
static float rate_of(float angle_change, int dimensions) {
    const double change2 = (double)angle_change * (double)angle_change;
    if ((double)angle_change >= pi) return 1.0f;
    return (float)fmin(dimensions == 3 ? change2 / 6 : change2 / (2 * pi * pi), 1);
}

static uint64_t whole_number(double a) {
    return (uint64_t)fmod(floor(a), 0x1p64);
}

/* Divides until parts are at most as long as a step. A random byte has a variance of (256² - 1)/12. In the middle of a stretch,
 * a walk that must end where it does has a quarter of the variance of one that is free. */
static void divide_stretch(double passed, float rate, uint32_t number, int dimensions, dun_behave_wander *job) {
    const double parts = dimensions == 3 ? 4 : 16, variance = dimensions == 3 ? 2.0 / 3 : 1.0 / 6;
    double in_block = 1;
    for (job->levels = 0; job->levels < DUN_WANDER_LEVELS && (double)rate * in_block < 1; job->levels++) {
        const double at = passed * in_block;
        job->level[job->levels] =
            (dun_wander_level){.stretch = whole_number(at),
                               .stream = dun_stream((dun_purpose)(DUN_DRAW_WANDER_PART + job->levels), number),
                               .part = (uint32_t)floor((at - floor(at)) * parts),
                               .scale = (float)sqrt(variance / 4 / in_block * 12 / 65535)};
        in_block *= parts;
    }
    job->share = (float)(passed * in_block - floor(passed * in_block));
}

/* Binary64 is exact here for the first 2^29 steps, and the same on every machine after them. */
static bool prepare_wander(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    const dunlin_world *world = f->world;
    const dunlin_wander *def = &behaviour->def.wander;
    const uint32_t number = (uint32_t)(behaviour - world->behaviours);
    const float rate = rate_of(def->angle_change, world->def.dimensions);
    const double passed = (double)rate * (double)world->stats.step;
    job->wander = (dun_behave_wander){.distance = def->distance,
                                      .radius = def->radius,
                                      .key = {(uint32_t)world->def.seed, (uint32_t)(world->def.seed >> 32)},
                                      .stream = dun_stream(DUN_DRAW_WANDER, number),
                                      .block = whole_number(passed)};
    divide_stretch(passed, rate, number, world->def.dimensions, &job->wander);
    return true;
}

const dun_behaviour_type dun_wander_behaviour = {
    .name = "wander",
    .numbers = {DUN_NUMBER(wander.distance, 80.0f, 0, 1e9, false, "world units"),
                DUN_NUMBER(wander.radius, 25.0f, (double)1e-9f, 1e9, false, "world units"),
                DUN_NUMBER(wander.angle_change, 0.300196631f, 0, (double)3.14159274f, false, "radians")},
    .prepare = prepare_wander,
    .kernel = DUN_BEHAVE_WANDER};
