/* SPDX-License-Identifier: MIT */
/*
 * All mistakes at once: the world is built from a file, some of whose entries are wrong. Others refer to entries by their
 * numbers and names, so something stands in for each wrong one; then what is reported is wrong in itself.
 */
#include "harness/scenario/build.h"

#include <stdio.h>
#include <string.h>

/* ---- what stands in --------------------------------------------------------------------------------------------------- */

static bool stand_in_world(dunlin_simulation *simulation, const slot *entry) {
    dunlin_world_def def = dunlin_world_def_default();
    const uint64_t dimensions = dun_field(entry, "dimensions")->whole;
    def.threads = simulation->def.threads;
    if (dimensions > 0) def.dimensions = (int)dimensions;
    return dunlin_world_create(&def, &simulation->world, simulation->error) == DUNLIN_OK;
}

/* Keeps its name, groups and body_of, except what is wrong of them. */
static bool stand_in_species(dunlin_simulation *simulation, const slot *entry) {
    dunlin_species_def def = dunlin_species_def_default();
    char unique[40];
    snprintf(unique, sizeof unique, "species[%u]", (unsigned)dun_position(entry));
    if (text_of(entry, "name")) def.name = text_of(entry, "name");
    const slot *groups = dun_field(entry, "groups");
    def.groups = groups->is_wrong ? DUNLIN_MAX_GROUPS : (int)groups->whole;
    if (text_of(entry, "body_of")) def.body_of = dunlin_world_find_species(simulation->world, text_of(entry, "body_of"));
    if (dunlin_world_add_species(simulation->world, &def, NULL, NULL) == DUNLIN_OK) return true;
    def.body_of = -1;
    if (dunlin_world_add_species(simulation->world, &def, NULL, NULL) == DUNLIN_OK) return true;
    def.name = unique;
    return dunlin_world_add_species(simulation->world, &def, NULL, simulation->error) == DUNLIN_OK;
}

static bool stand_in_field(dunlin_simulation *simulation) {
    const dunlin_field_def def = dunlin_field_def_default(simulation->world);
    return dunlin_world_add_field(simulation->world, &def, NULL, simulation->error) == DUNLIN_OK;
}

static bool stand_in_path(dunlin_simulation *simulation) {
    const uint32_t ids[] = {0, 1};
    dunlin_path_def def = dunlin_path_def_default(simulation->world);
    def.agents = ids;
    def.count = 2;
    return dunlin_world_add_path(simulation->world, &def, NULL, simulation->error) == DUNLIN_OK;
}

/* Of its own species, if that is known. */
static bool stand_in_behaviour(dunlin_simulation *simulation, const slot *entry) {
    dunlin_behaviour_def def = dunlin_behaviour_def_default(simulation->world, DUNLIN_BEHAVIOUR_FORCE);
    const char *name = text_of(entry, "species");
    const int found = name ? dunlin_world_find_species(simulation->world, name) : 0;
    def.species = found > 0 ? found : 0;
    return dunlin_world_add_behaviour(simulation->world, &def, NULL, simulation->error) == DUNLIN_OK;
}

/* As many as later entries count on. */
static bool stand_in_behaviours(dunlin_simulation *simulation, const slot *entry) {
    bool done = true;
    while (done && dunlin_world_behaviour_count(simulation->world) < simulation->first_behaviour[dun_position(entry) + 1])
        done = stand_in_behaviour(simulation, entry);
    return done;
}

/* Meals and lives name it, unless its name is what is wrong. */
static bool stand_in_attribute(dunlin_simulation *simulation, const slot *entry) {
    dunlin_attribute_def def = dunlin_attribute_def_default();
    def.species = (int)dun_position(dun_parent(dun_parent(entry)));
    def.name = text_of(entry, "name");
    return dunlin_world_add_attribute(simulation->world, &def, NULL, NULL) != DUNLIN_ERROR_MEMORY;
}

/* Whether the world has the entry of that number already: it was found to be wrong only afterwards. */
static bool is_there(const slot *entry, int count) {
    return (int)dun_position(entry) < count;
}

bool dun_stand_in(dunlin_simulation *simulation, const slot *entry) {
    const char *list = entry->row->name;
    const dunlin_world *world = simulation->world;
    if (strcmp(list, "world") == 0) return world || stand_in_world(simulation, entry);
    if (strcmp(list, "species") == 0)
        return is_there(entry, dunlin_world_species_count(world)) || stand_in_species(simulation, entry);
    if (strcmp(list, "fields") == 0) return is_there(entry, dunlin_world_field_count(world)) || stand_in_field(simulation);
    if (strcmp(list, "paths") == 0) return is_there(entry, dunlin_world_path_count(world)) || stand_in_path(simulation);
    if (strcmp(list, "behaviours") == 0) return stand_in_behaviours(simulation, entry);
    if (strcmp(list, "lives") == 0 || strcmp(list, "models") == 0) return stand_in_behaviour(simulation, entry);
    return strcmp(list, "attributes") != 0 || stand_in_attribute(simulation, entry);
}

/* ---- what is named ---------------------------------------------------------------------------------------------------- */

static void report(dunlin_simulation *simulation, const slot *at) {
    dun_report_mistake(simulation->all, simulation->file.name, &simulation->file.slots[at - simulation->file.slots],
                       simulation->error);
}

/* Whether a text names what is there; other texts do. */
static bool names_well(dunlin_simulation *simulation, const slot *at) {
    int any;
    const row *of = at->row;
    if (of->stored == STORED_FIELD) return dun_find_named(simulation, at, "fields", &any);
    if (of->stored == STORED_PATH) return dun_find_named(simulation, at, "paths", &any);
    const bool is_species =
        of->stored == STORED_SPECIES || strcmp(of->name, "observer") == 0 || strcmp(of->name, "species") == 0;
    const bool is_all = strcmp(dun_parent(at)->row->name, "behaviours") == 0 && strcmp(at->text, "all") == 0;
    return !is_species || is_all || dun_find_species(simulation, at, -1, &any);
}

/* Reports what is in an entry and names nothing, also where something else is wrong with the entry. */
static void check_names(dunlin_simulation *simulation, const slot *entry) {
    for (const slot *at = dun_inside(entry, 0); at < dun_inside(entry, entry->count); at++) {
        const bool has_entries = at->type == VALUE_ENTRY || (at->type == VALUE_LIST && at->row->of == VALUE_ENTRY);
        if (has_entries && at->count > 0) check_names(simulation, at);
        if (at->type == VALUE_TEXT && at->text && !at->is_wrong && !names_well(simulation, at)) report(simulation, at);
    }
}

bool dun_try(dunlin_simulation *simulation, const slot *entry, dun_put_fn *put) {
    check_names(simulation, entry);
    if (!entry->is_wrong) {
        if (put(simulation, entry)) return true;
        if (simulation->error->code == DUNLIN_ERROR_MEMORY) return false;
        report(simulation, entry);
    }
    return dun_stand_in(simulation, entry);
}

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

static void report_unused(void *user, const char *message) {
    dunlin_simulation *simulation = user;
    dun_report(simulation->all, false, simulation->file.name, message);
}

/* What is wrong may be what uses the rest. */
static bool can_tell_unused(const dunlin_simulation *simulation) {
    static const char *const users[] = {"species", "behaviours", "meals", "lives"};
    for (size_t i = 0; i < sizeof users / sizeof *users; i++) {
        if (dun_part(simulation, users[i])->is_wrong) return false;
    }
    return true;
}

static bool check_parts(dunlin_simulation *simulation) {
    if (dun_part(simulation, "species")->count == 0)
        return true; /* that list is wrong, and nothing can be said without species */
    if (!dun_schedules_read(simulation) || !dun_put_parts(simulation)) return false;
    if (!dun_visit_all(simulation, dun_part(simulation, "species"), dun_check_starts) || !dun_check_growth(simulation))
        return false;
    if (can_tell_unused(simulation)) dun_warn(simulation);
    return simulation->all->mistakes > 0 || dun_schedules_apply(simulation);
}

void dun_check_all(const dunlin_scenario *scenario, findings *all) {
    const uint32_t none = 0;
    dunlin_error error = {.code = DUNLIN_OK};
    dunlin_simulation_def def = dunlin_simulation_def_default();
    def.agents = &none;
    def.threads = 1;
    def.warn = report_unused;
    dunlin_simulation *simulation = dun_simulation_allocate(scenario, &def, &error);
    if (simulation) simulation->all = all;
    if (simulation) simulation->def.user = simulation;
    if (!simulation || !check_parts(simulation)) {
        slot whole = {.type = VALUE_ENTRY};
        dun_report_mistake(all, scenario->file.name, &whole, &error);
    }
    dunlin_simulation_destroy(simulation);
}
