/* SPDX-License-Identifier: MIT */
/* Custom: forces, births and deaths by the caller's own function, a tile at a time. */
#include "engine/behaviours/type.h"
#include "engine/world/attribute.h"

static void set_custom_default(const dunlin_world *world, dunlin_behaviour_def *def) {
    (void)world;
    def->vital = -1;
}

static dunlin_result check_custom_role(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    const dunlin_attribute_def *attribute = &world->species[def->species]->attribute[def->vital].def;
    if (attribute->role == DUNLIN_ROLE_VALUE) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.vital is %d, '%s': its role must be value, and it is %s", def->vital,
                    attribute->name, dun_names_of_role.words[attribute->role]);
}

/* Attributes may be added later than behaviours. */
static dunlin_result check_custom_behaviour(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    if (!def->custom) return dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.custom is NULL: set it to a function");
    if (def->vital < -1 || def->vital >= DUNLIN_MAX_ATTRIBUTES)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.vital is %d: it must be from -1 (none) to %d", def->vital,
                        DUNLIN_MAX_ATTRIBUTES - 1);
    const bool is_there = def->vital >= 0 && def->vital < world->species[def->species]->attribute_count;
    return is_there ? check_custom_role(world, def, error) : DUNLIN_OK;
}

static dunlin_result check_custom_step(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    if (def->vital < 0) return DUNLIN_OK;
    const int count = world->species[def->species]->attribute_count;
    const dunlin_result result = dun_check_position(def->vital, count, "behaviour.vital", " attributes of that species", error);
    return result ? result : check_custom_role(world, def, error);
}

static void call_custom(const dun_frame *f, const dun_tile *tile, const dun_behaviour *behaviour) {
    const dun_species *species = f->world->species[tile->species];
    const dun_agents *agents = f->snapshot[tile->species], *next = f->next[tile->species];
    const dunlin_nest nest = {f->world, &tile->scratch->births};
    dunlin_tile shown = {.species = tile->species,
                         .count = tile->end - tile->begin,
                         .id = agents->id + tile->begin,
                         .dies = species->dies + tile->begin,
                         .step = f->world->stats.step,
                         .nest = &nest};
    for (int a = 0; a < f->world->def.dimensions; a++) {
        shown.position[a] = agents->position[a] + tile->begin;
        shown.velocity[a] = agents->velocity[a] + tile->begin;
        shown.force[a] = tile->scratch->force[a];
    }
    for (int i = 0; i < species->attribute_count; i++) {
        shown.attribute[i] = agents->attribute[i] + tile->begin;
        if (dun_attribute_rewritten(species, i)) shown.next_attribute[i] = next->attribute[i] + tile->begin;
    }
    behaviour->def.custom(behaviour->def.user, &shown);
}

const dun_behaviour_type dun_custom_behaviour = {.name = "custom",
                                                 .bears = true,
                                                 .set_default = set_custom_default,
                                                 .check = check_custom_behaviour,
                                                 .check_step = check_custom_step,
                                                 .call = call_custom};
