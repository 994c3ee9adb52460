/* SPDX-License-Identifier: MIT */
/* How agents are drawn: what the file says, and where it says nothing, what suits a scenario. */
#include "engine/base/entry.h"

#include "harness/scenario/build.h"

#include <math.h>
#include <string.h>

/* A species with that fraction of the agents of another is lost among them. */
static const double rare = 1.0 / 30.0;

static const slot *list_of(const dunlin_scenario *scenario, const char *name) {
    return dun_field(scenario->file.slots, name);
}

/* ---- shapes ----------------------------------------------------------------------------------------------------------- */

static const dunlin_outline outlines[DUNLIN_SHAPE_COUNT] = {
    [DUNLIN_SHAPE_DART] = {0.0f, 4, {{0.58f, 0.0f}, {-0.42f, 0.27f}, {-0.22f, 0.0f}, {-0.42f, -0.27f}}},
    [DUNLIN_SHAPE_TRIANGLE] = {0.0f, 3, {{0.58f, 0.0f}, {-0.42f, 0.30f}, {-0.42f, -0.30f}}},
    [DUNLIN_SHAPE_BUTTERFLY] = {0.0f, 24, {{0.28f, 0.0f},    {0.16f, 0.05f},   {0.42f, 0.42f},   {0.46f, 0.58f},
                                           {0.34f, 0.66f},   {0.10f, 0.58f},   {-0.05f, 0.34f},  {-0.16f, 0.48f},
                                           {-0.34f, 0.48f},  {-0.42f, 0.36f},  {-0.34f, 0.18f},  {-0.14f, 0.05f},
                                           {-0.32f, 0.0f},   {-0.14f, -0.05f}, {-0.34f, -0.18f}, {-0.42f, -0.36f},
                                           {-0.34f, -0.48f}, {-0.16f, -0.48f}, {-0.05f, -0.34f}, {0.10f, -0.58f},
                                           {0.34f, -0.66f},  {0.46f, -0.58f},  {0.42f, -0.42f},  {0.16f, -0.05f}}},
    [DUNLIN_SHAPE_FISH] = {0.0f,
                           14,
                           {{0.50f, 0.0f},
                            {0.40f, 0.10f},
                            {0.22f, 0.18f},
                            {0.0f, 0.18f},
                            {-0.18f, 0.11f},
                            {-0.30f, 0.04f},
                            {-0.50f, 0.20f},
                            {-0.42f, 0.0f},
                            {-0.50f, -0.20f},
                            {-0.30f, -0.04f},
                            {-0.18f, -0.11f},
                            {0.0f, -0.18f},
                            {0.22f, -0.18f},
                            {0.40f, -0.10f}}},
    [DUNLIN_SHAPE_TADPOLE] = {0.0f,
                              12,
                              {{0.40f, 0.0f},
                               {0.34f, 0.13f},
                               {0.22f, 0.19f},
                               {0.08f, 0.17f},
                               {-0.04f, 0.10f},
                               {-0.16f, 0.045f},
                               {-0.60f, 0.0f},
                               {-0.16f, -0.045f},
                               {-0.04f, -0.10f},
                               {0.08f, -0.17f},
                               {0.22f, -0.19f},
                               {0.34f, -0.13f}}},
    [DUNLIN_SHAPE_CIRCLE] = {0.5f, 0, {{0.0f, 0.0f}}},
    [DUNLIN_SHAPE_DOT] = {0.25f, 0, {{0.0f, 0.0f}}},
};

dunlin_outline dunlin_shape_outline(dunlin_shape shape) {
    return (unsigned)shape < DUNLIN_SHAPE_COUNT ? outlines[shape] : (dunlin_outline){0};
}

const char *dunlin_shape_name(dunlin_shape shape) {
    return dun_choice_name(dun_shape_names, (int)shape);
}

const char *dunlin_colour_name(dunlin_colour colour) {
    return colour == DUNLIN_COLOUR_ATTRIBUTE ? "attribute" : dun_choice_name(dun_colour_names, (int)colour);
}

/* ---- which species a text names --------------------------------------------------------------------------------------- */

static const char *species_name(const slot *species) {
    const char *name = text_of(species, "name");
    return name ? name : "agents";
}

static bool names(const slot *field, const slot *species) {
    if (!field->text) return dun_parent(species)->count == 1;
    return strcmp(field->text, species_name(species)) == 0 || strcmp(field->text, "all") == 0;
}

/* ---- headings that mean something ------------------------------------------------------------------------------------- */

static bool aligns(const slot *interaction, const slot *species) {
    const slot *rule = dun_field(interaction, "alignment"), *observed = dun_field(interaction, "observed");
    const bool is_own = names(dun_field(interaction, "observer"), species) && (!observed->text || names(observed, species));
    return is_own && rule->count > 0 && number_of(rule, "radius") > 0.0 && number_of(rule, "weight") > 0.0;
}

/* A behaviour of weight 0 does nothing. */
static bool acts(const slot *given) {
    const bool has_weight = given->count > 0 && dun_table_find(dun_slot_table(given), "weight", 6) >= 0;
    return given->line > 0 && (!has_weight || number_of(given, "weight") > 0.0);
}

/* Whether one of these fields acts in an entry that is about the species. */
static bool has_one(const slot *list, const slot *species, const char *const fields[], size_t count) {
    for (uint32_t i = 0; i < list->count; i++) {
        const slot *entry = dun_inside(list, i);
        for (size_t k = 0; k < count && names(dun_field(entry, "species"), species); k++)
            if (acts(dun_field(entry, fields[k]))) return true;
    }
    return false;
}

static bool has_order(const dunlin_scenario *scenario, const slot *species) {
    static const char *const behaviours[] = {"flow", "follow_path"}, *const models[] = {"vicsek", "couzin", "matching"};
    const slot *interactions = list_of(scenario, "interactions");
    for (uint32_t i = 0; i < interactions->count; i++)
        if (aligns(dun_inside(interactions, i), species)) return true;
    return has_one(list_of(scenario, "behaviours"), species, behaviours, 2) ||
           has_one(list_of(scenario, "models"), species, models, 3);
}

static dunlin_colour automatic_colour(const dunlin_scenario *scenario, const slot *species) {
    const slot *all = dun_parent(species);
    if (!has_order(scenario, species)) return DUNLIN_COLOUR_SPECIES;
    for (uint32_t i = 0; i < all->count; i++)
        if (dun_inside(all, i) != species && has_order(scenario, dun_inside(all, i))) return DUNLIN_COLOUR_SPECIES;
    return DUNLIN_COLOUR_HEADING;
}

/* ---- lengths ---------------------------------------------------------------------------------------------------------- */

static bool is_rare(const slot *species) {
    const slot *all = dun_parent(species);
    const double agents = (double)dun_field(species, "agents")->whole;
    double most = 0.0;
    for (uint32_t i = 0; i < all->count; i++) most = fmax(most, (double)dun_field(dun_inside(all, i), "agents")->whole);
    return agents > 0.0 && agents <= rare * most;
}

/* 0: of agents, 1: of their bodies, 2: of the bodies of these, ... A body's species comes after that which it is of. */
static int level_of(const slot *species) {
    const slot *all = dun_parent(species), *body_of = dun_field(species, "body_of");
    for (uint32_t i = 0; body_of->text && i < dun_position(species); i++)
        if (names(body_of, dun_inside(all, i))) return 1 + level_of(dun_inside(all, i));
    return 0;
}

/* The middle of an attribute's numbers. */
static float middle_of(const slot *attribute) {
    const slot *one = dun_one_of(attribute);
    double middle = one->number;
    if (one->type == VALUE_ENTRY) middle = number_of(one, "mean");
    if (one->type == VALUE_LIST) middle = 0.5 * (dun_inside(one, 0)->number + dun_inside(one, 1)->number);
    return middle > 0.0 ? (float)middle : 1.0f;
}

/* The position of an attribute called `size`, or of one with a mass; -1: none. */
static int automatic_size(const slot *attributes) {
    int found = -1;
    for (uint32_t i = 0; i < attributes->count; i++) {
        const slot *entry = dun_inside(attributes, i);
        const char *name = text_of(entry, "name");
        if (name && strcmp(name, "size") == 0) return (int)i;
        if (dun_field(entry, "role")->whole == DUNLIN_ROLE_MASS && found < 0) found = (int)i;
    }
    return found;
}

/* ---- the look --------------------------------------------------------------------------------------------------------- */

static void read_look(const slot *given, const slot *attributes, dunlin_look *look) {
    const slot *shape = dun_field(given, "shape"), *size_by = dun_field(given, "size_by"), *colour = dun_field(given, "colour");
    words unused = {0};
    if (shape->line > 0) look->shape = (dunlin_shape)shape->whole;
    if (has(given, "size")) look->size = (float)number_of(given, "size");
    if (size_by->text) look->size_by = dun_find_entry(attributes, size_by, &unused);
    if (has(given, "outline")) look->outline = dun_field(given, "outline")->whole != 0;
    const choice *kind = colour->text ? dun_choice_find(dun_colour_names, colour->text) : NULL;
    if (kind) look->colour = (dunlin_colour)kind->value;
    if (!colour->text || kind) return;
    look->colour_by = dun_find_entry(attributes, colour, &unused);
    if (look->colour_by >= 0) look->colour = DUNLIN_COLOUR_ATTRIBUTE;
}

dunlin_look dunlin_scenario_look(const dunlin_scenario *scenario, int species) {
    DUN_OWN_FLOATS();
    const slot *all = list_of(scenario, "species");
    if (species < 0 || (uint32_t)species >= all->count) return (dunlin_look){.size_by = -1, .colour_by = -1};
    const slot *entry = dun_inside(all, (uint32_t)species), *attributes = dun_field(entry, "attributes");
    const bool stands = number_of(entry, "max_speed") <= 0.0;
    const int level = level_of(entry);
    dunlin_look look = {
        .shape = stands ? DUNLIN_SHAPE_DOT : DUNLIN_SHAPE_DART,
        .scale = (is_rare(entry) ? 2.0f : 1.0f) * powf(1.6f, (float)level),
        .size_by = automatic_size(attributes),
        .typical = 1.0f,
        .colour = automatic_colour(scenario, entry),
        .colour_by = -1,
        .outline = level > 0 || is_rare(entry),
    };
    const slot *given = dun_field(entry, "look");
    if (given->count > 0) read_look(given, attributes, &look);
    if (look.size > 0.0f && (given->count == 0 || !has(given, "size_by"))) look.size_by = -1;
    if (look.size_by >= 0) look.typical = middle_of(dun_inside(attributes, (uint32_t)look.size_by));
    return look;
}

bool dunlin_scenario_y_is_down(const dunlin_scenario *scenario) {
    const slot *world = list_of(scenario, "world");
    return dun_field(world, "dimensions")->whole == 2 && dun_field(world, "y_axis")->whole != 0;
}
