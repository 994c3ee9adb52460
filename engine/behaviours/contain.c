/* SPDX-License-Identifier: MIT */
/* Contain: turning away from walls. */
#include <math.h>

#include "engine/behaviours/type.h"

static void set_contain_default(const dunlin_world *world, dunlin_behaviour_def *def) {
    for (int a = 0; a < world->def.dimensions; a++) def->contain.max[a] = world->def.size[a];
}

static dunlin_result check_walls(const dunlin_contain *contain, int axis, dunlin_error *error) {
    const dun_limits any_margin = {"behaviour.contain.margin", 0, 1e9, false, "(or below 0: no walls)"};
    const dun_limits above_min = {"behaviour.contain.max", (double)contain->min[axis], 1e9, true, "(behaviour.contain.min)"};
    if (contain->margin[axis] < 0.0f) return DUNLIN_OK;
    const dunlin_result result = dun_check_axis((double)contain->margin[axis], axis, &any_margin, error);
    return result ? result : dun_check_axis((double)contain->max[axis], axis, &above_min, error);
}

static dunlin_result check_contain(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    const dunlin_contain *contain = &def->contain;
    const int dimensions = world->def.dimensions;
    dunlin_result result = dun_check_choice((int)contain->corner, "behaviour.contain.corner", &dun_names_of_corner, error);
    if (!result) result = dun_check_vector(contain->min, dimensions, "behaviour.contain.min", error);
    if (!result) result = dun_check_vector(contain->max, dimensions, "behaviour.contain.max", error);
    for (int a = 0; a < dimensions && !result; a++) result = check_walls(contain, a, error);
    return result;
}

static bool prepare_contain(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    const dunlin_contain *def = &behaviour->def.contain;
    job->contain = (dun_behave_contain){.last = def->corner == DUNLIN_CORNER_LAST};
    for (int a = 0; a < f->world->def.dimensions; a++) {
        const bool walled = def->margin[a] >= 0.0f;
        job->contain.min[a] = walled ? def->min[a] + def->margin[a] : -INFINITY;
        job->contain.max[a] = walled ? def->max[a] - def->margin[a] : INFINITY;
    }
    return true;
}

const dun_behaviour_type dun_contain_behaviour = {.name = "contain",
                                                  .set_default = set_contain_default,
                                                  .check = check_contain,
                                                  .prepare = prepare_contain,
                                                  .kernel = DUN_BEHAVE_CONTAIN};
