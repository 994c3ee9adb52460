/* SPDX-License-Identifier: MIT */
/* The table of a species' groups: its memory, and which of its rows an agent knows. */
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/names.h"
#include "engine/groups/sums.h"
#include "engine/world/agree.h"
#include "engine/world/attribute.h"
#include "engine/world/memory.h"

/* The table itself comes first. */
static void carve(struct dun_group_table *t, int dimensions, dun_carver *carver) {
    const size_t tables = (size_t)t->workers * t->count;
    dun_carve(carver, (sizeof *t + DUN_CACHE_LINE - 1) / DUN_CACHE_LINE * (DUN_CACHE_LINE / sizeof *carver->block));
    t->sums = dun_carve(carver, tables * sizeof *t->sums / 4); /* then, with the next four: 64-bit numbers */
    if (t->ranks > 1) {
        const uint32_t all = t->count + 3 * (uint32_t)dimensions;
        t->shared = dun_carve(carver, 2 * (size_t)all);
        t->spare = dun_carve(carver, 2 * dun_max_spare(t->ranks, all));
        t->places = dun_carve(carver, 2 * (size_t)dimensions * t->count); /* the turns follow: one sum over ranks is for both */
    }
    t->turns = dun_carve(carver, tables * sizeof *t->turns / 4);
    t->leads = dun_carve(carver, tables * sizeof *t->leads / 4);
    t->extents = dun_carve(carver, t->workers * sizeof *t->extents / 4);
    t->agents = dun_carve(carver, t->count);
    t->leader = dun_carve(carver, t->count);
    t->there = dun_carve(carver, t->count);
    t->body = dun_carve(carver, t->count);
    t->spread = dun_carve(carver, t->count);
    t->polarization = dun_carve(carver, t->count);
    for (int a = 0; a < dimensions; a++) {
        t->centre[a] = dun_carve(carver, t->count);
        t->velocity[a] = dun_carve(carver, t->count);
        t->leader_place[a] = dun_carve(carver, t->count);
        t->leader_velocity[a] = dun_carve(carver, t->count);
        t->reference[a] = dun_carve(carver, t->count);
        t->felt[a] = dun_carve(carver, (size_t)t->kinds * t->count);
    }
}

/* How many of the first species are bodies of this one. */
static uint32_t count_kinds(const dunlin_world *world, const dun_species *of, int first) {
    uint32_t kinds = 0;
    for (int s = 0; s < first; s++) {
        const int body_of = world->species[s]->def.body_of;
        kinds += body_of >= 0 && world->species[body_of] == of;
    }
    return kinds;
}

float *dun_groups_felt(const dunlin_world *world, int bodies, int axis) {
    const dun_species *of = world->species[world->species[bodies]->def.body_of];
    return of->groups->felt[axis] + (size_t)count_kinds(world, of, bodies) * of->groups->count;
}

bool dun_groups_reserve(const dunlin_world *world, dun_species *species) {
    const struct dun_group_table *t = species->groups;
    const uint32_t count = (uint32_t)species->def.groups, workers = (uint32_t)world->def.threads;
    const uint32_t ranks = world->transport ? world->transport->ranks : 1; /* a gathered flock keeps room for its ranks */
    const uint32_t kinds = count_kinds(world, species, world->species_count);
    if (t && t->count == count && t->workers == workers && t->ranks >= ranks && t->kinds == kinds) return true;
    if ((uint64_t)workers * count > SIZE_MAX / (2 * sizeof *t->sums)) return false; /* where size_t has 32 bits */
    struct dun_group_table made = {.count = count, .workers = workers, .ranks = ranks, .kinds = kinds};
    dun_carver carver = {0};
    carve(&made, world->def.dimensions, &carver);
    const size_t words = carver.used;
    carver = (dun_carver){.block = dun_array(world->heap, words)};
    if (!carver.block) return false;
    carve(&made, world->def.dimensions, &carver);
    memcpy(carver.block, &made, sizeof made);
    dun_free(species->groups);
    species->groups = (void *)carver.block;
    return true;
}

/* ---- numbers of groups ------------------------------------------------------------------------------------------------ */

static dunlin_role own_role(const dunlin_world *world, int species, int of) {
    return world->species[species]->def.body_of == of ? DUNLIN_ROLE_BODY : DUNLIN_ROLE_GROUP;
}

const float *dun_groups_own(const dunlin_world *world, int species, const dun_agents *agents, int of) {
    return dun_attribute_column(world->species[species], agents, own_role(world, species, of));
}

dunlin_result dun_groups_check(const dunlin_world *world, int species, int of, dunlin_error *error) {
    const dunlin_role role = own_role(world, species, of);
    if (dun_attribute_of_role(world->species[species], role) >= 0) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "species %d, '%.60s', has no attribute of role %s", species,
                    world->species[species]->name, dun_names_of_role.words[role]);
}
