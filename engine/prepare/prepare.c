/* SPDX-License-Identifier: MIT */
/* All memory that frames need, allocated before the first of them. */
#include "engine/prepare/prepare.h"

#include <string.h>

#include "engine/base/check.h"
#include "engine/behaviours/type.h"
#include "engine/scenery/scenery.h"
#include "engine/world/attribute.h"
#include "engine/world/bury.h"
#include "engine/groups/groups.h"
#include "engine/world/interaction.h"
#include "engine/world/look.h"
#include "engine/world/memory.h"

enum {
    SHARES_PER_WORKER = 16, /* workers take one share at a time: enough of them to even out the estimate's errors */
    MIN_RANGES = 512        /* a worker's room for ranges, 6 KiB */
};

/* All workers get memory, and some of them may not work in the next frame. */
static uint32_t workers_of(const dunlin_world *world) {
    return (uint32_t)world->def.threads;
}

static void find_out(const dunlin_world *world) {
    for (int s = 0; s < world->species_count; s++) {
        dun_species *species = world->species[s];
        species->indexed = species->calls_back = false;
        species->rewritten = 0;
        const int since = dun_attribute_of_role(species, DUNLIN_ROLE_SINCE_MEAL);
        if (since >= 0) species->rewritten = 1u << since;
    }
    for (int i = 0; i < world->look_count; i++) {
        world->species[world->looks[i].observer]->indexed = true;
        world->species[world->looks[i].observed]->indexed = true;
    }
    for (int b = 0; b < world->behaviour_count; b++) {
        const dun_behaviour *behaviour = &world->behaviours[b];
        if (behaviour->type->bears) world->species[behaviour->def.species]->calls_back = true;
        if (behaviour->type->call) world->species[behaviour->def.species]->rewritten = UINT32_MAX;
        if (behaviour->type->rewrite) world->species[behaviour->def.species]->rewritten |= 1u << behaviour->def.adapt.attribute;
    }
    for (int s = 0; s < world->species_count; s++) world->species[s]->mortal = world->species[s]->calls_back;
    for (int m = 0; m < world->meal_count; m++) {
        const dunlin_meal_def *meal = &world->meals[m];
        world->species[meal->food]->mortal = true;
        if (meal->energy >= 0) world->species[meal->eater]->rewritten |= 1u << meal->energy;
    }
}

/* ---- arrays of the whole frame ---------------------------------------------------------------------------------------- */

static bool reserve_frame(const dunlin_world *world, dun_frame_memory *m) {
    const uint32_t shares = workers_of(world) * SHARES_PER_WORKER + 2 * DUNLIN_MAX_SPECIES;
    uint32_t eaters = 0;
    uint64_t tiles = 0;
    for (int s = 0; s < world->species_count; s++) tiles += world->species[s]->room / DUN_TILE + 1;
    for (int i = 0; i < world->meal_count; i++) eaters = max_u32(eaters, world->species[world->meals[i].food]->room);
    return dun_array_fit(world->heap, &m->acts, &m->act_room, (uint64_t)world->behaviour_count, sizeof *m->acts) &&
           dun_array_fit(world->heap, &m->path_is_whole, &m->path_room, (uint64_t)world->path_count,
                         sizeof *m->path_is_whole) &&
           dun_array_fit(world->heap, &m->tile_work, &m->tile_room, tiles, sizeof *m->tile_work) &&
           dun_array_fit(world->heap, &m->shares, &m->share_room, shares, sizeof *m->shares) &&
           dun_array_fit(world->heap, &m->eaters, &m->eater_room, eaters, sizeof *m->eaters);
}

/* Tiles are numbered through all species, whether they call back or not. Any worker may run the tile of the first birth. */
static bool reserve_life(const dunlin_world *world, dun_frame_memory *m) {
    bool calls_back = false;
    for (int s = 0; s < world->species_count; s++) calls_back = calls_back || world->species[s]->calls_back;
    if (!calls_back) return true;
    bool whole = dun_array_fit(world->heap, &m->tallies, &m->tally_room, m->tile_room, sizeof *m->tallies);
    for (uint32_t w = 0; w < workers_of(world) && whole; w++)
        whole = dun_births_reserve(world->heap, &m->scratch[w].births, DUN_TILE);
    return whole;
}

/* ---- workers ---------------------------------------------------------------------------------------------------------- */

static void carve_scratch(dun_scratch *scratch, int dimensions, dun_carver *carver) {
    enum { COLUMN = DUN_TILE + DUN_PADDING };
    for (int a = 0; a < dimensions; a++) {
        scratch->force[a] = dun_carve(carver, COLUMN);
        scratch->sums.push[a] = dun_carve(carver, COLUMN);
        scratch->sums.velocity[a] = dun_carve(carver, COLUMN);
        scratch->sums.offset[a] = dun_carve(carver, COLUMN);
        scratch->few.position[a] = dun_carve(carver, COLUMN);
        scratch->few.velocity[a] = dun_carve(carver, COLUMN);
    }
    scratch->sums.seen = dun_carve(carver, COLUMN);
    scratch->sums.aligned = dun_carve(carver, COLUMN);
    scratch->sums.cohered = dun_carve(carver, COLUMN);
    scratch->sums.nearest = dun_carve(carver, COLUMN);
    scratch->few.id = dun_carve(carver, COLUMN);
    scratch->few.attribute[0] = dun_carve(carver, COLUMN); /* groups */
}

static bool reserve_scratch(const dunlin_world *world, dun_scratch *scratch) {
    if (scratch->block) return true;
    dun_carver carver = {0};
    carve_scratch(scratch, world->def.dimensions, &carver);
    scratch->block = dun_array(world->heap, carver.used);
    if (!scratch->block) return false;
    carver = (dun_carver){.block = scratch->block};
    carve_scratch(scratch, world->def.dimensions, &carver);
    return true;
}

/* Measuring searches further than any look. Where its search has more ranges than this, it takes all agents as one run. */
static uint32_t max_ranges(const dunlin_world *world) {
    uint32_t max = MIN_RANGES;
    for (int i = 0; i < world->look_count; i++) {
        const dun_look *look = &world->looks[i];
        const dun_index *index = world->species[look->observed]->index;
        const dun_reach reach = world->index_type->reach(index, look->radius);
        const uint32_t ranges = world->index_type->max_ranges(index, &reach, look->observer == look->observed);
        max = max_u32(max, ranges);
    }
    return max;
}

/* Callbacks see as many views as there are ranges. */
static bool reserve_workers(const dunlin_world *world, dun_frame_memory *memory) {
    const uint32_t ranges = max_ranges(world);
    bool views = false, whole = true;
    for (int b = 0; b < world->behaviour_count; b++) views = views || world->behaviours[b].type->shows_ranges;
    for (uint32_t w = 0; w < workers_of(world) && whole; w++) {
        dun_scratch *s = &memory->scratch[w];
        whole = reserve_scratch(world, s) &&
                dun_array_fit(world->heap, &s->ranges, &s->range_room, ranges, sizeof *s->ranges) &&
                (!views || dun_array_fit(world->heap, &s->views, &s->view_room, s->range_room, sizeof *s->views));
    }
    return whole;
}

/* The buffers exist even for no agents, so that loops have arrays to point at. */
static bool reserve_species(const dunlin_world *world, int number) {
    dun_species *species = world->species[number];
    if (!species->buffer[0].id && !dun_species_grow(world, species, DUN_PADDING)) return false;
    if (species->mortal && !dun_life_reserve(world->heap, species, species->room)) return false;
    const dun_space space = dun_species_space(world, number, species->room);
    return world->index_type->reserve(species->index, &space, species->room, workers_of(world));
}

/* Attributes may come after the interactions that need them. */
static dunlin_result check_behaviours(const dunlin_world *world, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int b = 0; b < world->behaviour_count && !result; b++) {
        const dun_behaviour *behaviour = &world->behaviours[b];
        dunlin_error inner = {.message = ""};
        if (behaviour->type->check_step) result = behaviour->type->check_step(world, &behaviour->def, &inner);
        if (result) dun_fail(error, result, "behaviour %d: %.280s", b, inner.message);
    }
    return result;
}

/* Likewise. */
static dunlin_result check_groups(const dunlin_world *world, dunlin_error *error) {
    for (int i = 0; i < world->interaction_count; i++) {
        const int both[] = {world->interactions[i].def.observer, world->interactions[i].def.observed};
        dunlin_error inner = {.message = ""};
        for (int k = 0; k < 2 && world->interactions[i].kin; k++)
            if (dun_groups_check(world, both[k], both[k], &inner))
                return dun_fail(error, DUNLIN_ERROR_VALUE, "interaction %d has a rule with kin: %.280s", i, inner.message);
    }
    return DUNLIN_OK;
}

static dunlin_result check_bodies(const dunlin_world *world, dunlin_error *error) {
    for (int s = 0; s < world->species_count; s++) {
        const dun_species *species = world->species[s];
        if (species->def.body_of >= 0 && dun_attribute_of_role(species, DUNLIN_ROLE_BODY) < 0)
            return dun_fail(error, DUNLIN_ERROR_VALUE, "species %d, '%.60s', has a body_of but no attribute of role body", s,
                            species->name);
    }
    return DUNLIN_OK;
}

dunlin_result dun_world_check(const dunlin_world *world, dunlin_error *error) {
    if (world->prepared) return DUNLIN_OK;
    dunlin_result result = check_groups(world, error);
    if (!result) result = check_bodies(world, error);
    return result ? result : check_behaviours(world, error);
}

dunlin_result dun_world_prepare(dunlin_world *world, dunlin_error *error) {
    dun_frame_memory *memory = &world->memory;
    if (world->prepared) return DUNLIN_OK;
    const dunlin_result result = dun_world_check(world, error);
    if (result) return result;
    dun_interactions_scale(world);
    bool whole = dun_looks_list(world);
    if (whole) find_out(world);
    for (int s = 0; s < world->species_count && whole; s++)
        whole = reserve_species(world, s); /* first: it may give them room */
    whole = whole && reserve_frame(world, memory) && reserve_life(world, memory) && reserve_workers(world, memory) &&
            dun_obstacles_prepare(world);
    if (!whole) return dun_fail_memory(error, "a frame");
    world->prepared = true;
    return DUNLIN_OK;
}

/* ---- with the world --------------------------------------------------------------------------------------------------- */

bool dun_frame_memory_create(dunlin_world *world) {
    const size_t bytes = workers_of(world) * sizeof *world->memory.scratch;
    world->memory.scratch = dun_allocate_aligned(world->heap, DUN_CACHE_LINE, bytes);
    if (world->memory.scratch) memset(world->memory.scratch, 0, bytes);
    return world->memory.scratch;
}
