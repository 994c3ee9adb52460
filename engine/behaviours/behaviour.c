/* SPDX-License-Identifier: MIT */
/* The world's behaviours: adding, asking and changing. What one kind does stands in its own file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/entry.h"
#include "engine/behaviours/targets.h"
#include "engine/behaviours/type.h"
#include "engine/world/interaction.h"
#include "engine/world/species.h"
#include "engine/world/use.h"

#define TYPE(kind, type) [kind] = &(type),
static const dun_behaviour_type *const behaviour_types[DUNLIN_BEHAVIOUR_COUNT] = {DUN_BEHAVIOUR_TABLE(TYPE)};

#define REFERENCE(kind, type) [kind] = &(type).reference,
static const dun_reference *const references[DUNLIN_BEHAVIOUR_COUNT] = {DUN_BEHAVIOUR_TABLE(REFERENCE)};

static void set_defaults(const dun_behaviour_type *type, const dunlin_world *world, dunlin_behaviour_def *def) {
    for (const dun_behaviour_number *n = type->numbers; n->range.field; n++)
        memcpy((char *)def + n->offset, &n->value, sizeof n->value);
    if (type->set_default) type->set_default(world, def);
}

/* A definition's kind may change later, so the fields of all kinds get their defaults. */
dunlin_behaviour_def dunlin_behaviour_def_default(const dunlin_world *world, dunlin_behaviour_kind kind) {
    DUN_OWN_FLOATS();
    dunlin_behaviour_def def = {.cookie = DUN_COOKIE, .kind = kind, .weight = 1.0f, .max_force = -1.0f, .radius = INFINITY};
    for (int k = 0; k < DUNLIN_BEHAVIOUR_COUNT; k++) {
        set_defaults(behaviour_types[k], world, &def);
        if (k == (int)kind && behaviour_types[k]->radius > 0.0f) def.radius = behaviour_types[k]->radius;
    }
    return def;
}

/* ---- checks ----------------------------------------------------------------------------------------------------------- */

static dunlin_result check_behaviour_kind(dunlin_behaviour_kind kind, dunlin_error *error) {
    const char *words[DUNLIN_BEHAVIOUR_COUNT];
    const dun_names names = {words, DUNLIN_BEHAVIOUR_COUNT};
    for (int k = 0; k < DUNLIN_BEHAVIOUR_COUNT; k++) words[k] = behaviour_types[k]->name;
    return dun_check_choice((int)kind, "behaviour.kind", &names, error);
}

static dunlin_result check_reference(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    static const dun_limits any_radius = {"behaviour.radius", (double)1e-9f, 1e9, false, "world units, to observe others"};
    const dun_reference *reference = references[def->kind];
    if (!dun_reference_used(reference, def)) return DUNLIN_OK;
    const dunlin_result result =
        dun_list_check(world, reference->to, dun_reference_number(reference, def), reference->field, error);
    const bool sums = reference->to == DUN_LIST_SPECIES && behaviour_types[def->kind]->look &&
                      !behaviour_types[def->kind]->call &&
                      !(behaviour_types[def->kind]->has_target && dun_target_is_group(&def->target));
    return result || !sums ? result : dun_check((double)def->radius, &any_radius, error);
}

static dunlin_result check_fields(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    const dun_behaviour_type *type = behaviour_types[def->kind];
    dunlin_result result = DUNLIN_OK;
    for (const dun_behaviour_number *n = type->numbers; n->range.field && !result; n++) {
        float value;
        memcpy(&value, (const char *)def + n->offset, sizeof value);
        result = dun_check((double)value, &n->range, error);
    }
    if (!result) result = check_reference(world, def, error);
    return result || !type->check ? result : type->check(world, def, error);
}

static dunlin_result check_behaviour(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    static const dun_limits any_weight = {"behaviour.weight", -1e6, 1e6, false, NULL};
    static const dun_limits any_max_force = {"behaviour.max_force", 0, 1e9, false, "(or below 0: the species')"};
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_behaviour_def_default()");
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_behaviour_def", error);
    if (!result) result = dun_list_check(world, DUN_LIST_SPECIES, def->species, "behaviour.species", error);
    if (!result) result = dun_check((double)def->weight, &any_weight, error);
    if (!result && !(def->max_force < 0.0f)) result = dun_check((double)def->max_force, &any_max_force, error);
    if (!result) result = check_behaviour_kind(def->kind, error);
    return result ? result : check_fields(world, def, error);
}

/* An attribute may weigh this behaviour: then it must stay with its species, and cannot become a callback. */
static dunlin_result check_weights_this(const dunlin_world *world, int behaviour, const dunlin_behaviour_def *def,
                                        dunlin_error *error) {
    const int number = world->behaviours[behaviour].def.species;
    const dun_species *species = world->species[number];
    for (int i = 0; i < species->attribute_count; i++) {
        const dunlin_attribute_def *attribute = &species->attribute[i].def;
        if (attribute->role != DUNLIN_ROLE_BEHAVIOUR_WEIGHT || attribute->behaviour != behaviour) continue;
        if (def->species != number)
            return dun_fail(error, DUNLIN_ERROR_VALUE,
                            "behaviour.species is %d: it must stay %d, because its attribute '%s' weighs this behaviour",
                            def->species, number, attribute->name);
        if (behaviour_types[def->kind]->call || behaviour_types[def->kind]->rewrite)
            return dun_fail(error, DUNLIN_ERROR_VALUE,
                            "behaviour.kind is %s, which has no weight: attribute '%s' weighs this behaviour",
                            behaviour_types[def->kind]->name, attribute->name);
    }
    return DUNLIN_OK;
}

/* ---- adding, asking, changing ----------------------------------------------------------------------------------------- */

static dun_behaviour behaviour_of(const dunlin_world *world, const dunlin_behaviour_def *def) {
    dun_behaviour made = {
        .def = *def, .type = behaviour_types[def->kind], .references = references, .since = world->stats.time};
    made.weightless = made.type->call || made.type->rewrite;
    if (made.type->look) made.sums = made.type->look(world, def);
    made.look = made.sums.look;
    return made;
}

/* dun_world_prepare() reserves memory by what behaviours observe, and by which species call back. */
static bool to_prepare(const dun_behaviour *behaviour) {
    return behaviour->weightless || behaviour->look.radius > 0.0f;
}

/* Whether other groups are to be summed up, and other attributes must be there. */
static bool needs_other_groups(const dunlin_behaviour_def *a, const dunlin_behaviour_def *b) {
    return a->kind != b->kind || a->species != b->species || a->body != b->body || a->target.kind != b->target.kind ||
           a->target.species != b->target.species;
}

dunlin_result dunlin_world_add_behaviour(dunlin_world *world, const dunlin_behaviour_def *def, int *behaviour,
                                         dunlin_error *error) {
    DUN_CHANGE(world, error);
    const dunlin_result result = check_behaviour(world, def, error);
    if (result) return result;
    const dun_behaviour made = behaviour_of(world, def);
    return dun_list_add(world, DUN_LIST_BEHAVIOURS, &made, behaviour, error);
}

int dunlin_world_behaviour_count(const dunlin_world *world) {
    return world->behaviour_count;
}

dunlin_behaviour_def dunlin_world_get_behaviour(const dunlin_world *world, int behaviour) {
    DUN_OWN_FLOATS();
    if (dun_list_check(world, DUN_LIST_BEHAVIOURS, behaviour, NULL, NULL)) return (dunlin_behaviour_def){0};
    dunlin_behaviour_def def = world->behaviours[behaviour].def;
    dun_target_place(world, &world->behaviours[behaviour], def.target.position);
    return def;
}

dunlin_result dunlin_world_set_behaviour(dunlin_world *world, int behaviour, const dunlin_behaviour_def *def,
                                         dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = dun_list_check(world, DUN_LIST_BEHAVIOURS, behaviour, NULL, error);
    if (!result) result = check_behaviour(world, def, error);
    if (!result) result = check_weights_this(world, behaviour, def, error);
    if (result) return result;
    dun_behaviour *changed = &world->behaviours[behaviour];
    dun_behaviour now = behaviour_of(world, def);
    const bool regroups = needs_other_groups(&now.def, &changed->def);
    world->prepared = world->prepared && !to_prepare(&now) && !to_prepare(changed) && !regroups;
    /* The target's present place is rounded: restarting there would give other bits. */
    if (dun_target_goes_on(world, changed, &def->target)) {
        memcpy(now.def.target.position, changed->def.target.position, sizeof now.def.target.position);
        now.since = changed->since;
    }
    *changed = now;
    if (regroups) dun_groups_forget(world);
    return DUNLIN_OK;
}

dunlin_result dunlin_world_remove_behaviour(dunlin_world *world, int behaviour, dunlin_error *error) {
    DUN_CHANGE(world, error);
    return dun_list_remove(world, DUN_LIST_BEHAVIOURS, behaviour, NULL, error);
}
