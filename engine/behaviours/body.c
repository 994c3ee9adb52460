/* SPDX-License-Identifier: MIT */
/* Body: what the body of an agent's group feels, the agent feels. */
#include "engine/behaviours/type.h"
#include "engine/world/attribute.h"
#include "engine/world/groups.h"

static bool is_body_of(const dunlin_world *world, const dunlin_behaviour_def *def) {
    return world->species[def->body]->def.body_of == def->species;
}

static dunlin_result check(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    if (is_body_of(world, def)) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.body is %d: that species must have a body_of of %d", def->body,
                    def->species);
}

/* The species may have become bodies of another one since. */
static bool prepare(const dun_frame *f, const dun_behaviour *behaviour, dun_behave *job) {
    (void)job;
    return is_body_of(f->world, &behaviour->def);
}

static void find_felt(const dun_frame *f, const dun_tile *tile, const dun_behaviour *behaviour, dun_behave_others *others) {
    const dun_species *species = f->world->species[tile->species];
    const float *group = dun_attribute_column(species, f->snapshot[tile->species], DUNLIN_ROLE_GROUP);
    for (int a = 0; a < f->world->def.dimensions; a++) {
        const float *by_group = dun_groups_felt(f->world, behaviour->def.body, a);
        float *felt = tile->scratch->sums.offset[a];
        for (uint32_t i = tile->begin; i < tile->end; i++) felt[i - tile->begin] = group ? by_group[(uint32_t)group[i]] : 0.0f;
        others->offset[a] = felt;
    }
}

const dun_behaviour_type dun_body_behaviour = {.name = "body",
                                               .pushes = true,
                                               .reference = {DUN_REFERENCE(body, DUN_LIST_SPECIES)},
                                               .check = check,
                                               .prepare = prepare,
                                               .others = find_felt,
                                               .kernel = DUN_BEHAVE_GIVEN};
