/* SPDX-License-Identifier: MIT */
/* All memory that frames need, allocated before the first of them. */
#include <math.h>
#include <stdlib.h>

#include "engine/base/check.h"
#include "engine/scenery/obstacles.h"
#include "engine/world/world.h"

enum {
    SHARES_PER_WORKER = 16, /* a share is handed out at a time: enough to even out what the estimate gets wrong */
    LEAST_RUNS = 512        /* a worker's room for them, 6 KiB */
};

/* ---- what a species' index is for ------------------------------------------------------------------------------------- */

enum { ANYBODY = -1 };

int dun_look_count(const dunlin_world *world) {
    return world->interaction_count + world->behaviour_count + world->meal_count;
}

const dun_interaction *dun_look_at(const dunlin_world *world, int position) {
    if (position < world->interaction_count) return &world->interactions[position];
    const int behind = position - world->interaction_count - world->behaviour_count;
    if (behind >= 0) return &world->meals[behind].look;
    const dun_behaviour *behaviour = &world->behaviours[position - world->interaction_count];
    return behaviour->look.widest_radius > 0.0f ? &behaviour->look : NULL;
}

/* With which this species looks at that one; 0: it doesn't. */
static float widest_radius(const dunlin_world *world, int observer, int observed) {
    float widest = 0.0f;
    for (int i = 0; i < dun_look_count(world); i++) {
        const dun_interaction *look = dun_look_at(world, i);
        if (!look || (observer != ANYBODY && observer != look->def.observer)) continue;
        if (observed != ANYBODY && observed != look->def.observed) continue;
        widest = fmaxf(widest, look->widest_radius);
    }
    return widest;
}

float dun_species_own_radius(const dunlin_world *world, int species) {
    return widest_radius(world, species, species);
}

float dun_world_spacing(const dunlin_world *world, uint64_t agents) {
    uint64_t columns = 1;
    while (columns * columns * (world->def.dimensions == 3 ? columns : 1) < agents) columns++;
    float longest = 0.0f;
    for (int a = 0; a < world->def.dimensions; a++) longest = fmaxf(longest, world->def.size[a]);
    return longest / (float)columns;
}

/*
 * Its own kind looks at a species most, so their radius makes the cells; others search more or fewer of them. Whom nobody looks
 * at is sorted only to look together. In a frame the radius must not depend on the number of agents, or more of them might make
 * fewer cells, and there be no room for those of fewer.
 */
dun_space dun_species_space(const dunlin_world *world, int species, uint32_t agents) {
    const dunlin_world_def *def = &world->def;
    dun_space space = {.dimensions = def->dimensions,
                       .periodic = def->boundary == DUNLIN_BOUNDARY_PERIODIC,
                       .open = def->boundary == DUNLIN_BOUNDARY_OPEN};
    for (int a = 0; a < def->dimensions; a++) {
        space.low[a] = 0.0f - def->margin;
        space.size[a] = def->size[a] + 2.0f * def->margin;
    }
    space.radius = dun_species_own_radius(world, species);
    if (space.radius == 0.0f) space.radius = widest_radius(world, ANYBODY, species);
    if (space.radius == 0.0f) space.radius = widest_radius(world, species, ANYBODY);
    if (space.radius == 0.0f) space.radius = dun_world_spacing(world, agents);
    return space;
}

/* Of whom agents may die, and whose attributes may change. */
static void find_lives(const dunlin_world *world) {
    for (int s = 0; s < world->species_count; s++) {
        dun_species *species = world->species[s];
        species->mortal = species->rewrites = species->calls_back;
    }
    for (int m = 0; m < world->meal_count; m++) {
        const dunlin_meal_def *def = &world->meals[m].def;
        world->species[def->food]->mortal = true;
        if (def->energy >= 0) world->species[def->eater]->rewrites = true;
    }
}

static void find_out(const dunlin_world *world) {
    for (int s = 0; s < world->species_count; s++) world->species[s]->indexed = world->species[s]->calls_back = false;
    for (int i = 0; i < dun_look_count(world); i++) {
        const dun_interaction *look = dun_look_at(world, i);
        if (!look) continue;
        world->species[look->def.observer]->indexed = true;
        world->species[look->def.observed]->indexed = true;
    }
    for (int b = 0; b < world->behaviour_count; b++) {
        const dunlin_behaviour_def *def = &world->behaviours[b].def;
        if (def->kind == DUNLIN_BEHAVIOUR_CUSTOM) world->species[def->species]->calls_back = true;
    }
    find_lives(world);
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

/* The buffers exist even for no agents, so that loops have something to point at. */
static bool reserve_species(const dunlin_world *world, int number) {
    dun_species *species = world->species[number];
    if (!species->buffer[0].id && !dun_species_grow(world, species, DUN_PADDING)) return false;
    if (species->mortal && !dun_life_reserve(species, species->room)) return false;
    const dun_space space = dun_species_space(world, number, species->room);
    return world->index_type->reserve(species->index, &space, species->room, world->executor.workers);
}

/* Measuring searches further than anyone looks; where that takes more runs than there are, it takes all agents as one. */
static uint32_t most_runs(const dunlin_world *world) {
    uint32_t most = LEAST_RUNS;
    for (int i = 0; i < dun_look_count(world); i++) {
        const dun_interaction *look = dun_look_at(world, i);
        if (!look) continue;
        const dun_index *index = world->species[look->def.observed]->index;
        const dun_reach reach = world->index_type->reach(index, look->widest_radius);
        const uint32_t runs = world->index_type->max_runs(index, &reach, look->def.observer == look->def.observed);
        if (runs > most) most = runs;
    }
    return most;
}

static bool reserve_runs(const dunlin_world *world) {
    const uint32_t most = most_runs(world);
    for (uint32_t w = 0; w < world->executor.workers; w++) {
        dun_scratch *scratch = &world->scratch[w];
        if (most <= scratch->run_room) continue;
        dun_run *runs = realloc(scratch->runs, most * sizeof *runs);
        if (!runs) return false;
        scratch->runs = runs;
        scratch->run_room = most;
    }
    return true;
}

static bool shows_runs(const dunlin_world *world) {
    bool any = false;
    for (int b = 0; b < world->behaviour_count; b++) any = any || world->behaviours[b].def.kind == DUNLIN_BEHAVIOUR_PAIRS;
    return any;
}

/* As many as there are runs, for callbacks that are shown these. */
static bool reserve_views(const dunlin_world *world) {
    for (uint32_t w = 0; w < world->executor.workers && shows_runs(world); w++) {
        dun_scratch *scratch = &world->scratch[w];
        if (scratch->run_room <= scratch->view_room) continue;
        dunlin_run_view *views = realloc(scratch->views, scratch->run_room * sizeof *views);
        if (!views) return false;
        scratch->views = views;
        scratch->view_room = scratch->run_room;
    }
    return true;
}

static void lay_out_scratch(dun_scratch *scratch, int dimensions) {
    float *column[DUN_SCRATCH_COLUMNS];
    for (int c = 0; c < DUN_SCRATCH_COLUMNS; c++) column[c] = scratch->block + (size_t)c * (DUN_TILE + DUN_PADDING);
    for (int a = 0; a < dimensions; a++) {
        scratch->force[a] = column[4 * a];
        scratch->sums.push[a] = column[4 * a + 1];
        scratch->sums.velocity[a] = column[4 * a + 2];
        scratch->sums.offset[a] = column[4 * a + 3];
        scratch->few.position[a] = column[15 + 2 * a];
        scratch->few.velocity[a] = column[16 + 2 * a];
    }
    scratch->few.id = (uint32_t *)column[21];
    scratch->sums.seen = (int32_t *)column[12];
    scratch->sums.aligned = (int32_t *)column[13];
    scratch->sums.cohered = (int32_t *)column[14];
}

static bool reserve_scratch(const dunlin_world *world) {
    for (uint32_t w = 0; w < world->executor.workers; w++) {
        dun_scratch *scratch = &world->scratch[w];
        if (scratch->block) continue;
        scratch->block = dun_array(DUN_SCRATCH_WORDS);
        if (!scratch->block) return false;
        lay_out_scratch(scratch, world->def.dimensions);
    }
    return true;
}

static bool reserve_shares(dunlin_world *world) {
    uint64_t tiles = 0;
    for (int s = 0; s < world->species_count; s++) tiles += world->species[s]->room / DUN_TILE + 1;
    if (tiles > world->tile_room) {
        uint32_t *work = realloc(world->tile_work, tiles * sizeof *work);
        if (!work) return false;
        world->tile_work = work;
        world->tile_room = (uint32_t)tiles;
    }
    const uint32_t most = world->executor.workers * SHARES_PER_WORKER + 2 * DUNLIN_MAX_SPECIES;
    if (world->shares) return true;
    world->shares = malloc(most * sizeof *world->shares);
    if (world->shares) world->share_room = most;
    return world->shares;
}

/* Tiles are numbered through all species, also those that do not call back. */
static bool reserve_tallies(dunlin_world *world) {
    if (world->tile_room <= world->tally_room) return true;
    dun_tally *tallies = realloc(world->tallies, world->tile_room * sizeof *tallies);
    if (!tallies) return false;
    world->tallies = tallies;
    world->tally_room = world->tile_room;
    return true;
}

/* Any worker may be the one whose tile has the first birth. */
static bool reserve_life(dunlin_world *world) {
    bool calls_back = false;
    for (int s = 0; s < world->species_count; s++) calls_back = calls_back || world->species[s]->calls_back;
    bool whole = !calls_back || reserve_tallies(world);
    for (uint32_t w = 0; w < world->executor.workers && calls_back && whole; w++)
        whole = dun_births_reserve(&world->scratch[w].births, DUN_TILE);
    return whole;
}

dunlin_result dun_world_prepare(dunlin_world *world, dunlin_error *error) {
    if (world->prepared) return DUNLIN_OK;
    find_out(world);
    bool whole = reserve_scratch(world) && reserve_shares(world);
    for (int s = 0; s < world->species_count && whole; s++) whole = reserve_species(world, s);
    whole = whole && reserve_life(world) && dun_meals_reserve(world) && reserve_runs(world) && reserve_views(world) &&
            dun_obstacles_prepare(world);
    if (!whole) return dun_fail_memory(error, "a frame");
    world->prepared = true;
    return DUNLIN_OK;
}
