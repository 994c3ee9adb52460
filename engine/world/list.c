/* SPDX-License-Identifier: MIT */
/* The lists of a world: adding, and removal. */
#include "engine/world/list.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/world/species.h"

/* Species and attributes are arrays with room for the maximum; of the others the world has a pointer, a number and a room. */
typedef struct listed {
    const char *name, *plural; /* in messages */
    size_t size;               /* bytes of an item */
    size_t items, count;       /* offsets in the world, of attributes in their species */
} listed;

#define LISTED(in, name, plural, type, items, count)                                                                           \
    { name, plural, sizeof(type), offsetof(in, items), offsetof(in, count) }

static const listed lists[DUN_LISTS] = {
    [DUN_LIST_SPECIES] = LISTED(dunlin_world, "species", " species", dun_species *, species, species_count),
    [DUN_LIST_INTERACTIONS] =
        LISTED(dunlin_world, "interaction", " interactions", dun_interaction, interactions, interaction_count),
    [DUN_LIST_BEHAVIOURS] = LISTED(dunlin_world, "behaviour", " behaviours", dun_behaviour, behaviours, behaviour_count),
    [DUN_LIST_PATHS] = LISTED(dunlin_world, "path", " paths", dun_path, paths, path_count),
    [DUN_LIST_FIELDS] = LISTED(dunlin_world, "field", " fields", dun_field, fields, field_count),
    [DUN_LIST_MEALS] = LISTED(dunlin_world, "meal", " meals", dunlin_meal_def, meals, meal_count),
    [DUN_LIST_TRACES] = LISTED(dunlin_world, "trace", " traces", dunlin_trace_def, traces, trace_count),
    [DUN_LIST_ATTRIBUTES] =
        LISTED(dun_species, "attribute", " attributes of that species", dun_attribute, attribute, attribute_count)};

static int count_of(const void *in, dun_list list) {
    int count;
    memcpy(&count, (const char *)in + lists[list].count, sizeof count);
    return count;
}

static void set_count(void *in, dun_list list, int count) {
    memcpy((char *)in + lists[list].count, &count, sizeof count);
}

dunlin_result dun_list_check(const void *in, dun_list list, int number, const char *field, dunlin_error *error) {
    return dun_check_position(number, count_of(in, list), field ? field : lists[list].name, lists[list].plural, error);
}

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
    const bool adapts = before.kind == DUNLIN_BEHAVIOUR_ADAPT;
    if (r->from == DUN_LIST_ATTRIBUTES && r->species == before.species) {
        visit(r, DUN_LIST_ATTRIBUTES, &def->vital, before.kind == DUNLIN_BEHAVIOUR_CUSTOM, name, number);
        visit(r, DUN_LIST_ATTRIBUTES, &def->adapt.attribute, adapts, name, number);
        visit(r, DUN_LIST_ATTRIBUTES, &def->adapt.source, adapts && before.adapt.signal == DUNLIN_SIGNAL_ATTRIBUTE, name,
              number);
    }
    visit(r, DUN_LIST_FIELDS, &def->adapt.field, adapts && before.adapt.signal == DUNLIN_SIGNAL_FIELD, name, number);
    visit_interaction(r, &behaviour->sums, false, number);
    behaviour->look = behaviour->sums.look;
}

static void visit_meal(dun_removal *r, dunlin_meal_def *meal, int number) {
    if (r->species == meal->eater) visit(r, DUN_LIST_ATTRIBUTES, &meal->energy, true, "meal", number);
    if (r->species == meal->food) visit(r, DUN_LIST_ATTRIBUTES, &meal->worth, true, "meal", number);
    visit(r, DUN_LIST_SPECIES, &meal->eater, true, "meal", number);
    visit(r, DUN_LIST_SPECIES, &meal->food, true, "meal", number);
}

static void visit_trace(dun_removal *r, dunlin_trace_def *trace, int number) {
    if (r->species == trace->species) visit(r, DUN_LIST_ATTRIBUTES, &trace->attribute, true, "trace", number);
    visit(r, DUN_LIST_SPECIES, &trace->species, true, "trace", number);
    visit(r, DUN_LIST_FIELDS, &trace->field, true, "trace", number);
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
    for (int t = 0; t < world->trace_count; t++) visit_trace(r, &world->traces[t], t);
    for (int s = 0; s < world->species_count; s++) {
        visit(r, DUN_LIST_SPECIES, &world->species[s]->def.body_of, true, "species", s);
        visit_attributes(r, world->species[s], s);
    }
}

/* ---- adding and removing ---------------------------------------------------------------------------------------------- */

dunlin_result dun_list_add(dunlin_world *world, dun_list to, const void *item, int *number, dunlin_error *error) {
    const size_t size = lists[to].size;
    const int count = count_of(world, to);
    void *const place = (char *)world + lists[to].items;
    char *items;
    if (!dun_array_fit(world->heap, place, &world->list_room[to], (uint64_t)count + 1, size))
        return dun_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a %s", lists[to].name);
    memcpy(&items, place, sizeof items);
    memcpy(items + (size_t)count * size, item, size);
    set_count(world, to, count + 1);
    if (number) *number = count;
    dun_unprepare(world);
    dun_groups_forget(world);
    return DUNLIN_OK;
}

dunlin_result dun_removal_check(dunlin_world *world, dun_removal *r, dunlin_error *error) {
    const void *in = r->from == DUN_LIST_ATTRIBUTES ? (void *)world->species[r->species] : world;
    const dunlin_result result = dun_list_check(in, r->from, r->number, NULL, error);
    if (result) return result;
    visit_all(r, world);
    if (!r->user[0]) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "%s %d cannot be removed: %s uses it", lists[r->from].name, r->number, r->user);
}

void dun_removal_finish(dunlin_world *world, dun_removal *r) {
    const listed *list = &lists[r->from];
    void *in = r->from == DUN_LIST_ATTRIBUTES ? (void *)world->species[r->species] : world;
    void *const place = (char *)in + list->items;
    char *items = place;
    const int left = count_of(in, r->from) - 1;
    if (world->list_room[r->from]) memcpy(&items, place, sizeof items);
    items += (size_t)r->number * list->size;
    memmove(items, items + list->size, (size_t)(left - r->number) * list->size);
    set_count(in, r->from, left);
    dun_unprepare(world);
    dun_groups_forget(world);
    r->gone = true;
    visit_all(r, world);
}

dunlin_result dun_list_remove(dunlin_world *world, dun_list from, int number, void (*release)(void *item),
                              dunlin_error *error) {
    dun_removal r = {.from = from, .number = number};
    char *items;
    const dunlin_result result = dun_removal_check(world, &r, error);
    if (result) return result;
    memcpy(&items, (char *)world + lists[from].items, sizeof items);
    if (release) release(items + (size_t)number * lists[from].size);
    dun_removal_finish(world, &r);
    return DUNLIN_OK;
}
