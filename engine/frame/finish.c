/* SPDX-License-Identifier: MIT */
/* Finish: the new state becomes the state, and the frame's statistics are added up. */
#include <string.h>

#include "engine/base/parallel.h"
#include "engine/frame/stages.h"
#include "engine/world/attribute.h"
#include "engine/world/memory.h"

/* The new state takes over from the snapshot what does not change in a frame: ids, and attributes that nothing rewrites. */
static void take_over(dun_species *species) {
    dun_agents *a = &species->buffer[0], *b = &species->buffer[1];
    uint32_t *const ids = a->id;
    a->id = b->id;
    b->id = ids;
    for (int i = 0; i < species->attribute_count; i++) {
        if (dun_attribute_rewritten(species, i)) continue;
        float *const values = a->attribute[i];
        a->attribute[i] = b->attribute[i];
        b->attribute[i] = values;
    }
}

/* Removes the agents that were only seen from the state. */
static void keep_own(const dun_frame *f, int number) {
    dun_species *species = f->world->species[number];
    const uint32_t begin = f->own_begin[number], count = f->own_end[number] - begin;
    if (species->mortal && begin > 0) memmove(species->dies, species->dies + begin, count);
    dun_species_keep(species, begin, count);
    species->numbered_from = begin;
    species->own_begin = 0;
    species->own_end = UINT32_MAX;
}

/* Makes these agents the state: the new ones, or the snapshot's, which are those before the step in another order. */
static void set_state(const dun_frame *f, const dun_agents *const agents[]) {
    for (int s = 0; s < f->world->species_count; s++) {
        dun_species *species = f->world->species[s];
        species->current = agents[s] == &species->buffer[1];
        keep_own(f, s);
    }
    f->world->ids.valid = false;
    f->world->generation++;
}

void dun_finish(const dun_frame *f) {
    for (int s = 0; s < f->world->species_count; s++) take_over(f->world->species[s]);
    set_state(f, (const dun_agents *const *)f->next);
    for (int s = 0; s < f->world->species_count; s++)
        f->world->species[s]->numbered = f->world->species[s]->next_cell ? f->world->generation : 0;
}

void dun_go_back(const dun_frame *f) {
    set_state(f, f->snapshot);
}

/* `ms_per_ns` scales the time of the timed tiles to all of them. */
static void add_worker(const dun_scratch *scratch, double ms_per_ns, dunlin_stats *stats) {
    stats->ms_interact += ms_per_ns * (double)scratch->ns_interact;
    stats->ms_steer += ms_per_ns * (double)scratch->ns_steer;
    stats->ms_integrate += ms_per_ns * (double)scratch->ns_integrate;
}

/* Agents that have moved: this world's, or the whole flock's. */
static uint64_t count_moved(const dun_frame *f, bool whole) {
    uint64_t agents = 0;
    for (int s = 0; s < f->world->species_count; s++)
        agents += whole ? f->world->species[s]->whole_count : f->own_end[s] - f->own_begin[s];
    return agents;
}

void dun_count_frame(const dun_frame *f, uint64_t ns_snapshot, uint64_t ns_frame) {
    dunlin_world *world = f->world;
    const double time_step = (double)world->def.time_step, ms_per_ns = 1e-6;
    uint64_t timed = 0;
    dunlin_stats stats = {.step = world->stats.step + 1,
                          .agents = count_moved(f, world->transport),
                          .births = f->births,
                          .deaths = f->deaths,
                          .groups = f->groups,
                          .pairs_tested = f->pairs_tested,
                          .pairs_useful = f->pairs_useful,
                          .threads = dun_parallel_threads(&world->executor),
                          .ms_snapshot = ms_per_ns * (double)ns_snapshot,
                          .ms_frame = ms_per_ns * (double)ns_frame};
    stats.time = world->uneven ? world->stats.time + time_step : (double)stats.step * time_step;
    for (int s = 0; s < world->species_count; s++)
        if (world->species[s]->indexed) stats.cells += world->index_type->cells(world->species[s]->index);
    for (uint32_t w = 0; w < world->executor.workers; w++) timed += world->memory.scratch[w].timed_agents;
    const double share = timed ? (double)count_moved(f, false) / (double)timed : 0.0;
    for (uint32_t w = 0; w < world->executor.workers; w++)
        add_worker(&world->memory.scratch[w], share * ms_per_ns / stats.threads, &stats);
    world->stats = stats;
}
