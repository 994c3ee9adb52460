/* SPDX-License-Identifier: MIT */
/* What a scenario says of who eats whom, and of who lives on what: a callback that starves agents, and lets them divide. */
#include "harness/scenario/builder.h"

#include <math.h>
#include <stdio.h>

/* ---- meals ------------------------------------------------------------------------------------------------------------ */

/* The number of an attribute that the entry names, or -1 where it names none. */
static dunlin_result find_attribute(const builder_entry *e, const char *field, int species, const char *name, int *number) {
    *number = -1;
    if (!name) return DUNLIN_OK;
    *number = dunlin_world_find_attribute(e->build->world, species, name);
    if (*number < 0) return builder_entry_fail(e, field, "the species has no attribute of that name");
    if (dunlin_world_get_attribute(e->build->world, species, *number).role == DUNLIN_ROLE_VALUE) return DUNLIN_OK;
    return builder_entry_fail(e, field, "it must be an attribute whose role is value");
}

dunlin_result builder_put_meal(const builder *build, unsigned position) {
    const scenario_meal *file = &build->script->file->meals[position];
    const builder_entry e = builder_entry_at(build, "meals", position);
    dunlin_meal_def def = dunlin_meal_def_default();
    def.radius = file->radius;
    SET(def.gain, file->gain);
    dunlin_result result = builder_set_species(build, e.place, "eater", file->eater, -1, &def.eater);
    if (result == DUNLIN_OK) result = builder_set_species(build, e.place, "food", file->food, -1, &def.food);
    if (result == DUNLIN_OK) result = find_attribute(&e, "energy", def.eater, file->energy, &def.energy);
    if (result == DUNLIN_OK) result = find_attribute(&e, "worth", def.food, file->worth, &def.worth);
    if (result != DUNLIN_OK) return result;
    result = (int)position < dunlin_world_meal_count(build->world)
                 ? dunlin_world_set_meal(build->world, (int)position, &def, build->error)
                 : dunlin_world_add_meal(build->world, &def, NULL, build->error);
    return builder_entry_locate(&e, result, "meal");
}

/* ---- lives ------------------------------------------------------------------------------------------------------------ */

/* It begins where its parent was, with its parent's numbers but for the energy, and flies the other way. */
static void divide(const dunlin_tile *tile, uint32_t i, int energy, float given) {
    float position[3] = {0.0f}, velocity[3] = {0.0f}, attribute[DUNLIN_MAX_ATTRIBUTES] = {0.0f};
    for (int a = 0; a < 3 && tile->position[a]; a++) {
        position[a] = tile->position[a][i];
        velocity[a] = -tile->velocity[a][i];
    }
    for (int k = 0; k < DUNLIN_MAX_ATTRIBUTES && tile->attribute[k]; k++) attribute[k] = tile->attribute[k][i];
    attribute[energy] = given;
    dunlin_tile_spawn(tile, i, tile->species, position, velocity, attribute, NULL);
}

static void live(void *user, const dunlin_tile *tile) {
    const scenario_metabolism *m = user;
    float *energy = tile->next_attribute[m->energy];
    for (uint32_t i = 0; i < tile->count; i++) {
        const float left = energy[i] - m->cost;
        const bool divides = left >= m->divides_at;
        const float given = divides ? left * m->share : 0.0f;
        energy[i] = left - given;
        if (left <= 0.0f) tile->dies[i] = 1;
        if (divides) divide(tile, i, m->energy, given);
    }
}

static dunlin_result check_number(const builder_entry *e, const char *field, float value, float low, float high,
                                  const char *allowed) {
    if (value > low && value < high) return DUNLIN_OK;
    char problem[120];
    snprintf(problem, sizeof problem, "it is %g; allowed: %s", (double)value, allowed);
    return builder_entry_fail(e, field, problem);
}

static dunlin_result set_metabolism(const builder_entry *e, const scenario_life *file, int species, scenario_metabolism *m) {
    float cost = 0.0f, divides_at = INFINITY, share = 0.5f;
    SET(cost, file->cost);
    SET(divides_at, file->divides_at);
    SET(share, file->share);
    dunlin_result result = find_attribute(e, "energy", species, file->energy, &m->energy);
    if (result == DUNLIN_OK) result = check_number(e, "cost", cost, -1e6f, 1e6f, "between -1e6 and 1e6");
    if (result == DUNLIN_OK && file->divides_at) result = check_number(e, "divides_at", divides_at, 0.0f, 1e30f, "more than 0");
    if (result == DUNLIN_OK) result = check_number(e, "share", share, 0.0f, 1.0f, "between 0 and 1");
    m->cost = cost * dunlin_world_get_def(e->build->world).time_step;
    m->divides_at = divides_at;
    m->share = share;
    return result;
}

dunlin_result builder_put_life(const builder *build, unsigned position) {
    const scenario_life *file = &build->script->file->lives[position];
    const builder_entry e = builder_entry_at(build, "lives", position);
    scenario_metabolism *m = &build->script->metabolism[position];
    const unsigned first = build->script->file->behaviours_count, number = first + position;
    int species;
    dunlin_result result = builder_entry_species(&e, file->species, first, position, &species);
    if (result == DUNLIN_OK) result = set_metabolism(&e, file, species, m);
    if (result != DUNLIN_OK || (int)number < dunlin_world_behaviour_count(build->world)) return result;
    dunlin_behaviour_def def = dunlin_behaviour_def_default(build->world, DUNLIN_BEHAVIOUR_CUSTOM);
    def.species = species;
    def.custom = live;
    def.user = m;
    return builder_entry_locate(&e, dunlin_world_add_behaviour(build->world, &def, NULL, build->error), "behaviour");
}
