/* SPDX-License-Identifier: MIT */
/* Custom: forces, births and deaths by the caller's own function, a tile at a time. */
#include "engine/behaviours/type.h"
#include "engine/world/attribute.h"

static dunlin_result check(const dunlin_world *world, const dunlin_behaviour_def *def, dunlin_error *error) {
    (void)world;
    return def->custom ? DUNLIN_OK : dun_fail(error, DUNLIN_ERROR_VALUE, "behaviour.custom is NULL");
}

static void call(const dun_frame *f, const dun_tile *tile, const dun_behaviour *behaviour) {
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

const dun_behaviour_type dun_custom_behaviour = {.name = "custom", .bears = true, .check = check, .call = call};
