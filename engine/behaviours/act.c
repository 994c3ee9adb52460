/* SPDX-License-Identifier: MIT */
#include "engine/behaviours/act.h"

#include <math.h>

#include "engine/behaviours/type.h"
#include "engine/world/attribute.h"

/* ---- before the tiles ------------------------------------------------------------------------------------------------- */

static dun_varied max_force_of(const dun_behaviour *behaviour, const dun_species *species, const dun_agents *agents) {
    if (behaviour->def.max_force >= 0.0f) return (dun_varied){.all = behaviour->def.max_force};
    if (behaviour->type->pushes) return (dun_varied){.all = INFINITY};
    return dun_attribute_varied(species, agents, DUNLIN_ROLE_MAX_FORCE, species->def.max_force);
}

/* The part of the job that every kind has. */
static dun_behave job_of(const dun_frame *f, int number) {
    const dunlin_world *world = f->world;
    const dun_behaviour *behaviour = &world->behaviours[number];
    const dunlin_behaviour_def *def = &behaviour->def;
    const dun_species *species = world->species[def->species];
    const dun_agents *agents = f->snapshot[def->species];
    dun_behave job = {
        .dimensions = world->def.dimensions,
        .periodic = world->def.boundary == DUNLIN_BOUNDARY_PERIODIC,
        .max_speed = dun_attribute_varied(species, agents, DUNLIN_ROLE_MAX_SPEED, species->def.max_speed),
        .max_force = max_force_of(behaviour, species, agents),
        .weight = {def->negate_force ? -def->weight : def->weight, dun_behaviour_weights(species, agents, number)}};
    for (int a = 0; a < world->def.dimensions; a++) job.size[a] = world->def.size[a];
    return job;
}

void dun_behaviours_prepare(dun_frame *f) {
    for (int b = 0; b < f->world->behaviour_count; b++) {
        const dun_behaviour *behaviour = &f->world->behaviours[b];
        dun_act *act = &f->acts[b];
        act->job = job_of(f, b);
        act->acts = !behaviour->type->prepare || behaviour->type->prepare(f, behaviour, &act->job);
    }
}

/* ---- a tile ----------------------------------------------------------------------------------------------------------- */

/*
 * A callback may assign -0, which no sum that begins with +0 gives. Whether something is added to it later, such as 0, may
 * depend on the lanes beside it, and if the velocity is -0 too the bits would show that.
 */
static void clear_signs_of_zero(int dimensions, uint32_t count, float *const force[3]) {
    for (int a = 0; a < dimensions; a++)
        for (uint32_t i = 0; i < count; i++) force[a][i] += 0.0f;
}

void dun_behaviour_act(const dun_frame *f, const dun_tile *tile, int number, const dun_behave *job) {
    const dun_behaviour *behaviour = &f->world->behaviours[number];
    const uint32_t count = tile->end - tile->begin;
    if (!behaviour->type->call) {
        f->world->kernel->behave[behaviour->type->kernel](job, count);
        return;
    }
    behaviour->type->call(f, tile, behaviour);
    clear_signs_of_zero(f->world->def.dimensions, count, tile->scratch->force);
    dun_attributes_clamp(f->world->species[tile->species], f->snapshot[tile->species], f->next[tile->species], tile->begin,
                         tile->end);
}
