/* SPDX-License-Identifier: MIT */
/* The behaviours of a scenario. */
#include "harness/scenario/build.h"

#include <string.h>

static dunlin_result check_target(dunlin_flight *flight, const slot *entry, const slot *target) {
    const bool others = target->row->tag == DUNLIN_TARGET_NEAREST || target->row->tag == DUNLIN_TARGET_CENTRE;
    if (target->row->tag != DUNLIN_TARGET_POINT && has(flight, entry, "velocity"))
        return FAIL_FIELD(flight, entry, "velocity", "an agent has its own; allowed: only with target");
    if (others && !has(flight, entry, "radius"))
        return FAIL_FIELD(flight, entry, "radius", "it is missing: how far to look for others");
    return DUNLIN_OK;
}

static dunlin_result set_target(dunlin_flight *flight, const slot *entry, dunlin_behaviour_def *def) {
    const slot *target = dun_tree_one(&flight->file, entry);
    dunlin_result result = check_target(flight, entry, target);
    def->target.kind = (dunlin_target_kind)target->row->tag;
    if (result != DUNLIN_OK || target->type != VALUE_TEXT) return result;
    return dun_find_species(flight, entry, target->row->name, -1, &def->target.species);
}

static dunlin_result set_contain(dunlin_flight *flight, const slot *entry, dunlin_contain *contain) {
    const bool each = has(flight, entry, "margins");
    if (each && has(flight, entry, "margin"))
        return FAIL_FIELD(flight, entry, "margins", "allowed: either margin or margins, not both");
    for (unsigned a = 0; a < dun_axes(flight) && !each; a++) contain->margin[a] = (float)number_of(flight, entry, "margin");
    return DUNLIN_OK;
}

/* The position of the field or path of that name; where none is named, of the only one there is. */
static dunlin_result find_named(dunlin_flight *flight, const slot *entry, const char *field, const char *list, int *position) {
    const char *name = text_of(flight, entry, field);
    const uint32_t count = dun_tree_length(&flight->file, list);
    for (uint32_t i = 0; i < count && name; i++) {
        const char *other = text_of(flight, dun_tree_entry(&flight->file, list, i), "name");
        if (!other || strcmp(other, name) != 0) continue;
        *position = (int)i;
        return DUNLIN_OK;
    }
    *position = 0;
    if (!name && count == 1) return DUNLIN_OK;
    if (name) return FAIL_FIELD(flight, entry, field, "it is '%.63s'; there is none of that name in %s", name, list);
    return FAIL_FIELD(flight, entry, field, "it is required where %s do not have exactly one entry", list);
}

/* A distance, or instead a time. */
static dunlin_result set_ahead(dunlin_flight *flight, const slot *entry, const char *distance, const char *time,
                               dunlin_ahead *ahead) {
    if (!has(flight, entry, time)) return DUNLIN_OK;
    if (has(flight, entry, distance))
        return FAIL_FIELD(flight, entry, time, "allowed: either %s or %s, not both", distance, time);
    ahead->kind = DUNLIN_AHEAD_BY_SPEED;
    return DUNLIN_OK;
}

static dunlin_result set_follow(dunlin_flight *flight, const slot *entry, dunlin_follow *follow) {
    dunlin_result result = find_named(flight, entry, "path", "paths", &follow->path);
    if (result == DUNLIN_OK) result = set_ahead(flight, entry, "prediction_distance", "prediction_time", &follow->prediction);
    return result == DUNLIN_OK ? set_ahead(flight, entry, "ahead_distance", "ahead_time", &follow->ahead) : result;
}

/* What the schema's offsets do not set. */
static dunlin_result finish_kind(dunlin_flight *flight, const slot *entry, dunlin_behaviour_def *def) {
    switch (def->kind) {
    case DUNLIN_BEHAVIOUR_SEEK:
    case DUNLIN_BEHAVIOUR_FLEE:
    case DUNLIN_BEHAVIOUR_ARRIVE:
    case DUNLIN_BEHAVIOUR_PURSUE:
    case DUNLIN_BEHAVIOUR_EVADE:
        return set_target(flight, entry, def);
    case DUNLIN_BEHAVIOUR_CONTAIN:
        return set_contain(flight, entry, &def->contain);
    case DUNLIN_BEHAVIOUR_FOLLOW_PATH:
        return set_follow(flight, entry, &def->follow);
    case DUNLIN_BEHAVIOUR_FLOW:
    case DUNLIN_BEHAVIOUR_WIND:
        return find_named(flight, entry, "field", "fields", &def->flow.field);
    case DUNLIN_BEHAVIOUR_VIEW:
        return dun_find_species(flight, entry, "observed", def->species, &def->view.observed);
    default:
        return DUNLIN_OK;
    }
}

/* A target that moves continues from where it is; one that a schedule moves is where the schedule says. */
static void keep_target(const dunlin_flight *flight, const slot *entry, int number, dunlin_behaviour_def *def) {
    if (!(entry->row->table->base && dun_table_find(entry->row->table, "velocity", 8) >= 0)) return;
    if (!has(flight, entry, "velocity") || dun_schedules_change(flight, dun_tree_at(&flight->file, entry, "target"))) return;
    const dunlin_behaviour_def now = dunlin_world_get_behaviour(flight->world, number);
    memcpy(def->target.position, now.target.position, sizeof def->target.position);
}

static dunlin_result put_behaviour(dunlin_flight *flight, const slot *entry, int species, int number) {
    const slot *kind = dun_tree_one(&flight->file, entry);
    dunlin_behaviour_def def = dunlin_behaviour_def_default(flight->world, (dunlin_behaviour_kind)kind->row->tag);
    def.species = species;
    dun_tree_bind(&flight->file, kind, &def);
    dunlin_result result = finish_kind(flight, kind, &def);
    if (result != DUNLIN_OK) return result;
    if (number == dunlin_world_behaviour_count(flight->world))
        return dun_located(flight, kind, "behaviour", dunlin_world_add_behaviour(flight->world, &def, NULL, flight->error));
    keep_target(flight, kind, number, &def);
    return dun_located(flight, kind, "behaviour", dunlin_world_set_behaviour(flight->world, number, &def, flight->error));
}

/* `species: all` makes a behaviour of each species, unless one is called so. */
dunlin_result dun_put_behaviour(dunlin_flight *flight, const slot *entry) {
    const char *name = text_of(flight, entry, "species");
    const uint32_t position = dun_position(flight, entry);
    const bool there = flight->first_behaviour[position + 1] > 0;
    const int first = there ? flight->first_behaviour[position] : dunlin_world_behaviour_count(flight->world);
    int species = 0, end = dunlin_world_species_count(flight->world);
    dunlin_result result = DUNLIN_OK;
    if (!name || strcmp(name, "all") != 0 || dunlin_world_find_species(flight->world, name) >= 0) {
        result = dun_find_species(flight, entry, "species", dun_only_species(flight), &species);
        end = species + 1;
    }
    for (int number = first; species < end && result == DUNLIN_OK; species++, number++)
        result = put_behaviour(flight, entry, species, number);
    flight->first_behaviour[position] = first;
    if (!there) flight->first_behaviour[position + 1] = dunlin_world_behaviour_count(flight->world);
    return result;
}
