/* SPDX-License-Identifier: MIT */
/* Wander: seeking a point that moves at random on a circle ahead. */
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

const dun_behaviour_type dun_wander_behaviour = {.name = "wander", .set_default = set_default, .check = check};
