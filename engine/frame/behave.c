/* SPDX-License-Identifier: MIT */
/* Behave: the forces of a species' behaviours, and the births and deaths that its callbacks ask for. */
#include <math.h>
#include <string.h>

#include "engine/behaviours/type.h"
#include "engine/frame/stages.h"
#include "engine/world/attribute.h"
#include "engine/world/edges.h"
#include "engine/world/use.h"

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
        .periodic = dun_is_periodic(&world->def),
        .max_speed = dun_attribute_varied(species, agents, DUNLIN_ROLE_MAX_SPEED, species->def.max_speed),
        .max_force = max_force_of(behaviour, species, agents),
        .weight = {def->negate_force ? -def->weight : def->weight, dun_behaviour_weights(species, agents, number)}};
    for (int a = 0; a < world->def.dimensions; a++) job.size[a] = dun_fold_size(&world->def, a);
    return job;
}

void dun_behaviours_prepare(dun_frame *f) {
    for (int b = 0; b < f->world->behaviour_count; b++) {
        const dun_behaviour *behaviour = &f->world->behaviours[b];
        dun_act *act = &f->memory->acts[b];
        act->job = job_of(f, b);
        act->acts = !behaviour->type->prepare || behaviour->type->prepare(f, behaviour, &act->job);
    }
}

static void begin_at(dun_varied *varied, uint32_t begin) {
    if (varied->each) varied->each += begin;
}

/* The frame's job with the tile's arrays. */
static dun_behave tile_job(const dun_frame *f, const dun_tile *tile, const dun_act *act) {
    const dun_agents *agents = f->snapshot[tile->species];
    dun_behave job = act->job;
    job.id = agents->id + tile->begin;
    begin_at(&job.max_speed, tile->begin);
    begin_at(&job.max_force, tile->begin);
    begin_at(&job.weight, tile->begin);
    for (int a = 0; a < f->world->def.dimensions; a++) {
        job.position[a] = agents->position[a] + tile->begin;
        job.velocity[a] = agents->velocity[a] + tile->begin;
        job.force[a] = tile->scratch->force[a];
    }
    return job;
}

/* The sums over the agents that the behaviour observes. */
static dun_behave_others sum_others(const dun_frame *f, const dun_tile *tile, const dun_interaction *sums) {
    dun_scratch *scratch = tile->scratch;
    dun_lap(scratch, &scratch->ns_steer);
    dun_interact_tile(f, tile, sums);
    dun_behave_others others = {.seen = scratch->sums.seen};
    for (int a = 0; a < f->world->def.dimensions; a++) {
        others.offset[a] = scratch->sums.offset[a];
        others.velocity[a] = scratch->sums.velocity[a];
    }
    return others;
}

/*
 * A callback may assign -0, which no sum that begins with +0 gives. Whether something is added to it later, such as 0, may
 * depend on the lanes beside it, and if the velocity is -0 too the bits would show that.
 */
static void clear_signs_of_forces(int dimensions, uint32_t count, float *const force[3]) {
    for (int a = 0; a < dimensions; a++)
        for (uint32_t i = 0; i < count; i++) force[a][i] += 0.0f;
}

/* A callback may have rewritten attributes, too. */
static void call_back(const dun_frame *f, const dun_tile *tile, const dun_behaviour *behaviour) {
    if (dun_use_has_failed(f->world)) return;
    behaviour->type->call(f, tile, behaviour);
    clear_signs_of_forces(f->world->def.dimensions, tile->end - tile->begin, tile->scratch->force);
    dun_attributes_clamp(f->world->species[tile->species], f->snapshot[tile->species], f->next[tile->species], tile->begin,
                         tile->end);
}

static void act(const dun_frame *f, const dun_tile *tile) {
    for (int b = 0; b < f->world->behaviour_count; b++) {
        const dun_behaviour *behaviour = &f->world->behaviours[b];
        if (behaviour->def.species != tile->species || !f->memory->acts[b].acts) continue;
        if (behaviour->type->call) {
            call_back(f, tile, behaviour);
            continue;
        }
        dun_behave job = tile_job(f, tile, &f->memory->acts[b]);
        if (behaviour->sums.sums_over) job.others = sum_others(f, tile, &behaviour->sums);
        if (behaviour->type->others) behaviour->type->others(f, tile, behaviour, &job.others);
        if (behaviour->type->rewrite)
            behaviour->type->rewrite(f, tile, behaviour, &job);
        else
            tile->kernel->behave[behaviour->type->kernel](&job, tile->end - tile->begin);
    }
}

/* Callbacks and meals rewrite the new state's attributes, which begin as the snapshot's. */
static void copy_attributes(const dun_frame *f, const dun_tile *tile) {
    const dun_agents *from = f->snapshot[tile->species], *to = f->next[tile->species];
    for (int i = 0; i < f->world->species[tile->species]->attribute_count; i++) {
        if (!dun_attribute_rewritten(f->world->species[tile->species], i)) continue;
        memcpy(to->attribute[i] + tile->begin, from->attribute[i] + tile->begin, (tile->end - tile->begin) * sizeof(float));
        if (f->world->species[tile->species]->attribute[i].def.role != DUNLIN_ROLE_SINCE_MEAL) continue;
        for (uint32_t k = tile->begin; k < tile->end; k++)
            to->attribute[i][k] = min_float(to->attribute[i][k] + f->world->def.time_step, DUN_MAX_VALUE);
    }
}

/* Only callbacks ask for births and deaths. */
void dun_behave_tile(const dun_frame *f, const dun_tile *tile) {
    const dun_species *species = f->world->species[tile->species];
    const uint32_t births = tile->scratch->births.count;
    if (species->rewritten) copy_attributes(f, tile);
    if (species->calls_back) memset(species->dies + tile->begin, 0, tile->end - tile->begin);
    act(f, tile);
    if (species->calls_back) dun_life_close(f, tile, births);
    dun_lap(tile->scratch, &tile->scratch->ns_steer);
}
