/* SPDX-License-Identifier: MIT */
#include "engine/behaviours/type.h"

#define ENTRY(kind, type) [kind] = &(type),
const dun_behaviour_type *const dun_behaviour_types[DUNLIN_BEHAVIOUR_COUNT] = {DUN_BEHAVIOUR_TABLE(ENTRY)};

dunlin_result dun_check_sight(const dunlin_behaviour_def *def, dunlin_error *error) {
    static const dun_range any_radius = {"behaviour.radius", (double)1e-9f, 1e9, false, "world units, to observe others"};
    return dun_check((double)def->radius, &any_radius, error);
}
