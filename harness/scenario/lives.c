/* SPDX-License-Identifier: MIT */
/* Which species eats which, what a species lives on, and models from the literature. */
#include "harness/scenario/build.h"

#include <math.h>

/* ---- meals ------------------------------------------------------------------------------------------------------------ */

/* The number of an attribute that the entry names, or -1 where it names none. */
static dunlin_result find_attribute(dunlin_flight *flight, const slot *entry, const char *field, int species, int *number) {
    const char *name = text_of(flight, entry, field);
    *number = -1;
    if (!name) return DUNLIN_OK;
    *number = dunlin_world_find_attribute(flight->world, species, name);
    if (*number < 0) return FAIL_FIELD(flight, entry, field, "the species has no attribute of that name");
    if (dunlin_world_get_attribute(flight->world, species, *number).role == DUNLIN_ROLE_VALUE) return DUNLIN_OK;
    return FAIL_FIELD(flight, entry, field, "it must be an attribute whose role is value");
}

dunlin_result dun_put_meal(dunlin_flight *flight, const slot *entry) {
    const int number = (int)dun_position(flight, entry);
    dunlin_meal_def def = dunlin_meal_def_default();
    dun_tree_bind(&flight->file, entry, &def);
    dunlin_result result = dun_find_species(flight, entry, "eater", -1, &def.eater);
    if (result == DUNLIN_OK) result = dun_find_species(flight, entry, "food", -1, &def.food);
    if (result == DUNLIN_OK) result = find_attribute(flight, entry, "energy", def.eater, &def.energy);
    if (result == DUNLIN_OK) result = find_attribute(flight, entry, "worth", def.food, &def.worth);
    if (result != DUNLIN_OK) return result;
    result = number < dunlin_world_meal_count(flight->world) ? dunlin_world_set_meal(flight->world, number, &def, flight->error)
                                                             : dunlin_world_add_meal(flight->world, &def, NULL, flight->error);
    return dun_located(flight, entry, "meal", result);
}

/* ---- lives ------------------------------------------------------------------------------------------------------------ */

/* A child begins where its parent was, with its parent's numbers except the energy, and flies the other way. */
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
    const metabolism *m = user;
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

/* The species of an entry of a list that has at most one per species, each a behaviour: the list's first is number `first`. */
static dunlin_result find_own_species(dunlin_flight *flight, const slot *entry, int first, int *species) {
    dunlin_result result = dun_find_species(flight, entry, "species", dun_only_species(flight), species);
    for (int i = 0; i < (int)dun_position(flight, entry) && result == DUNLIN_OK; i++) {
        if (dunlin_world_get_behaviour(flight->world, first + i).species == *species)
            return FAIL(flight, entry, "the species has such an entry already; allowed: one per species");
    }
    return result;
}

/* How many behaviours come before those of `lives`. */
static int count_behaviours(const dunlin_flight *flight) {
    return flight->first_behaviour[dun_tree_length(&flight->file, "behaviours")];
}

dunlin_result dun_put_life(dunlin_flight *flight, const slot *entry) {
    metabolism *m = &flight->metabolisms[dun_position(flight, entry)];
    const int first = count_behaviours(flight), number = first + (int)dun_position(flight, entry);
    int species;
    dunlin_result result = find_own_species(flight, entry, first, &species);
    if (result == DUNLIN_OK) result = find_attribute(flight, entry, "energy", species, &m->energy);
    if (result != DUNLIN_OK) return result;
    m->divides_at = INFINITY;
    dun_tree_bind(&flight->file, entry, m);
    m->cost *= dunlin_world_get_def(flight->world).time_step;
    if (number < dunlin_world_behaviour_count(flight->world)) return DUNLIN_OK;
    dunlin_behaviour_def def = dunlin_behaviour_def_default(flight->world, DUNLIN_BEHAVIOUR_CUSTOM);
    def.species = species;
    def.custom = live;
    def.user = m;
    return dun_located(flight, entry, "behaviour", dunlin_world_add_behaviour(flight->world, &def, NULL, flight->error));
}

/* ---- models ----------------------------------------------------------------------------------------------------------- */

dunlin_result dun_put_model(dunlin_flight *flight, const slot *entry) {
    model *m = &flight->models[dun_position(flight, entry)];
    const slot *kind = dun_tree_one(&flight->file, entry);
    const int first = count_behaviours(flight) + (int)dun_tree_length(&flight->file, "lives");
    int species;
    dunlin_result result = find_own_species(flight, entry, first, &species);
    if (result != DUNLIN_OK) return result;
    dun_tree_bind(&flight->file, kind, m);
    m->kind = (model_kind)kind->row->tag;
    result = model_put(flight->world, species, first + (int)dun_position(flight, entry), m, flight->error);
    return dun_located(flight, kind, "model", result);
}
