/* SPDX-License-Identifier: MIT */
/* The behaviours of a scenario. */
#include "harness/scenario/build.h"

#include <string.h>

/* Agents know their groups, and bodies those that they stand for. */
static bool check_groups(dunlin_simulation *simulation, const slot *at, const dunlin_behaviour_def *def) {
    const bool stands = dunlin_world_get_species(simulation->world, def->species).body_of == def->target.species;
    return dun_check_role(simulation, at, def->target.species, DUNLIN_ROLE_GROUP) &&
           dun_check_role(simulation, at, def->species, stands ? DUNLIN_ROLE_BODY : DUNLIN_ROLE_GROUP);
}

static bool set_target(dunlin_simulation *simulation, const slot *entry, dunlin_behaviour_def *def) {
    dunlin_target *target = &def->target;
    target->kind = (dunlin_target_kind)dun_one_of(entry)->row->tag;
    const bool others = target->kind == DUNLIN_TARGET_NEAREST || target->kind == DUNLIN_TARGET_CENTRE;
    if (target->kind != DUNLIN_TARGET_POINT && has(entry, "velocity"))
        return FAIL_FIELD(simulation, entry, "velocity", "an agent has its own; allowed: only with target");
    if (others && !has(entry, "radius"))
        return FAIL_FIELD(simulation, entry, "radius", "it is missing: the radius within which agents see others");
    return target->kind < DUNLIN_TARGET_GROUP_CENTRE || check_groups(simulation, dun_one_of(entry), def);
}

static void set_contain(const dunlin_simulation *simulation, const slot *entry, dunlin_contain *contain) {
    for (unsigned a = 0; a < dun_axes(simulation) && !has(entry, "margins"); a++)
        contain->margin[a] = (float)number_of(entry, "margin");
}

/* The engine would name the attribute by its number. */
static bool check_adapts(dunlin_simulation *simulation, const slot *at, int species, int attribute) {
    const slot *attributes = dun_field(dun_inside(dun_part(simulation, "species"), (uint32_t)species), "attributes");
    const uint64_t role = dun_field(dun_inside(attributes, (uint32_t)attribute), "role")->whole;
    if (role != DUNLIN_ROLE_GROUP && role != DUNLIN_ROLE_BODY) return true;
    return FAIL(simulation, at, "its role is %s, which cannot adapt", dun_choice_name(dun_role_names, (int)role));
}

static bool set_adapt(dunlin_simulation *simulation, const slot *entry, dunlin_behaviour_def *def) {
    const bool reads = def->adapt.signal == DUNLIN_SIGNAL_ATTRIBUTE;
    if (reads && !has(entry, "source"))
        return FAIL_FIELD(simulation, entry, "source", "it is missing: which attribute to read");
    if (def->adapt.signal == DUNLIN_SIGNAL_FIELD &&
        !dun_find_named(simulation, dun_field(entry, "field"), "fields", &def->adapt.field))
        return false;
    const slot *moves = dun_field(entry, "attribute");
    return dun_find_attribute(simulation, moves, def->species, &def->adapt.attribute) &&
           check_adapts(simulation, moves, def->species, def->adapt.attribute) &&
           (!reads || dun_find_attribute(simulation, dun_field(entry, "source"), def->species, &def->adapt.source));
}

static bool check_body(dunlin_simulation *simulation, const slot *entry, const dunlin_behaviour_def *def) {
    const dunlin_species_def bodies = dunlin_world_get_species(simulation->world, def->body);
    if (bodies.body_of == def->species)
        return dun_check_role(simulation, dun_field(entry, "bodies"), def->species, DUNLIN_ROLE_GROUP);
    return FAIL_FIELD(simulation, entry, "bodies", "species '%s' needs body_of: %s for this", bodies.name,
                      dunlin_world_get_species(simulation->world, def->species).name);
}

/* What the schema's offsets do not set. */
static bool finish_kind(dunlin_simulation *simulation, const slot *entry, dunlin_behaviour_def *def) {
    switch (def->kind) {
    case DUNLIN_BEHAVIOUR_SEEK:
    case DUNLIN_BEHAVIOUR_FLEE:
    case DUNLIN_BEHAVIOUR_ARRIVE:
    case DUNLIN_BEHAVIOUR_PURSUE:
    case DUNLIN_BEHAVIOUR_EVADE:
    case DUNLIN_BEHAVIOUR_ATTRACT:
        return set_target(simulation, entry, def);
    case DUNLIN_BEHAVIOUR_CONTAIN:
        set_contain(simulation, entry, &def->contain);
        return true;
    case DUNLIN_BEHAVIOUR_BODY:
        return check_body(simulation, entry, def);
    case DUNLIN_BEHAVIOUR_ADAPT:
        return set_adapt(simulation, entry, def);
    default:
        return true;
    }
}

/* A target that moves continues from where it is; one that a schedule moves is where the schedule says. */
static void keep_target(const dunlin_simulation *simulation, const slot *entry, int number, dunlin_behaviour_def *def) {
    if (dun_table_find(entry->row->table, "velocity", 8) < 0 || !has(entry, "velocity")) return;
    if (dun_schedules_change(simulation, dun_field(entry, "target"))) return;
    const dunlin_behaviour_def now = dunlin_world_get_behaviour(simulation->world, number);
    memcpy(def->target.position, now.target.position, sizeof def->target.position);
}

static bool put_behaviour(dunlin_simulation *simulation, const slot *entry, int species, int number) {
    const slot *kind = dun_one_of(entry);
    dunlin_behaviour_def def = dunlin_behaviour_def_default(simulation->world, (dunlin_behaviour_kind)kind->row->tag);
    def.species = species;
    def.sidestep.observed = def.adapt.observed = species;
    if (!dun_bind(simulation, kind, &def) || !finish_kind(simulation, kind, &def)) return false;
    if (number < dunlin_world_behaviour_count(simulation->world)) keep_target(simulation, kind, number, &def);
    return PUT(simulation, kind, behaviour, number, &def);
}

/* `species: all` makes a behaviour of each species, unless one is called so. */
static bool is_of_all(const dunlin_simulation *simulation, const slot *entry) {
    const char *named = text_of(entry, "species");
    const slot *species = dun_part(simulation, "species");
    bool of_all = named && strcmp(named, "all") == 0;
    for (uint32_t i = 0; i < species->count && of_all; i++) {
        const char *name = text_of(dun_inside(species, i), "name");
        of_all = !name || strcmp(name, "all") != 0;
    }
    return of_all;
}

void dun_number_behaviours(dunlin_simulation *simulation) {
    const slot *entries = dun_part(simulation, "behaviours");
    for (uint32_t i = 0; i < entries->count; i++) {
        const bool of_all = is_of_all(simulation, dun_inside(entries, i));
        simulation->first_behaviour[i + 1] =
            simulation->first_behaviour[i] + (of_all ? (int)dun_part(simulation, "species")->count : 1);
    }
}

bool dun_put_behaviour(dunlin_simulation *simulation, const slot *entry) {
    int species = 0, end = dunlin_world_species_count(simulation->world),
        number = simulation->first_behaviour[dun_position(entry)];
    bool done = true;
    if (!is_of_all(simulation, entry)) {
        done = dun_find_species(simulation, dun_field(entry, "species"), dun_only_species(simulation), &species);
        end = species + 1;
    }
    for (; species < end && done; species++, number++) done = put_behaviour(simulation, entry, species, number);
    return done;
}

bool dun_check_adapt(dunlin_simulation *simulation, const slot *entry) {
    return dun_one_of(entry)->row->tag != DUNLIN_BEHAVIOUR_ADAPT || dun_put_behaviour(simulation, entry);
}
