/* SPDX-License-Identifier: MIT */
/* Body: what the body of an agent's group feels, the agent feels. */
#include "engine/behaviours/type.h"
#include "engine/groups/groups.h"

static dunlin_result check_body_behaviour(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    if (world->species[def->body]->def.body_of == def->species) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.body is %d: set it to a species with a body_of of %d", def->body,
                    def->species);
}

static dunlin_result check_body_attribute(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    return dun_groups_check(world, def->species, def->species, error);
}

static bool prepare_body(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    job->groups.last = (float)(f->world->species[behaviour->def.species]->groups->count - 1);
    for (int a = 0; a < f->world->def.dimensions; a++) job->groups.force[a] = dun_groups_felt(f->world, behaviour->def.body, a);
    return true;
}

static void find_groups(const dun_frame *f, const dun_tile *tile, const dun_behaviour *behaviour, dun_behave_others *others) {
    others->group = dun_groups_own(f->world, tile->species, f->snapshot[tile->species], behaviour->def.species) + tile->begin;
}

const dun_behaviour_type dun_body_behaviour = {.name = "body",
                                               .pushes = true,
                                               .reference = {DUN_REFERENCE(body, DUN_LIST_SPECIES)},
                                               .check = check_body_behaviour,
                                               .check_step = check_body_attribute,
                                               .prepare = prepare_body,
                                               .others = find_groups,
                                               .kernel = DUN_BEHAVE_GIVEN};
