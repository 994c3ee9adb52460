/* SPDX-License-Identifier: MIT */
/* Custom: forces, births and deaths by the caller's own function, a tile at a time. */
#include "engine/behaviours/type.h"

static dunlin_result check(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    (void)world;
    return def->custom ? DUNLIN_OK : dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.custom is NULL");
}

const dun_behaviour_type dun_custom_behaviour = {.name = "custom", .check = check};
