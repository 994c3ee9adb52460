/* SPDX-License-Identifier: MIT */
/* C structs from the entries of a file; the world, species, attributes and interactions of a scenario. */
#include "harness/scenario/build.h"
#include "harness/scenario/words.h"

#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- what a text names ------------------------------------------------------------------------------------------------ */

/* An attribute without a name is called by its role. */
static const char *name_of(const slot *entry) {
    if (dun_table_find(dun_slot_table(entry), "role", 4) < 0 || has(entry, "name")) return text_of(entry, "name");
    return dun_choice_name(dun_role_names, (int)dun_field(entry, "role")->whole);
}

int dun_find_entry(const slot *list, const slot *field, words *others) {
    others->wanted = field->text;
    for (uint32_t i = 0; i < list->count; i++) {
        const char *name = name_of(dun_inside(list, i));
        if (name && strcmp(name, field->text) == 0) return (int)i;
        if (name) dun_words_add(others, name);
    }
    return -1;
}

static bool fail_species(dunlin_simulation *simulation, const slot *field) {
    char names[DUNLIN_MAX_SPECIES][DUNLIN_NAME_LENGTH], allowed[WORDS_LENGTH];
    words all = {.wanted = field->text};
    for (int i = 0; i < dunlin_world_species_count(simulation->world); i++) {
        snprintf(names[i], sizeof names[i], "%s", dunlin_world_get_species(simulation->world, i).name);
        dun_words_add(&all, names[i]);
    }
    dun_words_say(&all, allowed);
    if (!field->text) return FAIL(simulation, field, "it is required where there are several species; %s", allowed);
    words in_file = {0};
    if (!*all.list || dun_find_entry(dun_part(simulation, "species"), field, &in_file) >= 0)
        return FAIL(simulation, field, "it is '%.63s'; allowed: a species that comes before this one", field->text);
    return FAIL(simulation, field, "unknown species '%.63s'; %s", field->text, allowed);
}

bool dun_find_species(dunlin_simulation *simulation, const slot *field, int otherwise, int *species) {
    *species = field->text ? dunlin_world_find_species(simulation->world, field->text) : otherwise;
    return *species >= 0 || fail_species(simulation, field);
}

static bool fail_name(dunlin_simulation *simulation, const slot *field, const char *what, const words *others) {
    char allowed[WORDS_LENGTH];
    dun_words_say(others, allowed);
    return FAIL(simulation, field, "unknown %s '%.63s'; %s", what, field->text, *others->list ? allowed : "there is none");
}

bool dun_find_attribute(dunlin_simulation *simulation, const slot *field, int species, int *number) {
    words others = {0};
    const slot *attributes = dun_field(dun_inside(dun_part(simulation, "species"), (uint32_t)species), "attributes");
    *number = dun_find_entry(attributes, field, &others);
    return *number >= 0 || fail_name(simulation, field, "attribute", &others);
}

bool dun_find_named(dunlin_simulation *simulation, const slot *field, const char *list, int *position) {
    words others = {0};
    const slot *all = dun_part(simulation, list);
    *position = 0;
    if (!field->text)
        return all->count == 1 || FAIL(simulation, field, "it is required where %s do not have exactly one entry", list);
    const int found = dun_find_entry(all, field, &others);
    if (found < 0) return fail_name(simulation, field, strcmp(list, "paths") == 0 ? "path" : "field", &others);
    *position = found;
    return true;
}

/* ---- C structs -------------------------------------------------------------------------------------------------------- */

static double in_unit(const slot *at) {
    switch (at->row->stored) {
    case STORED_RADIANS:
        return at->number * pi / 180.0;
    case STORED_TURNS:
    case STORED_DOUBLE_TURNS:
        return at->number / 360.0;
    default:
        return at->number;
    }
}

static void put_scalar(const slot *at, void *to) {
    switch (at->row->stored) {
    case STORED_INT:
        *(int *)to = (int)at->whole;
        break;
    case STORED_BOOL:
        *(bool *)to = at->whole != 0;
        break;
    case STORED_UINT32:
        *(uint32_t *)to = (uint32_t)at->whole;
        break;
    case STORED_UINT64:
        *(uint64_t *)to = at->whole;
        break;
    case STORED_TEXT:
        *(const char **)to = at->text;
        break;
    case STORED_DOUBLE:
    case STORED_WIDENED:
    case STORED_DOUBLE_TURNS:
        *(double *)to = in_unit(at);
        break;
    default:
        *(float *)to = (float)in_unit(at);
    }
}

/* The numbers of a list are stored one after another, 4 bytes each. */
static bool put_given(dunlin_simulation *simulation, const slot *at, char *to) {
    if (at->row->stored == STORED_SPECIES) return dun_find_species(simulation, at, -1, (int *)(void *)to);
    if (at->type == VALUE_ENTRY) return dun_bind(simulation, at, to);
    if (at->type != VALUE_LIST) put_scalar(at, to);
    for (uint32_t i = 0; at->type == VALUE_LIST && i < at->count; i++) put_scalar(dun_inside(at, i), to + i * sizeof(float));
    return true;
}

bool dun_bind(dunlin_simulation *simulation, const slot *entry, void *def) {
    bool done = true;
    for (const slot *at = dun_inside(entry, 0); at < dun_inside(entry, entry->count) && done; at++) {
        char *to = (char *)def + at->row->offset;
        if (at->row->stored == STORED_FIELD || at->row->stored == STORED_PATH)
            done = dun_find_named(simulation, at, at->row->stored == STORED_FIELD ? "fields" : "paths", (int *)(void *)to);
        else if (at->row->stored != STORED_NOT && at->line > 0)
            done = put_given(simulation, at, to);
        else if (at->row->stored != STORED_NOT && at->row->has_default)
            put_scalar(at, to);
    }
    return done;
}

/* ---- the world and species -------------------------------------------------------------------------------------------- */

static dunlin_world_def new_world(const dunlin_simulation *simulation) {
    dunlin_world_def def = dunlin_world_def_default();
    def.seed = dun_part(simulation, "seed")->whole;
    def.threads = simulation->def.threads;
    if (simulation->def.kernel) def.kernel = simulation->def.kernel;
    if (simulation->def.index) def.index = simulation->def.index;
    return def;
}

bool dun_put_world(dunlin_simulation *simulation, const slot *entry) {
    dunlin_world_def def = simulation->world ? dunlin_world_get_def(simulation->world) : new_world(simulation);
    if (!dun_bind(simulation, entry, &def)) return false;
    dunlin_result result = simulation->world
                               ? dunlin_world_set_def(simulation->world, &def, simulation->error)
                               : dunlin_world_create_part(&def, &simulation->transport, &simulation->world, simulation->error);
    /* Kernels, like the threads and the index, come from the caller: the file has no place for them. */
    if (result == DUNLIN_ERROR_VALUE && strncmp(simulation->error->message, "world.threads", 13) != 0)
        return dun_located(simulation, entry, "world", result);
    return result == DUNLIN_OK;
}

bool dun_has_role(const slot *species, dunlin_role role) {
    const slot *attributes = dun_field(species, "attributes");
    for (uint32_t i = 0; i < attributes->count; i++)
        if (dun_field(dun_inside(attributes, i), "role")->whole == (uint64_t)role) return true;
    return false;
}

bool dun_check_role(dunlin_simulation *simulation, const slot *at, int species, dunlin_role role) {
    const slot *entry = dun_inside(dun_part(simulation, "species"), (uint32_t)species);
    return dun_has_role(entry, role) || FAIL(simulation, at, "species '%s' needs an attribute with role: %s for this",
                                             text_of(entry, "name"), dun_choice_name(dun_role_names, (int)role));
}

static bool check_has_groups(dunlin_simulation *simulation, const slot *at, int species) {
    const dunlin_species_def def = dunlin_world_get_species(simulation->world, species);
    return def.groups > 0 || FAIL(simulation, at, "species '%s' needs groups for this: how many it has", def.name);
}

static bool check_bodies_and_groups(dunlin_simulation *simulation, const slot *entry, const dunlin_species_def *def) {
    const int species = (int)dun_position(entry);
    const slot *agents = dun_field(entry, "agents");
    if (def->body_of >= 0 && agents->whole > 0)
        return FAIL(simulation, agents, "it is %llu; the engine makes a body for each group, so it must be 0",
                    (unsigned long long)agents->whole);
    const slot *births = dun_field(entry, "growth");
    if (def->body_of >= 0 && births->count > 0)
        return FAIL(simulation, births, "the engine makes a body for each group; allowed: only in a species without body_of");
    return (def->body_of < 0 || (check_has_groups(simulation, dun_field(entry, "body_of"), def->body_of) &&
                                 dun_check_role(simulation, dun_field(entry, "body_of"), species, DUNLIN_ROLE_BODY))) &&
           (def->regroup.every == 0 || dun_check_role(simulation, dun_field(entry, "regroup"), species, DUNLIN_ROLE_GROUP));
}

/* Pictures show what is there: attributes of the species, or a kind of colour. */
static bool check_look(dunlin_simulation *simulation, const slot *entry) {
    const slot *look = dun_field(entry, "look");
    for (uint32_t i = 0; i < look->count; i++) {
        const slot *field = dun_inside(look, i);
        const bool is_colour = strcmp(field->row->name, "colour") == 0;
        words others = {.wanted = field->type == VALUE_TEXT ? field->text : NULL};
        if (!others.wanted || (is_colour && dun_choice_find(dun_colour_names, field->text))) continue;
        for (const choice *kind = dun_colour_names; is_colour && kind->name; kind++) dun_words_add(&others, kind->name);
        if (dun_find_entry(dun_field(entry, "attributes"), field, &others) < 0)
            return fail_name(simulation, field, "attribute", &others);
    }
    return true;
}

bool dun_put_species(dunlin_simulation *simulation, const slot *entry) {
    dunlin_species_def def = dunlin_species_def_default();
    return dun_bind(simulation, entry, &def) && check_bodies_and_groups(simulation, entry, &def) &&
           check_look(simulation, entry) && PUT(simulation, entry, species, (int)dun_position(entry), &def);
}

bool dun_put_all(dunlin_simulation *simulation, const slot *list, dun_put_fn *put) {
    bool done = true;
    for (uint32_t i = 0; i < list->count && done; i++) {
        const slot *entry = dun_inside(list, i);
        done = simulation->all ? dun_try(simulation, entry, put) : put(simulation, entry);
    }
    return done;
}

bool dun_visit_all(dunlin_simulation *simulation, const slot *list, dun_put_fn *visit) {
    bool done = true;
    for (uint32_t i = 0; i < list->count && done; i++) done = visit(simulation, dun_inside(list, i));
    return done;
}

/* ---- attributes ------------------------------------------------------------------------------------------------------- */

/* The entry of `behaviours` becomes the number of its behaviour of this species. */
static bool set_behaviour(dunlin_simulation *simulation, const slot *entry, dunlin_attribute_def *def) {
    const slot *given = dun_field(entry, "behaviour");
    const bool wanted = def->role == DUNLIN_ROLE_BEHAVIOUR_WEIGHT;
    if (given->line > 0 && !wanted) return FAIL(simulation, given, "allowed: only with role: behaviour_weight");
    if (given->line == 0 && wanted) return FAIL(simulation, given, "it is missing: which of the behaviours, counted from 0");
    if (!wanted) return true;
    const uint32_t entries = dun_part(simulation, "behaviours")->count;
    if (given->whole >= entries)
        return FAIL(simulation, given, "it is %llu; the file has %u behaviours, counted from 0",
                    (unsigned long long)given->whole, entries);
    const int first = simulation->first_behaviour[given->whole], count = simulation->first_behaviour[given->whole + 1] - first;
    def->behaviour = count > 1 ? first + def->species : first;
    return true;
}

/* The engine ignores the maximum scale of another role. */
static bool check_max_scale(const dunlin_simulation *simulation, const slot *entry, const dunlin_attribute_def *def) {
    if (def->max_scale == 1.0f || strstr(dun_choice_name(dun_role_names, (int)def->role), "radius_scale")) return true;
    return FAIL_FIELD(simulation, entry, "max_scale", "allowed: only with role: radius_scale, or that of one rule");
}

static bool set_name(dunlin_simulation *simulation, const slot *entry, dunlin_attribute_def *def) {
    if (has(entry, "name")) return true;
    def->name = dun_choice_name(dun_role_names, (int)def->role);
    return def->role != DUNLIN_ROLE_VALUE ||
           FAIL_FIELD(simulation, entry, "name", "it is missing; only an attribute with another role is named after its role");
}

/* The engine's fields have other names in the file. */
static bool locate(dunlin_simulation *simulation, const slot *entry, dunlin_result result) {
    static const char *const fields[][2] = {{"attribute.value ", "mean"},
                                            {"attribute.deviation ", "deviation"},
                                            {"attribute.min_value ", "min"},
                                            {"attribute.max_value ", "max"}};
    const dunlin_error inner = *simulation->error;
    const slot *one = dun_one_of(entry);
    for (size_t i = 0; i < 4 && result != DUNLIN_OK && one->type != VALUE_NUMBER; i++) {
        const size_t length = strlen(fields[i][0]);
        if (strncmp(inner.message, fields[i][0], length) != 0) continue;
        const slot *at = one->type == VALUE_LIST ? dun_inside(one, i == 3) : dun_field(one, fields[i][1]);
        return dun_fail_at(simulation->file.name, at, inner.code, simulation->error, "it %s", inner.message + length);
    }
    return dun_located(simulation, entry, "attribute", result);
}

static bool add_attribute(dunlin_simulation *simulation, const slot *entry) {
    dunlin_attribute_def def = dunlin_attribute_def_default();
    def.species = (int)dun_position(dun_parent(dun_parent(entry)));
    const uint8_t type = dun_one_of(entry)->type;
    const bool in_turn = strcmp(dun_one_of(entry)->row->name, "in_turn") == 0;
    if (type == VALUE_LIST) def.distribution = in_turn ? DUNLIN_DISTRIBUTION_IN_TURN : DUNLIN_DISTRIBUTION_EVEN;
    if (type == VALUE_ENTRY) def.distribution = DUNLIN_DISTRIBUTION_NORMAL;
    if (!dun_bind(simulation, entry, &def)) return false;
    if (def.role == DUNLIN_ROLE_GROUP && !check_has_groups(simulation, dun_field(entry, "role"), def.species)) return false;
    return check_max_scale(simulation, entry, &def) && set_name(simulation, entry, &def) &&
           set_behaviour(simulation, entry, &def) &&
           locate(simulation, entry, dunlin_world_add_attribute(simulation->world, &def, NULL, simulation->error));
}

bool dun_add_attributes(dunlin_simulation *simulation, const slot *species) {
    return dun_put_all(simulation, dun_field(species, "attributes"), add_attribute);
}

/* ---- interactions ----------------------------------------------------------------------------------------------------- */

static const char *const rule_names[DUNLIN_RULE_COUNT] = {"separation", "alignment", "cohesion"};

/* The engine ignores the limit of a response that has none; in a file, `response: direct` was forgotten. */
static bool finish_rule(dunlin_simulation *simulation, const slot *entry, const slot *given, dunlin_rule *rule) {
    if (given->line == 0) return true;
    if (!has(given, "half_angle") && has(entry, "half_angle"))
        rule->half_angle = (float)(number_of(entry, "half_angle") * pi / 180.0);
    if (!has(given, "limit") || rule->response == DUNLIN_RESPONSE_DIRECT) return true;
    return FAIL_FIELD(simulation, given, "limit", "it is %g; allowed: only with response: direct", number_of(given, "limit"));
}

static bool check_kin(dunlin_simulation *simulation, const slot *given, const dunlin_interaction_def *def, dunlin_kin kin) {
    const slot *at = dun_field(given, "kin");
    return kin == DUNLIN_KIN_ALL || (dun_check_role(simulation, at, def->observer, DUNLIN_ROLE_GROUP) &&
                                     dun_check_role(simulation, at, def->observed, DUNLIN_ROLE_GROUP));
}

/* The engine would check this too, but it knows the rules by number. */
static bool check_order(dunlin_simulation *simulation, const slot *entry, const dunlin_interaction_def *def) {
    bool named[DUNLIN_RULE_COUNT] = {false};
    for (int i = 0; i < DUNLIN_RULE_COUNT; i++) named[def->order[i]] = true;
    if (named[0] && named[1] && named[2]) return true;
    return FAIL_FIELD(simulation, entry, "order",
                      "it leaves out a rule; allowed: separation, alignment, cohesion, each once, in any order");
}

bool dun_put_interaction(dunlin_simulation *simulation, const slot *entry) {
    dunlin_interaction_def def = dunlin_interaction_def_default();
    if (!dun_find_species(simulation, dun_field(entry, "observer"), dun_only_species(simulation), &def.observer)) return false;
    def.observed = def.observer;
    bool done = dun_bind(simulation, entry, &def) && check_order(simulation, entry, &def);
    for (int kind = 0; kind < DUNLIN_RULE_COUNT && done; kind++) {
        const slot *given = dun_field(entry, rule_names[kind]);
        done =
            finish_rule(simulation, entry, given, &def.rules[kind]) && check_kin(simulation, given, &def, def.rules[kind].kin);
    }
    return done && PUT(simulation, entry, interaction, (int)dun_position(entry), &def);
}
