/* SPDX-License-Identifier: MIT */
/* Pairs: forces between agents by the caller's own function, a group and its runs at a time. */
#include "engine/behaviours/type.h"

static dunlin_result check(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    static const dun_range any_radius = {"behaviour.pairs.radius", (double)1e-9f, 1e9, false, "world units"};
    const dunlin_pairs *pairs = &def->pairs;
    dunlin_result result =
        dun_check_position(pairs->observed, world->species_count, "behaviour.pairs.observed", " species", error);
    if (!result) result = dun_check((double)pairs->radius, &any_radius, error);
    if (!result && !pairs->callback) result = dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.pairs.callback is NULL");
    return result;
}

static void set_default(const dunlin_world *world, dunlin_behaviour_def *def) {
    (void)world;
    def->pairs.radius = 1.0f;
}

static dun_interaction look(const dunlin_world *world, const dunlin_behaviour_def *def) {
    (void)world;
    return (dun_interaction){.def = {.observer = def->species, .observed = def->pairs.observed},
                             .widest_radius = def->pairs.radius,
                             .first_radius = def->pairs.radius};
}

const dun_behaviour_type dun_pairs_behaviour = {.name = "pairs", .set_default = set_default, .check = check, .look = look};
