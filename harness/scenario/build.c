/* SPDX-License-Identifier: MIT */
/* The world, species and interactions of a scenario, and what the other parts share. */
#include "harness/scenario/build.h"
#include "harness/scenario/words.h"

#include <stdio.h>
#include <string.h>

/* ---- what the parts share --------------------------------------------------------------------------------------------- */

dunlin_result dun_located(dunlin_flight *flight, const slot *entry, const char *subject, dunlin_result result) {
    return result == DUNLIN_OK ? DUNLIN_OK : dun_tree_locate(&flight->file, entry, subject, flight->error);
}

int dun_only_species(const dunlin_flight *flight) {
    return dunlin_world_species_count(flight->world) == 1 ? 0 : -1;
}

unsigned dun_axes(const dunlin_flight *flight) {
    return (unsigned)dunlin_world_get_def(flight->world).dimensions;
}

uint32_t dun_position(const dunlin_flight *flight, const slot *entry) {
    return (uint32_t)(entry - &flight->file.slots[flight->file.slots[entry->parent].first]);
}

static dunlin_result fail_species(dunlin_flight *flight, const slot *entry, const char *field, const char *name) {
    char names[DUNLIN_MAX_SPECIES][DUNLIN_NAME_LENGTH], allowed[320];
    words all = {.wanted = name};
    for (int i = 0; i < dunlin_world_species_count(flight->world); i++) {
        snprintf(names[i], sizeof names[i], "%s", dunlin_world_get_species(flight->world, i).name);
        dun_words_add(&all, names[i]);
    }
    dun_words_say(&all, allowed, sizeof allowed);
    if (!name) return FAIL_FIELD(flight, entry, field, "it is required where there are several species; %s", allowed);
    return FAIL_FIELD(flight, entry, field, "it is '%.63s', which is no species; %s", name, allowed);
}

dunlin_result dun_find_species(dunlin_flight *flight, const slot *entry, const char *field, int otherwise, int *species) {
    const char *name = text_of(flight, entry, field);
    *species = name ? dunlin_world_find_species(flight->world, name) : otherwise;
    return *species >= 0 ? DUNLIN_OK : fail_species(flight, entry, field, name);
}

dunlin_result dun_put_all(dunlin_flight *flight, const char *list, dun_put_fn *put) {
    dunlin_result result = DUNLIN_OK;
    const uint32_t count = dun_tree_length(&flight->file, list);
    for (uint32_t i = 0; i < count && result == DUNLIN_OK; i++) result = put(flight, dun_tree_entry(&flight->file, list, i));
    return result;
}

dunlin_result dun_put_entry(dunlin_flight *flight, const slot *entry) {
    static const struct {
        const char *list;
        dun_put_fn *put;
    } lists[] = {{"world", dun_put_world},  {"species", dun_put_species},      {"interactions", dun_put_interaction},
                 {"fields", dun_put_field}, {"behaviours", dun_put_behaviour}, {"meals", dun_put_meal},
                 {"lives", dun_put_life},   {"models", dun_put_model}};
    size_t i = 0;
    while (strcmp(lists[i].list, entry->row->name) != 0) i++;
    return lists[i].put(flight, entry);
}

/* ---- the world -------------------------------------------------------------------------------------------------------- */

static dunlin_world_def new_world(const dunlin_flight *flight) {
    dunlin_world_def def = dunlin_world_def_default();
    def.seed = flight->def.seed ? *flight->def.seed : dun_tree_whole(&flight->file, flight->file.slots, "seed");
    def.threads = flight->def.threads;
    if (flight->def.kernel) def.kernel = flight->def.kernel;
    if (flight->def.index) def.index = flight->def.index;
    return def;
}

dunlin_result dun_put_world(dunlin_flight *flight, const slot *entry) {
    dunlin_world_def def = flight->world ? dunlin_world_get_def(flight->world) : new_world(flight);
    dun_tree_bind(&flight->file, entry, &def);
    dunlin_result result = flight->world ? dunlin_world_set_def(flight->world, &def, flight->error)
                                         : dunlin_world_create(&def, &flight->world, flight->error);
    /* Kernels, like the threads and the index, come from the caller: the file has no place for them. */
    if (result == DUNLIN_ERROR_VALUE && strncmp(flight->error->message, "world.threads", 13) != 0)
        return dun_tree_locate(&flight->file, entry, "world", flight->error);
    return result;
}

/* ---- species ---------------------------------------------------------------------------------------------------------- */

dunlin_result dun_put_species(dunlin_flight *flight, const slot *entry) {
    const int number = (int)dun_position(flight, entry);
    dunlin_species_def def = dunlin_species_def_default();
    dun_tree_bind(&flight->file, entry, &def);
    dunlin_result result = number < dunlin_world_species_count(flight->world)
                               ? dunlin_world_set_species(flight->world, number, &def, flight->error)
                               : dunlin_world_add_species(flight->world, &def, NULL, flight->error);
    return dun_located(flight, entry, "species", result);
}

/* ---- interactions ----------------------------------------------------------------------------------------------------- */

static const char *const rule_names[DUNLIN_RULE_COUNT] = {"separation", "alignment", "cohesion"};

/* The engine ignores the limit of a response that has none; in a file, `response: direct` was forgotten. */
static dunlin_result finish_rule(dunlin_flight *flight, const slot *entry, const slot *rule, dunlin_interaction_def *def,
                                 int kind) {
    if (rule->line == 0) return DUNLIN_OK;
    if (!has(flight, rule, "half_view") && has(flight, entry, "half_view")) {
        static const double pi = 3.14159265358979323846;
        def->rules[kind].view = (float)(number_of(flight, entry, "half_view") * pi / 180.0);
    }
    if (!has(flight, rule, "limit") || def->rules[kind].response == DUNLIN_RESPONSE_DIRECT) return DUNLIN_OK;
    return FAIL_FIELD(flight, rule, "limit", "it is %g; allowed: only with response: direct", number_of(flight, rule, "limit"));
}

/* The engine would check this too, but it knows the rules by number. */
static dunlin_result check_order(dunlin_flight *flight, const slot *entry, const dunlin_interaction_def *def) {
    bool named[DUNLIN_RULE_COUNT] = {false};
    for (int i = 0; i < DUNLIN_RULE_COUNT; i++) named[def->order[i]] = true;
    for (int i = 0; i < DUNLIN_RULE_COUNT; i++) {
        if (!named[i])
            return FAIL_FIELD(flight, entry, "order",
                              "it leaves out a rule; allowed: separation, alignment, cohesion, each once, in any order");
    }
    return DUNLIN_OK;
}

dunlin_result dun_put_interaction(dunlin_flight *flight, const slot *entry) {
    const int number = (int)dun_position(flight, entry);
    dunlin_interaction_def def = dunlin_interaction_def_default();
    dunlin_result result = dun_find_species(flight, entry, "observer", dun_only_species(flight), &def.observer);
    if (result == DUNLIN_OK) result = dun_find_species(flight, entry, "observed", def.observer, &def.observed);
    if (result != DUNLIN_OK) return result;
    dun_tree_bind(&flight->file, entry, &def);
    result = check_order(flight, entry, &def);
    for (int kind = 0; kind < DUNLIN_RULE_COUNT && result == DUNLIN_OK; kind++)
        result = finish_rule(flight, entry, dun_tree_at(&flight->file, entry, rule_names[kind]), &def, kind);
    if (result != DUNLIN_OK) return result;
    result = number < dunlin_world_interaction_count(flight->world)
                 ? dunlin_world_set_interaction(flight->world, number, &def, flight->error)
                 : dunlin_world_add_interaction(flight->world, &def, NULL, flight->error);
    return dun_located(flight, entry, "interaction", result);
}
