/* SPDX-License-Identifier: MIT */
/* Attributes: numbers that every agent of a species has. */
#include "engine/world/attribute.h"

#include <math.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/names.h"
#include "engine/base/entry.h"
#include "engine/base/random.h"
#include "engine/world/agree.h"
#include "engine/world/frame.h"
#include "engine/world/list.h"
#include "engine/world/memory.h"
#include "engine/world/species.h"
#include "engine/world/use.h"

/* At most the attribute's max_scale. */
#define SCALE                                                                                                                  \
    { NULL, (double)0.001f, 1, false, "(max_scale)" }

static const dun_limits ranges[DUNLIN_ROLE_COUNT] = {
    [DUNLIN_ROLE_VALUE] = {NULL, -(double)DUN_MAX_VALUE, (double)DUN_MAX_VALUE, false, NULL},
    [DUNLIN_ROLE_MAX_SPEED] = {NULL, 0, 1e9, false, "(a maximum speed)"},
    [DUNLIN_ROLE_MAX_FORCE] = {NULL, 0, 1e9, false, "(a maximum force)"},
    [DUNLIN_ROLE_MASS] = {NULL, (double)1e-6f, 1e6, false, "(a mass)"},
    [DUNLIN_ROLE_RADIUS_SCALE] = SCALE,
    [DUNLIN_ROLE_SEPARATION_WEIGHT] = {NULL, -1e6, 1e6, false, "(a weight)"},
    [DUNLIN_ROLE_ALIGNMENT_WEIGHT] = {NULL, -1e6, 1e6, false, "(a weight)"},
    [DUNLIN_ROLE_COHESION_WEIGHT] = {NULL, -1e6, 1e6, false, "(a weight)"},
    [DUNLIN_ROLE_BEHAVIOUR_WEIGHT] = {NULL, -1e6, 1e6, false, "(a weight)"},
    [DUNLIN_ROLE_GROUP] = {NULL, 0, DUNLIN_MAX_GROUPS - 1, false, "(a group)"},
    [DUNLIN_ROLE_LEADERSHIP] = {NULL, -(double)DUN_MAX_VALUE, (double)DUN_MAX_VALUE, false, NULL},
    [DUNLIN_ROLE_BODY] = {NULL, 0, DUNLIN_MAX_GROUPS - 1, false, "(a group)"},
    [DUNLIN_ROLE_SINCE_MEAL] = {NULL, 0, (double)DUN_MAX_VALUE, false, "time units"},
    [DUNLIN_ROLE_SEPARATION_RADIUS_SCALE] = SCALE,
    [DUNLIN_ROLE_ALIGNMENT_RADIUS_SCALE] = SCALE,
    [DUNLIN_ROLE_COHESION_RADIUS_SCALE] = SCALE,
};

static bool is_whole(dunlin_role role) {
    return role == DUNLIN_ROLE_GROUP || role == DUNLIN_ROLE_BODY;
}

static bool is_scale(dunlin_role role) {
    return role == DUNLIN_ROLE_RADIUS_SCALE ||
           (role >= DUNLIN_ROLE_SEPARATION_RADIUS_SCALE && role <= DUNLIN_ROLE_COHESION_RADIUS_SCALE);
}

static dun_limits range_of(const dun_species *species, const dunlin_attribute_def *def) {
    dun_limits range = ranges[def->role];
    if (def->role == DUNLIN_ROLE_GROUP) range.max = species->def.groups - 1;
    if (is_scale(def->role)) range.max = (double)def->max_scale;
    return range;
}

dunlin_attribute_def dunlin_attribute_def_default(void) {
    return (dunlin_attribute_def){.cookie = DUN_COOKIE, .value = 1.0f, .max_value = 1.0f, .max_scale = 1.0f};
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result check_value(const dun_species *species, float value, const dunlin_attribute_def *def, const char *field,
                                 dunlin_error *error) {
    dun_limits range = range_of(species, def);
    range.field = field;
    const dunlin_result result = dun_check((double)value, &range, error);
    if (result || !is_whole(def->role) || value == floorf(value)) return result;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "%s is %g: it must be a whole number (a group)", field, (double)value);
}

/* `own`: the attribute that is to become this one; below 0: none. */
static dunlin_result check_name(const dunlin_world *world, const dunlin_attribute_def *def, int own, dunlin_error *error) {
    static const char *const taken[] = {"id", "species", "x", "y", "z", "vx", "vy", "vz", "step", "time", "next_id"};
    const dunlin_result result = dun_check_name("attribute.name", def->name, error);
    if (result) return result;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(def->name, taken[i]) == 0)
            return dun_fail(error, DUNLIN_ERROR_VALUE, "attribute.name is '%s': a column of state files has that name",
                            def->name);
    const int other = dunlin_world_find_attribute(world, def->species, def->name);
    if (other < 0 || other == own) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "attribute.name is '%s': another attribute of the species has that name already",
                    def->name);
}

static dunlin_result check_weighted(const dunlin_world *world, const dunlin_attribute_def *def, dunlin_error *error) {
    const dunlin_result result = dun_list_check(world, DUN_LIST_BEHAVIOURS, def->behaviour, "attribute.behaviour", error);
    if (result) return result;
    const dunlin_behaviour_def *behaviour = &world->behaviours[def->behaviour].def;
    if (behaviour->species != def->species)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "attribute.behaviour is %d: it belongs to species %d, not %d",
                        def->behaviour, behaviour->species, def->species);
    if (world->behaviours[def->behaviour].weightless)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "attribute.behaviour is %d: its kind has no weight", def->behaviour);
    return DUNLIN_OK;
}

static dunlin_result check_role(const dunlin_world *world, const dunlin_attribute_def *def, int own, dunlin_error *error) {
    dunlin_result result = dun_check_choice((int)def->role, "attribute.role", &dun_names_of_role, error);
    if (!result && def->role == DUNLIN_ROLE_BEHAVIOUR_WEIGHT) result = check_weighted(world, def, error);
    if (result || def->role == DUNLIN_ROLE_VALUE) return result;
    const dun_species *species = world->species[def->species];
    if (def->role == DUNLIN_ROLE_GROUP && species->def.groups == 0)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "attribute.role is group: the species has no groups, set species.groups");
    for (int i = 0; i < species->attribute_count; i++) {
        const dunlin_attribute_def *other = &species->attribute[i].def;
        if (i != own && other->role == def->role &&
            (def->role != DUNLIN_ROLE_BEHAVIOUR_WEIGHT || other->behaviour == def->behaviour))
            return dun_fail(error, DUNLIN_ERROR_VALUE, "attribute.role is %s: the species' attribute '%s' has it already%s",
                            dun_names_of_role.words[def->role], other->name,
                            def->role == DUNLIN_ROLE_BEHAVIOUR_WEIGHT ? ", for the same behaviour" : "");
    }
    return DUNLIN_OK;
}

static dunlin_result check_distribution(const dun_species *species, const dunlin_attribute_def *def, dunlin_error *error) {
    const bool same = def->distribution == DUNLIN_DISTRIBUTION_SAME, normal = def->distribution == DUNLIN_DISTRIBUTION_NORMAL;
    const dun_limits deviations = {"attribute.deviation", 0, (double)DUN_MAX_VALUE, false, NULL};
    const dun_limits above = {"attribute.max_value", (double)def->min_value, (double)DUN_MAX_VALUE, false,
                              "(attribute.min_value)"};
    const dun_number numbers[] = {{(double)def->mutation, {"attribute.mutation", 0, (double)DUN_MAX_VALUE, false, NULL}},
                                  {(double)def->max_scale, {"attribute.max_scale", 1, 1000, false, NULL}}};
    dunlin_result result = dun_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
    if (!result) result = dun_check_choice((int)def->distribution, "attribute.distribution", &dun_names_of_distribution, error);
    if (!result && (same || normal)) result = check_value(species, def->value, def, "attribute.value", error);
    if (!result && normal) result = dun_check((double)def->deviation, &deviations, error);
    if (result || same) return result;
    result = check_value(species, def->min_value, def, "attribute.min_value", error);
    if (!result) result = check_value(species, def->max_value, def, "attribute.max_value", error);
    return result ? result : dun_check((double)def->max_value, &above, error);
}

static dunlin_result check_attribute(const dunlin_world *world, const dunlin_attribute_def *def, int own, dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_attribute_def_default()");
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_attribute_def", error);
    if (!result) result = dun_list_check(world, DUN_LIST_SPECIES, def->species, "attribute.species", error);
    if (!result) result = check_name(world, def, own, error);
    if (!result) result = check_role(world, def, own, error);
    if (!result) result = check_distribution(world->species[def->species], def, error);
    if (!result && own < 0 && world->species[def->species]->attribute_count == DUNLIN_MAX_ATTRIBUTES)
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "the species has %d attributes already, which is the maximum",
                          DUNLIN_MAX_ATTRIBUTES);
    return result;
}

dunlin_result dun_attribute_check(const dunlin_world *world, int species, int attribute, float value, dunlin_error *error) {
    const dunlin_attribute_def *def = &world->species[species]->attribute[attribute].def;
    return check_value(world->species[species], value, def, def->name, error);
}

static dunlin_result check_values(const dun_species *species, const dunlin_attribute_def *def, const float *values,
                                  uint32_t count, dunlin_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        dunlin_error inner;
        if (check_value(species, values[i], def, def->name, &inner) == DUNLIN_OK) continue;
        return dun_fail(error, DUNLIN_ERROR_VALUE, "agent %u: %.280s", i, inner.message);
    }
    return DUNLIN_OK;
}

dunlin_result dun_attributes_check(const dunlin_world *world, int number, const dunlin_batch *batch, dunlin_error *error) {
    const dun_species *species = world->species[number];
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < species->attribute_count && !result; i++)
        if (batch->attribute[i])
            result = check_values(species, &species->attribute[i].def, batch->attribute[i], batch->count, error);
    return result;
}

dunlin_result dun_attributes_check_groups(const dun_species *species, int groups, dunlin_error *error) {
    const float *group = dun_attribute_column(species, &species->buffer[species->current], DUNLIN_ROLE_GROUP);
    uint32_t least = 0; /* the number of groups that the present ones need */
    for (int i = 0; i < species->attribute_count; i++) {
        const dunlin_attribute_def *def = &species->attribute[i].def;
        if (def->role != DUNLIN_ROLE_GROUP) continue;
        const bool same = def->distribution == DUNLIN_DISTRIBUTION_SAME;
        least = max_u32((uint32_t)(same ? def->value : def->max_value) + 1, least);
    }
    for (uint32_t i = 0; group && i < species->count; i++) least = max_u32((uint32_t)group[i] + 1, least);
    if ((uint32_t)groups >= least) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "species.groups is %d: it must be at least %u, for its agents and attributes",
                    groups, least);
}

/* ---- drawing ---------------------------------------------------------------------------------------------------------- */

/* Of an attribute whose values are whole, the last one has as large a share as the others. */
static float draw_even(const dunlin_attribute_def *def, float u) {
    const float whole = is_whole(def->role) ? 1.0f : 0.0f;
    return min_float(def->min_value + u * (def->max_value - def->min_value + whole), def->max_value);
}

static float take_turns(const dunlin_attribute_def *def, uint32_t id) {
    const double numbers = fmin(floor((double)def->max_value - (double)def->min_value) + 1.0, 0x1p32);
    return (float)((double)def->min_value + (double)(id % (uint64_t)numbers));
}

enum { DRAWS = 3, PER_DRAW = 4 }; /* the sum of twelve numbers from [0, 1) has a variance of 1 */

static float draw_deviate(uint64_t seed, uint32_t id, uint32_t stream, uint64_t first) {
    float sum = -6.0f;
    for (uint64_t draw = first; draw < first + DRAWS; draw++) {
        float u[PER_DRAW];
        dun_random(seed, id, stream, draw, u);
        for (int i = 0; i < PER_DRAW; i++) sum += u[i];
    }
    return sum;
}

static float draw_unrounded(const dunlin_world *world, int number, const dunlin_attribute_def *def, uint32_t id) {
    if (def->distribution == DUNLIN_DISTRIBUTION_SAME) return def->value;
    if (def->distribution == DUNLIN_DISTRIBUTION_IN_TURN) return take_turns(def, id);
    const uint32_t stream = dun_stream(DUN_DRAW_ATTRIBUTE, (uint32_t)number);
    if (def->distribution == DUNLIN_DISTRIBUTION_EVEN) {
        float u[PER_DRAW];
        dun_random(world->def.seed, id, stream, 0, u);
        return draw_even(def, u[0]);
    }
    const float deviate = draw_deviate(world->def.seed, id, stream, 0);
    return max_float(min_float(def->value + def->deviation * deviate, def->max_value), def->min_value);
}

static float draw_value(const dunlin_world *world, int number, const dunlin_attribute_def *def, uint32_t id) {
    const float value = draw_unrounded(world, number, def, id);
    return is_whole(def->role) ? floorf(value) + 0.0f : value;
}

/* ---- inheriting ------------------------------------------------------------------------------------------------------- */

static float clamp_inherited(const dun_species *species, const dunlin_attribute_def *def, float value) {
    const dun_limits range = range_of(species, def);
    const bool same = def->distribution == DUNLIN_DISTRIBUTION_SAME;
    const float min = same ? (float)range.min : def->min_value, max = same ? (float)range.max : def->max_value;
    const float inside = max_float(min_float(value, max), min);
    return is_whole(def->role) ? floorf(inside) + 0.0f : inside;
}

void dunlin_tile_inherit(const dunlin_tile *tile, uint32_t parent, uint32_t child, float values[DUNLIN_MAX_ATTRIBUTES]) {
    DUN_OWN_FLOATS();
    const dunlin_world *world = tile->nest->world;
    const dun_species *species = world->species[tile->species];
    for (int i = 0; i < species->attribute_count; i++) {
        const dunlin_attribute_def *def = &species->attribute[i].def;
        values[i] = def->role == DUNLIN_ROLE_SINCE_MEAL ? 0.0f : tile->attribute[i][parent];
        if (def->mutation == 0.0f) continue;
        const uint32_t stream = dun_stream(DUN_DRAW_MUTATION, child * DUNLIN_MAX_ATTRIBUTES + (uint32_t)i);
        const float deviate = draw_deviate(world->def.seed, tile->id[parent], stream, tile->step * DRAWS);
        values[i] = clamp_inherited(species, def, values[i] + def->mutation * deviate);
    }
}

/* ---- drawing, for others ---------------------------------------------------------------------------------------------- */

float dun_attribute_draw(const dunlin_world *world, int species, int attribute, uint32_t id) {
    return draw_value(world, attribute, &world->species[species]->attribute[attribute].def, id);
}

static void draw_values(const dunlin_world *world, int number, int attribute, const dun_agents *agents, uint32_t begin,
                        uint32_t end) {
    const dunlin_attribute_def *def = &world->species[number]->attribute[attribute].def;
    for (uint32_t i = begin; i < end; i++) agents->attribute[attribute][i] = draw_value(world, attribute, def, agents->id[i]);
}

/* Kernels compare the bits of groups. */
static void clear_signs_of_zero(dunlin_role role, float *values, uint32_t count) {
    for (uint32_t i = 0; i < count && is_whole(role); i++) values[i] += 0.0f;
}

void dun_attributes_append(dunlin_world *world, int number, const dunlin_batch *batch, uint32_t first) {
    const dun_species *species = world->species[number];
    const dun_agents *agents = &species->buffer[species->current];
    for (int i = 0; i < species->attribute_count; i++) {
        if (batch->attribute[i])
            memcpy(agents->attribute[i] + first, batch->attribute[i], batch->count * sizeof(float));
        else
            draw_values(world, number, i, agents, first, first + batch->count);
        clear_signs_of_zero(species->attribute[i].def.role, agents->attribute[i] + first, batch->count);
    }
}

/* ---- adding, setting, asking ------------------------------------------------------------------------------------------ */

/* The name may be the attribute's own, as dunlin_world_get_attribute() gives it. */
static void take_over_attribute(dun_attribute *attribute, const dunlin_attribute_def *def) {
    memmove(attribute->name, def->name, strlen(def->name) + 1);
    attribute->def = *def;
    attribute->def.name = attribute->name;
}

dunlin_result dunlin_world_add_attribute(dunlin_world *world, const dunlin_attribute_def *def, int *attribute,
                                         dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = check_attribute(world, def, -1, error);
    if (result) return result;
    dun_species *species = world->species[def->species];
    dun_species_unshift(world, species);
    const int number = species->attribute_count;
    float *columns[2] = {NULL, NULL};
    for (int b = 0; b < 2 && species->room; b++) columns[b] = dun_attribute_allocate(world->heap, number, b, species->room);
    if (species->room && (!columns[0] || !columns[1])) result = dun_fail_memory(error, "an attribute");
    result = dun_agree(world, result, error);
    if (result) {
        dun_column_free(columns[0]);
        dun_column_free(columns[1]);
        return result;
    }
    take_over_attribute(&species->attribute[number], def);
    for (int b = 0; b < 2; b++) species->buffer[b].attribute[number] = columns[b];
    species->attribute_count++;
    dun_unprepare(world); /* steps may have to rewrite it */
    dun_groups_forget(world);
    draw_values(world, def->species, number, &species->buffer[species->current], 0, species->count);
    if (attribute) *attribute = number;
    return DUNLIN_OK;
}

int dunlin_world_attribute_count(const dunlin_world *world, int species) {
    return species < 0 || species >= world->species_count ? 0 : world->species[species]->attribute_count;
}

dunlin_attribute_def dunlin_world_get_attribute(const dunlin_world *world, int species, int attribute) {
    if (attribute < 0 || attribute >= dunlin_world_attribute_count(world, species)) return (dunlin_attribute_def){0};
    return world->species[species]->attribute[attribute].def;
}

int dunlin_world_find_attribute(const dunlin_world *world, int species, const char *name) {
    for (int i = 0; name && i < dunlin_world_attribute_count(world, species); i++)
        if (strcmp(world->species[species]->attribute[i].name, name) == 0) return i;
    return -1;
}

static dunlin_result check_number(const dunlin_world *world, int species, int attribute, dunlin_error *error) {
    const dunlin_result result = dun_species_check(world, species, error);
    return result ? result : dun_list_check(world->species[species], DUN_LIST_ATTRIBUTES, attribute, NULL, error);
}

/* Checks that the agents' values, and the meals that use the attribute, allow it to become `def`. */
static dunlin_result check_changed(const dunlin_world *world, int number, int attribute, const dunlin_attribute_def *def,
                                   dunlin_error *error) {
    const dun_species *species = world->species[number];
    if (def->species != number)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "attribute.species is %d: it must stay %d", def->species, number);
    for (int m = 0; m < world->meal_count && def->role != DUNLIN_ROLE_VALUE; m++) {
        const dunlin_meal_def *meal = &world->meals[m];
        if ((meal->eater == number && meal->energy == attribute) || (meal->food == number && meal->worth == attribute))
            return dun_fail(error, DUNLIN_ERROR_VALUE, "attribute.role is %s: it must stay value, because meal %d uses it",
                            dun_names_of_role.words[def->role], m);
    }
    return check_values(species, def, species->buffer[species->current].attribute[attribute], species->count, error);
}

dunlin_result dunlin_world_set_attribute(dunlin_world *world, int number, int attribute, const dunlin_attribute_def *def,
                                         dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = check_number(world, number, attribute, error);
    if (!result) result = check_attribute(world, def, attribute, error);
    if (!result) result = check_changed(world, number, attribute, def, error);
    result = dun_agree(world, result, error);
    if (result) return result;
    dun_species *species = world->species[number];
    take_over_attribute(&species->attribute[attribute], def);
    clear_signs_of_zero(def->role, species->buffer[species->current].attribute[attribute], species->count);
    dun_unprepare(world); /* interactions may need groups */
    dun_groups_forget(world);
    return DUNLIN_OK;
}

dunlin_result dunlin_world_set_attribute_values(dunlin_world *world, int number, int attribute, const float *values,
                                                dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = check_number(world, number, attribute, error);
    if (!result && !values)
        result = dun_fail(error, DUNLIN_ERROR_VALUE, "values is NULL: it must point at one number per agent");
    if (!result) result = dun_check_whole(world, "dunlin_world_set_attribute_values()", error);
    if (result) return result;
    const dun_species *species = world->species[number];
    result = check_values(species, &species->attribute[attribute].def, values, species->count, error);
    if (!result && species->count)
        memmove(species->buffer[species->current].attribute[attribute], values, species->count * sizeof *values);
    if (!result)
        clear_signs_of_zero(species->attribute[attribute].def.role, species->buffer[species->current].attribute[attribute],
                            species->count);
    dun_groups_forget(world);
    return result;
}

dunlin_result dunlin_world_remove_attribute(dunlin_world *world, int number, int attribute, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dun_removal r = {.from = DUN_LIST_ATTRIBUTES, .number = attribute, .species = number};
    dunlin_result result = dun_species_check(world, number, error);
    if (!result) result = dun_removal_check(world, &r, error);
    if (result) return result;
    dun_species *species = world->species[number];
    dun_species_unshift(world, species);
    const size_t behind = (size_t)(species->attribute_count - 1 - attribute);
    for (int b = 0; b < 2; b++) {
        float **columns = species->buffer[b].attribute;
        dun_column_free(columns[attribute]);
        memmove(columns + attribute, columns + attribute + 1, behind * sizeof *columns);
        columns[species->attribute_count - 1] = NULL;
    }
    dun_removal_finish(world, &r);
    for (int i = attribute; i < species->attribute_count; i++) species->attribute[i].def.name = species->attribute[i].name;
    world->generation++;
    return DUNLIN_OK;
}

/* ---- callbacks -------------------------------------------------------------------------------------------------------- */

void dun_attributes_clamp(const dun_species *species, const dun_agents *before, const dun_agents *after, uint32_t begin,
                          uint32_t end) {
    for (int i = 0; i < species->attribute_count; i++) {
        const dun_limits range = range_of(species, &species->attribute[i].def);
        const float min = (float)range.min, max = (float)range.max;
        float *values = after->attribute[i];
        for (uint32_t k = begin; k < end; k++)
            values[k] = values[k] == values[k] ? max_float(min_float(values[k], max), min) : before->attribute[i][k];
        for (uint32_t k = begin; k < end && is_whole(species->attribute[i].def.role); k++) values[k] = floorf(values[k]) + 0.0f;
    }
}

/* ---- for kernels ------------------------------------------------------------------------------------------------------ */

int dun_attribute_of_role(const dun_species *species, dunlin_role role) {
    for (int i = 0; i < species->attribute_count; i++)
        if (species->attribute[i].def.role == role) return i;
    return -1;
}

const float *dun_attribute_column(const dun_species *species, const dun_agents *agents, dunlin_role role) {
    const int attribute = dun_attribute_of_role(species, role);
    return attribute < 0 ? NULL : agents->attribute[attribute];
}

float dun_attribute_max_scale(const dun_species *species, dunlin_role role) {
    const int attribute = dun_attribute_of_role(species, role);
    return attribute < 0 ? 1.0f : species->attribute[attribute].def.max_scale;
}

dun_varied dun_attribute_varied(const dun_species *species, const dun_agents *agents, dunlin_role role, float all) {
    const bool factor = role >= DUNLIN_ROLE_SEPARATION_WEIGHT;
    const float *each = dun_attribute_column(species, agents, role);
    return (dun_varied){each && !factor ? 1.0f : all, each};
}

const float *dun_behaviour_weights(const dun_species *species, const dun_agents *agents, int behaviour) {
    for (int i = 0; i < species->attribute_count; i++) {
        const dunlin_attribute_def *def = &species->attribute[i].def;
        if (def->role == DUNLIN_ROLE_BEHAVIOUR_WEIGHT && def->behaviour == behaviour) return agents->attribute[i];
    }
    return NULL;
}
