/* SPDX-License-Identifier: MIT */
/* Interactions: checks, and the loop that sums over neighbours. */
#include "engine/world/interaction.h"

#include <math.h>
#include <stdio.h>

#include "engine/base/check.h"
#include "engine/base/names.h"
#include "engine/base/trig.h"
#include "engine/world/attribute.h"
#include "engine/world/list.h"
#include "engine/world/use.h"

#define TURN      6.283185307179586         /* radians, in binary64 */
#define HALF_TURN (double)(float)(TURN / 2) /* rounded to binary32, which is about an ulp above */

dunlin_interaction_def dunlin_interaction_def_default(void) {
    dunlin_interaction_def def = {.cookie = DUN_COOKIE};
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
        def.rules[r] = (dunlin_rule){.weight = 1.0f, .limit = INFINITY};
        def.order[r] = (dunlin_rule_kind)r;
    }
    return def;
}

dunlin_interaction_def dunlin_interaction_boids(float radius) {
    dunlin_interaction_def def = dunlin_interaction_def_default();
    def.rules[DUNLIN_RULE_SEPARATION].radius = radius / 2;
    def.rules[DUNLIN_RULE_ALIGNMENT].radius = def.rules[DUNLIN_RULE_COHESION].radius = radius;
    return def;
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

/* Returns `name`: "interaction.separation.radius". */
static const char *name_field(int rule, const char *field, char name[64]) {
    snprintf(name, 64, "interaction.%s.%s", dun_names_of_rule.words[rule], field);
    return name;
}

static dunlin_result check_rule(const dunlin_rule *rule, int kind, dunlin_error *error) {
    const double radius = (double)rule->radius, min_radius = radius == 0.0 ? 0.0 : (double)1e-9f;
    const dun_number numbers[] = {{radius, {"radius", min_radius, 1e9, false, "world units (or 0: off)"}},
                                  {(double)rule->min_radius, {"min_radius", 0, radius, false, "world units (its radius)"}},
                                  {(double)rule->half_angle, {"half_angle", 0, HALF_TURN, false, "radians (or 0: all around)"}},
                                  {(double)rule->weight, {"weight", -1e6, 1e6, false, NULL}},
                                  {(double)rule->limit, {"limit", 0, (double)INFINITY, false, NULL}}};
    const struct {
        int value;
        const char *field;
        const dun_names *names;
    } choices[] = {{(int)rule->response, "response", &dun_names_of_response},
                   {(int)rule->falloff, "falloff", &dun_names_of_falloff},
                   {(int)rule->kin, "kin", &dun_names_of_kin}};
    char name[64];
    dunlin_result result = DUNLIN_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !result; i++) {
        dun_limits range = numbers[i].range;
        range.field = name_field(kind, range.field, name);
        result = dun_check(numbers[i].value, &range, error);
    }
    for (size_t i = 0; i < sizeof choices / sizeof *choices && !result; i++)
        result = dun_check_choice(choices[i].value, name_field(kind, choices[i].field, name), choices[i].names, error);
    return result;
}

static dunlin_result check_order(const dunlin_interaction_def *def, dunlin_error *error) {
    int found[DUNLIN_RULE_COUNT] = {0}, twice = -1;
    char field[32], allowed[64];
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < DUNLIN_RULE_COUNT && !result; i++) {
        snprintf(field, sizeof field, "interaction.order[%d]", i);
        result = dun_check_choice((int)def->order[i], field, &dun_names_of_rule, error);
        if (!result && ++found[def->order[i]] > 1) twice = (int)def->order[i];
    }
    if (result || twice < 0) return result;
    dun_names_list(&dun_names_of_rule, allowed, sizeof allowed);
    return dun_fail(error, DUNLIN_ERROR_VALUE, "interaction.order has %s twice: it must have %s, each once",
                    dun_names_of_rule.words[twice], allowed);
}

/* `own`: the interaction that is to become this one; below 0: none. */
static dunlin_result check_pair(const dunlin_world *world, const dunlin_interaction_def *def, int own, dunlin_error *error) {
    dunlin_result result = dun_list_check(world, DUN_LIST_SPECIES, def->observer, "interaction.observer", error);
    if (!result) result = dun_list_check(world, DUN_LIST_SPECIES, def->observed, "interaction.observed", error);
    if (result) return result;
    for (int i = 0; i < world->interaction_count; i++) {
        const dunlin_interaction_def *other = &world->interactions[i].def;
        if (i != own && other->observer == def->observer && other->observed == def->observed)
            return dun_fail(error, DUNLIN_ERROR_VALUE, "interaction of species %d with species %d: the world has one already",
                            def->observer, def->observed);
    }
    return DUNLIN_OK;
}

static dunlin_result check_interaction(const dunlin_world *world, const dunlin_interaction_def *def, int own,
                                       dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_interaction_def_default()");
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_interaction_def", error);
    if (!result) result = check_pair(world, def, own, error);
    for (int r = 0; r < DUNLIN_RULE_COUNT && !result; r++) result = check_rule(&def->rules[r], r, error);
    if (!result) result = check_order(def, error);
    const dun_number numbers[] = {{def->nearest, {"interaction.nearest", 0, DUN_MAX_NEAREST, false, "(0: all)"}},
                                  {def->max_neighbours, {"interaction.max_neighbours", 0, INT32_MAX, false, "(0: all)"}}};
    if (!result) result = dun_check_numbers(numbers, 2, error);
    if (result) return result;
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++)
        if (def->rules[r].radius > 0.0f) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "interaction has no rule: set at least one radius above 0");
}

/* ---- the selection ---------------------------------------------------------------------------------------------------- */

static bool looks_around(const dunlin_rule *rule) {
    return rule->half_angle == 0.0f || (double)rule->half_angle >= HALF_TURN;
}

static bool selects(const dunlin_interaction_def *def) {
    bool any = def->nearest > 0 || def->max_neighbours > 0 || def->ignore_coincident;
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
        const dunlin_rule *rule = &def->rules[r];
        any = any || (rule->radius > 0.0f && (rule->min_radius > 0.0f || !looks_around(rule)));
    }
    return any;
}

/* c·|c|, c the cosine of the angle. The angle is rounded to binary32, in turns. */
static float view_of(const dunlin_rule *rule) {
    if (looks_around(rule)) return DUN_ALL_AROUND;
    float sine, cosine;
    dun_sincos_turns((float)((double)rule->half_angle / TURN), &sine, &cosine);
    return cosine * fabsf(cosine);
}

static dun_selection selection_of(const dunlin_interaction_def *def) {
    dun_rule_selection sight[DUNLIN_RULE_COUNT];
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
        const dunlin_rule *rule = &def->rules[r];
        sight[r] = (dun_rule_selection){dun_squared_radius(rule->radius), rule->min_radius * rule->min_radius, view_of(rule),
                                        (dun_kin)rule->kin};
    }
    return dun_selection_of(sight, (uint32_t)def->nearest, (uint32_t)def->max_neighbours, def->ignore_coincident);
}

/* ---- the shape of the loop -------------------------------------------------------------------------------------------- */

static dun_push push_of(const dunlin_rule *separation) {
    if (separation->radius == 0.0f) return DUN_PUSH_NONE;
    if (separation->falloff == DUNLIN_FALLOFF_LINEAR) return DUN_PUSH_LINEAR;
    return separation->falloff == DUNLIN_FALLOFF_CONSTANT ? DUN_PUSH_CONSTANT : DUN_PUSH_INVERSE;
}

static bool tells_kin(const dunlin_interaction_def *def) {
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++)
        if (def->rules[r].radius > 0.0f && def->rules[r].kin != DUNLIN_KIN_ALL) return true;
    return false;
}

/* Whether alignment and cohesion, or that of them which is on, count the agent's own group only. */
static bool counts_own_group(const dunlin_interaction_def *def) {
    bool on = false, own = true;
    for (int r = DUNLIN_RULE_ALIGNMENT; r <= DUNLIN_RULE_COHESION; r++) {
        if (def->rules[r].radius == 0.0f) continue;
        on = true;
        own = own && def->rules[r].kin == DUNLIN_KIN_SAME_GROUP;
    }
    return on && own;
}

static dun_shape shape_of(const dunlin_interaction_def *def, int dimensions) {
    const float separation = def->rules[DUNLIN_RULE_SEPARATION].radius;
    const float alignment = def->rules[DUNLIN_RULE_ALIGNMENT].radius, cohesion = def->rules[DUNLIN_RULE_COHESION].radius;
    dun_shape shape = {.dimensions = dimensions, .separation = push_of(&def->rules[DUNLIN_RULE_SEPARATION])};
    shape.alignment = alignment > 0.0f;
    shape.cohesion = cohesion > 0.0f;
    const bool only_separation = !shape.alignment && !shape.cohesion;
    const bool one_radius = !shape.alignment || !shape.cohesion || alignment == cohesion;
    shape.nested = only_separation || (one_radius && separation <= fmaxf(alignment, cohesion));
    shape.kin = shape.nested && counts_own_group(def);
    shape.nested = shape.nested && !shape.kin;
    if (!shape.nested) shape.alignment = shape.cohesion = true;
    return shape;
}

dun_interaction dun_interaction_of(const dunlin_world *world, const dunlin_interaction_def *def) {
    const int dimensions = world->def.dimensions;
    dun_interaction made = {.def = *def, .shape = shape_of(def, dimensions), .sums_over = DUN_SUMS_NEIGHBOURS};
    made.kin = tells_kin(def);
    if (selects(def) || (made.kin && !made.shape.kin)) {
        made.sums_over = DUN_SUMS_SELECTED;
        made.selection = selection_of(def);
        made.shape.nested = made.selection.same;
    }
    made.in_sight = selection_of(def);
    made.in_sight.plain = false;
    made.look = (dun_look){.observer = def->observer, .observed = def->observed};
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) made.look.radius = fmaxf(made.look.radius, def->rules[r].radius);
    return made;
}

/* ---- adding and changing ---------------------------------------------------------------------------------------------- */

/* The plain loops list candidates by the radii of the rules: scales of one rule, or above 1, need a selection. */
static dun_interaction scaled(const dunlin_world *world, const dunlin_interaction_def *def) {
    dun_interaction made = dun_interaction_of(world, def);
    const dun_species *observer = world->species[def->observer];
    bool selects = dun_attribute_max_scale(observer, DUNLIN_ROLE_RADIUS_SCALE) > 1.0f;
    made.scales = true;
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
        made.look.radius = fmaxf(made.look.radius, def->rules[r].radius * dun_max_scale(observer, r));
        selects = selects || dun_attribute_of_role(observer, dun_scale_of_rule(r)) >= 0;
    }
    if (!selects) return made;
    made.sums_over = DUN_SUMS_SELECTED;
    made.selection = made.in_sight;
    made.shape.nested = false;
    return made;
}

void dun_interactions_scale(dunlin_world *world) {
    for (int i = 0; i < world->interaction_count; i++) world->interactions[i] = scaled(world, &world->interactions[i].def);
}

dunlin_result dunlin_world_add_interaction(dunlin_world *world, const dunlin_interaction_def *def, int *interaction,
                                           dunlin_error *error) {
    DUN_CHANGE(world, error);
    const dunlin_result result = check_interaction(world, def, -1, error);
    if (result) return result;
    const dun_interaction made = scaled(world, def);
    return dun_list_add(world, DUN_LIST_INTERACTIONS, &made, interaction, error);
}

int dunlin_world_interaction_count(const dunlin_world *world) {
    return world->interaction_count;
}

dunlin_interaction_def dunlin_world_get_interaction(const dunlin_world *world, int interaction) {
    if (dun_list_check(world, DUN_LIST_INTERACTIONS, interaction, NULL, NULL)) return (dunlin_interaction_def){0};
    return world->interactions[interaction].def;
}

dunlin_result dunlin_world_set_interaction(dunlin_world *world, int interaction, const dunlin_interaction_def *def,
                                           dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = dun_list_check(world, DUN_LIST_INTERACTIONS, interaction, NULL, error);
    if (!result) result = check_interaction(world, def, interaction, error);
    if (result) return result;
    world->interactions[interaction] = scaled(world, def);
    dun_unprepare(world);
    return DUNLIN_OK;
}

dunlin_result dunlin_world_remove_interaction(dunlin_world *world, int interaction, dunlin_error *error) {
    DUN_CHANGE(world, error);
    return dun_list_remove(world, DUN_LIST_INTERACTIONS, interaction, NULL, error);
}
