/* SPDX-License-Identifier: MIT */
/* Species: adding, asking, changing. */
#include "engine/world/species.h"

#include <string.h>

#include "engine/base/check.h"
#include "engine/world/agree.h"
#include "engine/world/attribute.h"
#include "engine/world/ids.h"
#include "engine/world/list.h"
#include "engine/world/memory.h"
#include "engine/world/use.h"

dunlin_species_def dunlin_species_def_default(void) {
    return (dunlin_species_def){.cookie = DUN_COOKIE,
                                .name = "agents",
                                .max_speed = 1.0f,
                                .max_force = 0.1f,
                                .body_of = -1,
                                .regroup = {.radius = 1.0f, .min_agents = 1}};
}

/* `own`: the species whose name it is to be; below 0: a new one. */
static dunlin_result check_species_name(const dunlin_world *world, const char *name, int own, dunlin_error *error) {
    const dunlin_result result = dun_check_name("species.name", name, error);
    const int other = result ? own : dunlin_world_find_species(world, name);
    if (other < 0 || other == own) return result;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "species.name is '%s': another species has that name already", name);
}

/* Bodies stand for the groups of another species, which has some, and no species stands for itself in the end. */
static dunlin_result check_body(const dunlin_world *world, const dunlin_species_def *def, int own, dunlin_error *error) {
    if (def->groups == 0 && def->regroup.every > 0)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "species.regroup.every is %d: the species has no groups, set species.groups",
                        def->regroup.every);
    for (int s = 0; s < world->species_count && own >= 0 && def->groups == 0; s++)
        if (world->species[s]->def.body_of == own)
            return dun_fail(error, DUNLIN_ERROR_VALUE, "species.groups is 0: species %d has bodies of its groups", s);
    if (world->cluster && (def->body_of >= 0 || def->regroup.every > 0))
        return dun_fail(error, DUNLIN_ERROR_VALUE, "%s does not work across ranks: run it in one world",
                        def->body_of >= 0 ? "species.body_of" : "species.regroup");
    if (def->body_of == -1) return DUNLIN_OK;
    const dunlin_result result = dun_list_check(world, DUN_LIST_SPECIES, def->body_of, "species.body_of", error);
    if (result) return result;
    for (int s = def->body_of; s >= 0; s = world->species[s]->def.body_of)
        if (s == own)
            return dun_fail(error, DUNLIN_ERROR_VALUE, "species.body_of is %d: the species would be bodies of its own bodies",
                            def->body_of);
    if (world->species[def->body_of]->def.groups > 0) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "species.body_of is %d: that species has no groups", def->body_of);
}

static dunlin_result check_species(const dunlin_world *world, const dunlin_species_def *def, int own, dunlin_error *error) {
    if (!def) return dun_fail(error, DUNLIN_ERROR_VALUE, "def is NULL: make one with dunlin_species_def_default()");
    dunlin_result result = dun_check_cookie(def->cookie, "dunlin_species_def", error);
    if (!result) result = check_species_name(world, def->name, own, error);
    const dun_number numbers[] = {
        {(double)def->max_speed, {"species.max_speed", 0, 1e9, false, NULL}},
        {(double)def->min_speed, {"species.min_speed", 0, (double)def->max_speed, false, "(species.max_speed)"}},
        {(double)def->max_force, {"species.max_force", 0, 1e9, false, NULL}},
        {(double)def->drag, {"species.drag", 0, 1, false, NULL}},
        {(double)def->friction, {"species.friction", 0, 1e9, false, "velocity per time unit"}},
        {(double)def->clearance, {"species.clearance", 0, 1e9, false, "world units"}},
        {(double)def->groups, {"species.groups", 0, DUNLIN_MAX_GROUPS, false, NULL}},
        {(double)def->regroup.every, {"species.regroup.every", 0, 1e9, false, "steps"}}};
    const dun_number regroup[] = {
        {(double)def->regroup.radius, {"species.regroup.radius", (double)1e-9f, 1e9, false, "world units"}},
        {(double)def->regroup.min_agents, {"species.regroup.min_agents", 1, 1e9, false, "agents"}}};
    if (!result) result = dun_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
    if (!result && def->regroup.every > 0) result = dun_check_numbers(regroup, 2, error);
    return result ? result : check_body(world, def, own, error);
}

/* Whether the behaviour can stay when the species changes to `def`. What it needs, it needed when it was added. */
static dunlin_result check_user(const dunlin_behaviour_def *user, int number, int species, const dunlin_species_def *def,
                                dunlin_error *error) {
    const bool aims = dun_aims_at_groups(user);
    if (aims && user->target.species == species && def->groups == 0)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "species.groups is 0: behaviour %d has a group as its target", number);
    if (aims && user->species == species && def->groups == 0 && def->body_of != user->target.species)
        return dun_fail(error, DUNLIN_ERROR_VALUE,
                        "species.groups is 0 and species.body_of is %d: behaviour %d has a group as its target", def->body_of,
                        number);
    if (user->kind == DUNLIN_BEHAVIOUR_BODY && user->body == species && def->body_of != user->species)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "species.body_of is %d: behaviour %d uses the force on its bodies",
                        def->body_of, number);
    return DUNLIN_OK;
}

static dunlin_result check_users(const dunlin_world *world, int species, const dunlin_species_def *def, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int b = 0; b < world->behaviour_count && !result; b++)
        result = check_user(&world->behaviours[b].def, b, species, def, error);
    return result;
}

/* The name may be the species' own, as dunlin_world_get_species() returns it. */
static void take_over_species(dun_species *species, const dunlin_species_def *def) {
    memmove(species->name, def->name, strlen(def->name) + 1);
    species->def = *def;
    species->def.name = species->name;
}

dunlin_result dunlin_world_add_species(dunlin_world *world, const dunlin_species_def *def, int *species, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = check_species(world, def, -1, error);
    if (!result && world->species_count == DUNLIN_MAX_SPECIES)
        result =
            dun_fail(error, DUNLIN_ERROR_VALUE, "the world has %d species already, which is the maximum", DUNLIN_MAX_SPECIES);
    if (result) return result;
    dun_species *made = dun_allocate_zeros(world->heap, 1, sizeof *made);
    if (made) made->index = world->index_type->create(world->heap);
    if (!made || !made->index) {
        dun_free(made);
        return dun_fail_memory(error, "a species");
    }
    take_over_species(made, def);
    made->own_end = UINT32_MAX;
    if (species) *species = world->species_count;
    world->species[world->species_count++] = made;
    dun_unprepare(world);
    dun_groups_forget(world);
    return DUNLIN_OK;
}

int dunlin_world_species_count(const dunlin_world *world) {
    return world->species_count;
}

dunlin_species_def dunlin_world_get_species(const dunlin_world *world, int species) {
    if (species < 0 || species >= world->species_count) return (dunlin_species_def){0};
    return world->species[species]->def;
}

dunlin_result dunlin_world_set_species(dunlin_world *world, int species, const dunlin_species_def *def, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = dun_species_check(world, species, error);
    if (!result) result = check_species(world, def, species, error);
    if (!result) result = dun_attributes_check_groups(world->species[species], def->groups, error);
    if (!result) result = check_users(world, species, def, error);
    result = dun_agree(world, result, error);
    if (result) return result;
    const dunlin_species_def *before = &world->species[species]->def;
    if (before->groups != def->groups || before->body_of != def->body_of) dun_unprepare(world);
    take_over_species(world->species[species], def);
    dun_groups_forget(world);
    return DUNLIN_OK;
}

int dunlin_world_find_species(const dunlin_world *world, const char *name) {
    for (int s = 0; name && s < world->species_count; s++)
        if (strcmp(world->species[s]->name, name) == 0) return s;
    return -1;
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

void dun_species_free(const dunlin_world *world, dun_species *species) {
    if (!species) return;
    for (int b = 0; b < 2; b++) dun_agents_free(&species->buffer[b]);
    dun_free(species->dies);
    dun_free(species->segments.list);
    dun_free(species->order);
    dun_free(species->groups);
    for (int i = 0; i < 2; i++) dun_free(species->slots[i]);
    if (species->index) world->index_type->destroy(species->index);
    dun_free(species);
}

/* ---- removing -------------------------------------------------------------------------------------------------------- */

dunlin_result dunlin_world_remove_species(dunlin_world *world, int number, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dun_removal r = {.from = DUN_LIST_SPECIES, .number = number};
    const dunlin_result result = dun_removal_check(world, &r, error);
    if (result) return result;
    uint64_t agents = world->species[number]->count;
    dun_all_reduce(world, &agents, 1);
    if (agents) dun_ids_spend(world, world->next_id);
    dun_species_free(world, world->species[number]);
    dun_removal_finish(world, &r);
    world->ids.valid = false;
    world->generation++;
    return DUNLIN_OK;
}
