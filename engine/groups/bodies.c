/* SPDX-License-Identifier: MIT */
/* Bodies: each group with agents has one where a species stands for its groups. */
#include "engine/base/check.h"
#include "engine/groups/groups.h"
#include "engine/world/agents.h"
#include "engine/world/attribute.h"
#include "engine/world/bury.h"
#include "engine/world/ids.h"

#define NO_BODY UINT32_MAX

bool dun_has_bodies(const dunlin_world *world) {
    for (int s = 0; s < world->species_count; s++)
        if (world->species[s]->def.body_of >= 0) return true;
    return false;
}

/* ---- which group has which body --------------------------------------------------------------------------------------- */

/* Of several bodies of a group only the one with the minimum id stays. Returns how many do not. */
static uint32_t find_bodies(const dunlin_world *world, dun_species *bodies, const float *stands_for) {
    struct dun_group_table *t = world->species[bodies->def.body_of]->groups;
    const uint32_t *id = bodies->buffer[bodies->current].id;
    uint32_t kept = 0;
    for (uint32_t g = 0; g < t->count; g++) t->body[g] = NO_BODY;
    for (uint32_t i = 0; i < bodies->count; i++) {
        const uint32_t g = (uint32_t)stands_for[i];
        if (g >= t->count || t->agents[g] == 0) continue;
        kept += t->body[g] == NO_BODY;
        if (t->body[g] == NO_BODY || id[i] < id[t->body[g]]) t->body[g] = i;
    }
    return bodies->count - kept;
}

static uint32_t count_missing(const struct dun_group_table *t) {
    uint32_t missing = 0;
    for (uint32_t g = 0; g < t->count; g++) missing += t->agents[g] > 0 && t->body[g] == NO_BODY;
    return missing;
}

/* ---- births and deaths ------------------------------------------------------------------------------------------------ */

static dunlin_result make_body_room(dunlin_world *world, int number, uint32_t births, uint32_t deaths, dunlin_error *error) {
    dun_species *bodies = world->species[number];
    dunlin_result result = dun_ids_check(world, births, error);
    if (!result) result = dun_species_check_room(world, number, births, error);
    if (!result && births) result = dun_species_make_room(world, number, (uint64_t)bodies->count + births, false, error);
    if (!result && deaths && !dun_life_reserve(world->heap, bodies, bodies->room)) result = dun_fail_memory(error, "bodies");
    return result;
}

static void bury_others(dunlin_world *world, int number, const float *stands_for, uint32_t deaths) {
    dun_species *bodies = world->species[number];
    const struct dun_group_table *t = world->species[bodies->def.body_of]->groups;
    for (uint32_t i = 0; i < bodies->count; i++) {
        const uint32_t g = (uint32_t)stands_for[i];
        bodies->dies[i] = g >= t->count || t->body[g] != i;
    }
    dun_bury(world, bodies, deaths);
}

static void bear(dunlin_world *world, int number, int attribute) {
    const struct dun_group_table *t = world->species[world->species[number]->def.body_of]->groups;
    for (uint32_t g = 0; g < t->count; g++) {
        if (t->agents[g] == 0 || t->body[g] != NO_BODY) continue;
        const float stands_for = (float)g;
        dunlin_batch one = {.count = 1};
        for (int a = 0; a < world->def.dimensions; a++) {
            one.position[a] = &t->centre[a][g];
            one.velocity[a] = &t->velocity[a][g];
        }
        one.attribute[attribute] = &stands_for;
        dun_species_append(world, number, &one);
    }
}

/* ---- places ----------------------------------------------------------------------------------------------------------- */

/* A mean may be an ulp outside. */
static void place_bodies(const dunlin_world *world, dun_species *bodies, const float *stands_for) {
    const struct dun_group_table *t = world->species[bodies->def.body_of]->groups;
    const dun_agents *agents = &bodies->buffer[bodies->current];
    for (int a = 0; a < world->def.dimensions; a++) {
        float min, max;
        dun_world_limits(&world->def, a, &min, &max);
        for (uint32_t i = 0; i < bodies->count; i++) {
            const uint32_t g = (uint32_t)stands_for[i];
            if (g >= t->count || t->agents[g] == 0) continue;
            agents->position[a][i] = min_float(max_float(t->centre[a][g], min), max);
            agents->velocity[a][i] = t->velocity[a][g];
        }
    }
    bodies->numbered = 0;
}

dunlin_result dun_bodies_settle(dunlin_world *world, int number, bool may_change, bool *whole, dunlin_error *error) {
    dun_species *bodies = world->species[number];
    const int attribute = dun_attribute_of_role(bodies, DUNLIN_ROLE_BODY);
    const float *stands_for = bodies->buffer[bodies->current].attribute[attribute];
    const uint32_t deaths = find_bodies(world, bodies, stands_for);
    const uint32_t births = count_missing(world->species[bodies->def.body_of]->groups);
    if (may_change && deaths + births) {
        const dunlin_result result = make_body_room(world, number, births, deaths, error);
        if (result) return result;
        stands_for = bodies->buffer[bodies->current].attribute[attribute];
        if (deaths) bury_others(world, number, stands_for, deaths);
        bear(world, number, attribute);
    }
    *whole = *whole && (may_change || deaths + births == 0);
    place_bodies(world, bodies, stands_for);
    return DUNLIN_OK;
}

/* ---- in a frame ------------------------------------------------------------------------------------------------------- */

void dun_bodies_feel(const dun_frame *f, const dun_tile *tile) {
    const dun_species *bodies = f->world->species[tile->species];
    if (bodies->def.body_of < 0) return;
    const float *stands_for = dun_attribute_column(bodies, f->snapshot[tile->species], DUNLIN_ROLE_BODY);
    for (int a = 0; a < f->world->def.dimensions; a++) {
        float *felt = dun_groups_felt(f->world, tile->species, a);
        for (uint32_t i = tile->begin; i < tile->end; i++)
            felt[(uint32_t)stands_for[i]] = tile->scratch->force[a][i - tile->begin];
    }
}
