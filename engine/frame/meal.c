/* SPDX-License-Identifier: MIT */
/*
 * Meals: who is food for whom. Each agent that is food looks for its eater, the one with the lowest id in reach, all of them at
 * once and in the frozen snapshot; then they are eaten, one after another in storage order, so that what an eater gains is
 * added up in the same order whatever the threads.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/frame/walk.h"

#define NOBODY UINT32_MAX

dunlin_meal_def dunlin_meal_def_default(void) {
    return (dunlin_meal_def){.cookie = DUN_COOKIE, .food = 1, .radius = 1.0f, .energy = -1, .gain = 1.0f, .worth = -1};
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

/* -1, or the number of an attribute that is the caller's own. */
static dunlin_result check_attribute(const dunlin_world *world, int species, int attribute, const char *field,
                                     dunlin_error *error) {
    if (attribute == -1) return DUNLIN_OK;
    const dunlin_result result = dun_check_position(attribute, dunlin_world_attribute_count(world, species), field,
                                                    " attributes of that species", error);
    if (result || dunlin_world_get_attribute(world, species, attribute).role == DUNLIN_ROLE_VALUE) return result;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "%s is %d, '%s': it must be one with the role value (0)", field, attribute,
                    dunlin_world_get_attribute(world, species, attribute).name);
}

static dunlin_result check_meal(const dunlin_world *world, const dunlin_meal_def *def, dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_meal_def_default()");
    const dun_range radius = {"meal.radius", (double)1e-9f, 1e9, false, "world units"};
    const dun_range gain = {"meal.gain", -1e6, 1e6, false, NULL};
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_meal_def", error);
    if (!result) result = dun_check_position(def->eater, world->species_count, "meal.eater", " species", error);
    if (!result) result = dun_check_position(def->food, world->species_count, "meal.food", " species", error);
    if (!result && def->eater == def->food)
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "meal.food is %d: it must be another species than meal.eater", def->food);
    if (!result) result = dun_check((double)def->radius, &radius, error);
    if (!result) result = dun_check((double)def->gain, &gain, error);
    if (!result) result = check_attribute(world, def->eater, def->energy, "meal.energy", error);
    return result ? result : check_attribute(world, def->food, def->worth, "meal.worth", error);
}

/* ---- adding, setting, asking ------------------------------------------------------------------------------------------ */

static void place(dunlin_world *world, int meal, const dunlin_meal_def *def) {
    const dun_interaction look = {
        .def = {.observer = def->food, .observed = def->eater}, .widest_radius = def->radius, .first_radius = def->radius};
    world->meals[meal] = (dun_meal){*def, look};
    world->prepared = false;
}

dunlin_result dunlin_world_add_meal(dunlin_world *world, const dunlin_meal_def *def, int *meal, dunlin_error *error) {
    const dunlin_result result = check_meal(world, def, error);
    if (result) return result;
    dun_meal *grown = realloc(world->meals, ((size_t)world->meal_count + 1) * sizeof *grown);
    if (!grown) return dun_fail_memory(error, "a meal");
    world->meals = grown;
    place(world, world->meal_count, def);
    if (meal) *meal = world->meal_count;
    world->meal_count++;
    return DUNLIN_OK;
}

int dunlin_world_meal_count(const dunlin_world *world) {
    return world->meal_count;
}

static dunlin_result check_number(const dunlin_world *world, int meal, dunlin_error *error) {
    return dun_check_position(meal, world->meal_count, "meal", " meals", error);
}

dunlin_meal_def dunlin_world_get_meal(const dunlin_world *world, int meal) {
    return check_number(world, meal, NULL) ? (dunlin_meal_def){0} : world->meals[meal].def;
}

dunlin_result dunlin_world_set_meal(dunlin_world *world, int meal, const dunlin_meal_def *def, dunlin_error *error) {
    dunlin_result result = check_number(world, meal, error);
    if (!result) result = check_meal(world, def, error);
    if (!result) place(world, meal, def);
    return result;
}

/* ---- in a frame ------------------------------------------------------------------------------------------------------- */

bool dun_meals_reserve(dunlin_world *world) {
    uint32_t most = 0;
    for (int m = 0; m < world->meal_count; m++) {
        const uint32_t room = world->species[world->meals[m].def.food]->room;
        if (room > most) most = room;
    }
    if (most <= world->eater_room) return true;
    uint32_t *eaters = dun_array(most);
    if (!eaters) return false;
    free(world->eaters);
    world->eaters = eaters;
    world->eater_room = most;
    return true;
}

typedef struct table {
    const dunlin_world *world;
    const dun_agents *const *snapshot;
    const dun_meal *meal;
} table;

/* Whom the food of one tile is for. A kernel writes all of its lanes: those beyond the group may be another worker's. */
static void serve_tile(void *context, uint32_t tile, uint32_t worker) {
    const table *t = context;
    const dunlin_world *world = t->world;
    const dunlin_meal_def *def = &t->meal->def;
    const dun_agents *food = t->snapshot[def->food], *eaters = t->snapshot[def->eater];
    const uint32_t begin = tile * DUN_TILE, end = smaller(begin + DUN_TILE, world->species[def->food]->count);
    dun_interact job = dun_interact_between(world, food, eaters);
    job.shape.dimensions = world->def.dimensions;
    job.widest_r2 = def->radius * def->radius;
    job.separation_r2 = -1.0f;
    dun_run *runs = world->scratch[worker].runs;
    dun_walk walk = dun_walk_through(world, world->species[def->food]->index, world->species[def->eater]->index,
                                     (const float *const *)food->position, def->radius, begin, end);
    while (dun_walk_on(&walk)) {
        int32_t slots[DUN_PADDING];
        const uint32_t run_count = dun_walk_runs(&walk, runs);
        world->kernel->lowest(&job, walk.query.group, runs, run_count, slots);
        memcpy(world->eaters + walk.query.group.first, slots, walk.query.group.count * sizeof *slots);
    }
}

/* A state file says no more than a DUNLIN_ROLE_VALUE may be. */
static float gained(float energy, float more) {
    const float most = DUN_MAX_VALUE;
    return higher(lower(energy + more, most), -most);
}

static void eat(const table *t, const dun_agents *next) {
    const dunlin_meal_def *def = &t->meal->def;
    dun_species *food = t->world->species[def->food];
    const float *worth = def->worth < 0 ? NULL : t->snapshot[def->food]->attribute[def->worth];
    float *energy = def->energy < 0 ? NULL : next->attribute[def->energy];
    for (uint32_t i = 0; i < food->count; i++) {
        const uint32_t eater = t->world->eaters[i];
        if (eater == NOBODY || food->dies[i]) continue;
        food->dies[i] = 1;
        food->eaten++;
        if (energy) energy[eater] = gained(energy[eater], worth ? def->gain * worth[i] : def->gain);
    }
}

/* Where there are callbacks they have flags of this frame already. */
static void clear_flags(const dunlin_world *world) {
    for (int s = 0; s < world->species_count; s++) {
        dun_species *species = world->species[s];
        species->eaten = 0;
        if (species->mortal && !species->calls_back && species->count) memset(species->dies, 0, species->count);
    }
}

void dun_meals_take(const dunlin_world *world, const dun_agents *const snapshot[], dun_agents *const next[]) {
    if (world->meal_count == 0) return;
    clear_flags(world);
    for (int m = 0; m < world->meal_count; m++) {
        table t = {world, snapshot, &world->meals[m]};
        const uint32_t food = world->species[t.meal->def.food]->count;
        const uint32_t tiles = food / DUN_TILE + (food % DUN_TILE != 0);
        if (world->species[t.meal->def.eater]->count == 0) continue;
        world->executor.run(&world->executor, tiles, serve_tile, &t);
        eat(&t, next[t.meal->def.eater]);
    }
}
