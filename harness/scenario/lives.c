/* SPDX-License-Identifier: MIT */
/* Which species eats which, what a species lives on, and models from the literature. */
#include "engine/base/c_locale.h"

#include "harness/scenario/build.h"

#include <math.h>

/* The number of the attribute of role value that the field names, or -1 where it names none. */
static bool find_attribute(dunlin_simulation *simulation, const slot *field, int species, int *number) {
    *number = -1;
    if (!field->text) return true;
    if (!dun_find_attribute(simulation, field, species, number)) return false;
    return dunlin_world_get_attribute(simulation->world, species, *number).role == DUNLIN_ROLE_VALUE ||
           FAIL(simulation, field, "it must be an attribute whose role is value");
}

/* Bodies that die are made again in the next step. */
static bool check_mortal(dunlin_simulation *simulation, const slot *at, int species) {
    const dunlin_species_def def = dunlin_world_get_species(simulation->world, species);
    return def.body_of < 0 ||
           FAIL(simulation, at, "'%s' are bodies, which live as long as their groups; allowed: a species without body_of",
                def.name);
}

bool dun_put_meal(dunlin_simulation *simulation, const slot *entry) {
    dunlin_meal_def def = dunlin_meal_def_default();
    return dun_bind(simulation, entry, &def) && check_mortal(simulation, dun_field(entry, "food"), def.food) &&
           find_attribute(simulation, dun_field(entry, "energy"), def.eater, &def.energy) &&
           find_attribute(simulation, dun_field(entry, "worth"), def.food, &def.worth) &&
           PUT(simulation, entry, meal, (int)dun_position(entry), &def);
}

/* A child begins where its parent was, inherits its numbers except the energy, and moves the other way. */
static void divide(const dunlin_tile *tile, uint32_t i, int energy, float given) {
    float position[3] = {0.0f}, velocity[3] = {0.0f}, attribute[DUNLIN_MAX_ATTRIBUTES];
    for (int a = 0; a < 3 && tile->position[a]; a++) {
        position[a] = tile->position[a][i];
        velocity[a] = -tile->velocity[a][i];
    }
    dunlin_tile_inherit(tile, i, 0, attribute);
    attribute[energy] = given;
    dunlin_tile_spawn(tile, i, tile->species, position, velocity, attribute, NULL);
}

/* Only the costs: what has no energy left after the meals of the step dies, by the engine's `vital`. */
static void live(void *user, const dunlin_tile *tile) {
    const metabolism *m = user;
    float *energy = tile->next_attribute[m->energy];
    for (uint32_t i = 0; i < tile->count; i++) {
        const float left = energy[i] - m->cost;
        const bool divides = left >= m->divides_at;
        const float given = divides ? left * m->share : 0.0f;
        energy[i] = left - given;
        if (divides) divide(tile, i, m->energy, given);
    }
}

/* The species of an entry of a list that has at most one per species, each a behaviour: the list's first is number `first`. */
static bool find_own_species(dunlin_simulation *simulation, const slot *entry, int first, int *species) {
    bool done = dun_find_species(simulation, dun_field(entry, "species"), dun_only_species(simulation), species);
    for (int i = 0; i < (int)dun_position(entry) && done; i++) {
        if (dunlin_world_get_behaviour(simulation->world, first + i).species == *species)
            done = FAIL(simulation, entry, "the species has such an entry already; allowed: one per species");
    }
    return done;
}

/* How many behaviours come before those of `lives`. */
static int count_behaviours(const dunlin_simulation *simulation) {
    return simulation->first_behaviour[dun_part(simulation, "behaviours")->count];
}

bool dun_put_life(dunlin_simulation *simulation, const slot *entry) {
    metabolism *m = &simulation->metabolisms[dun_position(entry)];
    const int first = count_behaviours(simulation), number = first + (int)dun_position(entry);
    dunlin_behaviour_def def = dunlin_behaviour_def_default(simulation->world, DUNLIN_BEHAVIOUR_CUSTOM);
    if (!find_own_species(simulation, entry, first, &def.species)) return false;
    if (!check_mortal(simulation, dun_field(entry, "species"), def.species)) return false;
    if (!find_attribute(simulation, dun_field(entry, "energy"), def.species, &m->energy)) return false;
    m->divides_at = INFINITY;
    dun_bind(simulation, entry, m);
    m->cost *= dunlin_world_get_def(simulation->world).time_step;
    def.custom = live;
    def.user = m;
    def.vital = m->energy;
    const bool there = number < dunlin_world_behaviour_count(simulation->world) &&
                       dunlin_world_get_behaviour(simulation->world, number).species == def.species;
    return there || PUT(simulation, entry, behaviour, number, &def);
}

bool dun_put_model(dunlin_simulation *simulation, const slot *entry) {
    model *m = &simulation->models[dun_position(entry)];
    const slot *kind = dun_one_of(entry);
    const int first = count_behaviours(simulation) + (int)dun_part(simulation, "lives")->count;
    int species;
    if (!find_own_species(simulation, entry, first, &species) || !dun_bind(simulation, kind, m)) return false;
    m->kind = (model_kind)kind->row->tag;
    DUN_C_LOCALE(); /* for the model's messages */
    return dun_located(simulation, kind, "model",
                       model_put(simulation->world, species, first + (int)dun_position(entry), m, simulation->error));
}

bool dun_put_lives_and_models(dunlin_simulation *simulation) {
    return dun_put_all(simulation, dun_part(simulation, "lives"), dun_put_life) &&
           dun_put_all(simulation, dun_part(simulation, "models"), dun_put_model);
}

void dun_connect(dunlin_simulation *simulation, int number, dunlin_behaviour_def *def) {
    const slot *lives = dun_part(simulation, "lives"), *models = dun_part(simulation, "models");
    const int life = number - count_behaviours(simulation), of_model = life - (int)lives->count;
    if (life >= 0 && of_model < 0) {
        def->custom = live;
        def->user = &simulation->metabolisms[life];
        const slot *energy = dun_field(dun_inside(lives, (uint32_t)life), "energy");
        dun_find_attribute(simulation, energy, def->species, &def->vital);
    } else if (of_model >= 0 && of_model < (int)models->count) {
        def->pairs.callback = model_callback((model_kind)dun_one_of(dun_inside(models, (uint32_t)of_model))->row->tag);
        def->user = &simulation->models[of_model];
    }
}
