/* SPDX-License-Identifier: MIT */
/*
 * Removal. Parts of a world refer to each other by number. visit_all() knows every such reference: once to find a part that
 * still refers to what is to be removed, and once, when it is gone, to lower the numbers above it.
 */
#include "engine/world/remove.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/world/ids.h"
#include "engine/world/memory.h"
#include "engine/world/species.h"

/* ---- references ------------------------------------------------------------------------------------------------------- */

/* `used`: the number has a meaning. It is renumbered in any case: it may get one when a definition changes. */
static void visit(dun_removal *r, dun_list to, int *number, bool used, const char *user, int user_number) {
    if (to != r->from) return;
    if (r->gone) {
        *number -= *number > r->number;
    } else if (used && *number == r->number && !r->user[0]) {
        snprintf(r->user, sizeof r->user, "%s %d", user, user_number);
    }
}

/* `used`: as an interaction of the caller's. Behaviours have others for their sums. */
static void visit_interaction(dun_removal *r, dun_interaction *interaction, bool used, int number) {
    int *const species[] = {&interaction->def.observer, &interaction->def.observed, &interaction->look.observer,
                            &interaction->look.observed};
    for (int i = 0; i < 4; i++) visit(r, DUN_LIST_SPECIES, species[i], used, "interaction", number);
}

static void visit_behaviour(dun_removal *r, dun_behaviour *behaviour, int number) {
    static const char name[] = "behaviour";
    dunlin_behaviour_def *def = &behaviour->def;
    const dunlin_behaviour_def before = *def; /* several kinds refer by the same field */
    visit(r, DUN_LIST_SPECIES, &def->species, true, name, number);
    for (int kind = 0; kind < DUNLIN_BEHAVIOUR_COUNT; kind++) {
        const dun_reference *reference = behaviour->references[kind];
        if (!reference->field) continue;
        int to = dun_reference_number(reference, &before);
        visit(r, reference->to, &to, kind == (int)before.kind && dun_reference_used(reference, &before), name, number);
        memcpy((char *)def + reference->offset, &to, sizeof to);
    }
    visit_interaction(r, &behaviour->sums, false, number);
    behaviour->look = behaviour->sums.look;
}

static void visit_meal(dun_removal *r, dunlin_meal_def *meal, int number) {
    if (r->species == meal->eater) visit(r, DUN_LIST_ATTRIBUTES, &meal->energy, true, "meal", number);
    if (r->species == meal->food) visit(r, DUN_LIST_ATTRIBUTES, &meal->worth, true, "meal", number);
    visit(r, DUN_LIST_SPECIES, &meal->eater, true, "meal", number);
    visit(r, DUN_LIST_SPECIES, &meal->food, true, "meal", number);
}

static void visit_attributes(dun_removal *r, dun_species *species, int number) {
    char user[DUNLIN_NAME_LENGTH + 32];
    for (int i = 0; i < species->attribute_count; i++) {
        dunlin_attribute_def *def = &species->attribute[i].def;
        snprintf(user, sizeof user, "attribute '%s' of species", def->name);
        visit(r, DUN_LIST_SPECIES, &def->species, false, user, number);
        visit(r, DUN_LIST_BEHAVIOURS, &def->behaviour, def->role == DUNLIN_ROLE_BEHAVIOUR_WEIGHT, user, number);
    }
}

static void visit_all(dun_removal *r, dunlin_world *world) {
    for (int i = 0; i < world->interaction_count; i++) visit_interaction(r, &world->interactions[i], true, i);
    for (int b = 0; b < world->behaviour_count; b++) visit_behaviour(r, &world->behaviours[b], b);
    for (int m = 0; m < world->meal_count; m++) visit_meal(r, &world->meals[m], m);
    for (int s = 0; s < world->species_count; s++) visit_attributes(r, world->species[s], s);
}

/* ---- one way to remove ------------------------------------------------------------------------------------------------ */

dunlin_result dun_removal_check(dunlin_world *world, dun_removal *r, const char *field, int count, dunlin_error *error) {
    const dunlin_result result = dun_check_position(r->number, count, field, "", error);
    if (result) return result;
    visit_all(r, world);
    if (!r->user[0]) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "%s %d cannot be removed: %s uses it", field, r->number, r->user);
}

static void take_out(dunlin_world *world, void *all, size_t size, int *count, int number) {
    char *at = (char *)all + (size_t)number * size;
    memmove(at, at + size, (size_t)(--*count - number) * size);
    world->prepared = false;
}

void dun_removal_finish(dunlin_world *world, dun_removal *r, void *all, size_t size, int *count) {
    take_out(world, all, size, count, r->number);
    r->gone = true;
    visit_all(r, world);
}

dunlin_result dunlin_world_remove_interaction(dunlin_world *world, int interaction, dunlin_error *error) {
    const dunlin_result result = dun_check_position(interaction, world->interaction_count, "interaction", "", error);
    if (!result) take_out(world, world->interactions, sizeof *world->interactions, &world->interaction_count, interaction);
    return result;
}

dunlin_result dunlin_world_remove_meal(dunlin_world *world, int meal, dunlin_error *error) {
    const dunlin_result result = dun_check_position(meal, world->meal_count, "meal", "", error);
    if (!result) take_out(world, world->meals, sizeof *world->meals, &world->meal_count, meal);
    return result;
}

dunlin_result dunlin_world_remove_behaviour(dunlin_world *world, int behaviour, dunlin_error *error) {
    dun_removal r = {.from = DUN_LIST_BEHAVIOURS, .number = behaviour};
    const dunlin_result result = dun_removal_check(world, &r, "behaviour", world->behaviour_count, error);
    if (result) return result;
    dun_removal_finish(world, &r, world->behaviours, sizeof *world->behaviours, &world->behaviour_count);
    return DUNLIN_OK;
}

dunlin_result dunlin_world_remove_attribute(dunlin_world *world, int number, int attribute, dunlin_error *error) {
    dun_removal r = {.from = DUN_LIST_ATTRIBUTES, .number = attribute, .species = number};
    dunlin_result result = dun_species_check(world, number, error);
    if (!result) result = dun_removal_check(world, &r, "attribute", world->species[number]->attribute_count, error);
    if (result) return result;
    dun_species *species = world->species[number];
    const size_t behind = (size_t)(species->attribute_count - 1 - attribute);
    for (int b = 0; b < 2; b++) {
        float **columns = species->buffer[b].attribute;
        dun_column_free(columns[attribute]);
        memmove(columns + attribute, columns + attribute + 1, behind * sizeof *columns);
        columns[species->attribute_count - 1] = NULL;
    }
    dun_removal_finish(world, &r, species->attribute, sizeof *species->attribute, &species->attribute_count);
    for (int i = attribute; i < species->attribute_count; i++) species->attribute[i].def.name = species->attribute[i].name;
    world->generation++;
    return DUNLIN_OK;
}

dunlin_result dunlin_world_remove_species(dunlin_world *world, int number, dunlin_error *error) {
    dun_removal r = {.from = DUN_LIST_SPECIES, .number = number};
    const dunlin_result result = dun_removal_check(world, &r, "species", world->species_count, error);
    if (result) return result;
    if (world->species[number]->count) dun_ids_spend(world, world->next_id);
    dun_species_free(world, world->species[number]);
    dun_removal_finish(world, &r, world->species, sizeof *world->species, &world->species_count);
    world->ids.valid = false;
    world->generation++;
    return DUNLIN_OK;
}
