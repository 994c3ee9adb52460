/* SPDX-License-Identifier: MIT */
/* Behave: the forces of a species' behaviours, and the births and deaths that its callbacks ask for. */
#include <string.h>

#include "engine/behaviours/act.h"
#include "engine/frame/stages.h"
#include "engine/world/attribute.h"

static void begin_at(dun_varied *varied, uint32_t begin) {
    if (varied->each) varied->each += begin;
}

/* The frame's job with the tile's arrays. */
static dun_behave job_of(const dun_frame *f, const dun_tile *tile, const dun_act *act) {
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
    dun_lap(scratch, &scratch->ns_interact);
    dun_behave_others others = {.seen = scratch->sums.seen};
    for (int a = 0; a < f->world->def.dimensions; a++) {
        others.offset[a] = scratch->sums.offset[a];
        others.velocity[a] = scratch->sums.velocity[a];
    }
    return others;
}

static void act(const dun_frame *f, const dun_tile *tile) {
    for (int b = 0; b < f->world->behaviour_count; b++) {
        const dun_behaviour *behaviour = &f->world->behaviours[b];
        if (behaviour->def.species != tile->species || !f->acts[b].acts) continue;
        dun_behave job = job_of(f, tile, &f->acts[b]);
        if (behaviour->sums.interact) job.others = sum_others(f, tile, &behaviour->sums);
        dun_behaviour_act(f, tile, b, &job);
    }
}

/* Callbacks and meals rewrite the new state's attributes, which begin as the snapshot's. */
static void copy_attributes(const dun_frame *f, const dun_tile *tile) {
    const dun_agents *from = f->snapshot[tile->species], *to = f->next[tile->species];
    for (int i = 0; i < f->world->species[tile->species]->attribute_count; i++) {
        if (!dun_attribute_rewritten(f->world->species[tile->species], i)) continue;
        memcpy(to->attribute[i] + tile->begin, from->attribute[i] + tile->begin, (tile->end - tile->begin) * sizeof(float));
    }
}

/* Only callbacks ask for births and deaths. */
void dun_behave_tile(const dun_frame *f, const dun_tile *tile) {
    const dun_species *species = f->world->species[tile->species];
    const uint32_t births = tile->scratch->births.count;
    if (species->rewrites) copy_attributes(f, tile);
    if (species->calls_back) dun_life_open(f, tile);
    act(f, tile);
    if (species->calls_back) dun_life_close(f, tile, births);
}
