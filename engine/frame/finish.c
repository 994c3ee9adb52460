/* SPDX-License-Identifier: MIT */
/* Finish: the new state becomes the state, and the frame's statistics are added up. */
#include <math.h>
#include <string.h>

#include "engine/base/parallel.h"
#include "engine/cluster/cluster.h"
#include "engine/frame/stages.h"
#include "engine/world/attribute.h"
#include "engine/world/memory.h"

/* The new state takes over from the snapshot what does not change in a frame: ids, and attributes that nothing rewrites. */
static void take_over_state(dun_species *species) {
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
    dun_pieces_settle(f, number);
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

void dun_commit(const dun_frame *f) {
    if (f->status) {
        if (f->at.sorted) set_state(f, f->snapshot);
        return;
    }
    for (int s = 0; s < f->world->species_count; s++) take_over_state(f->world->species[s]);
    set_state(f, (const dun_agents *const *)f->next);
    for (int s = 0; s < f->world->species_count; s++)
        f->world->species[s]->numbered = f->world->species[s]->next_cell ? f->world->generation : 0;
}

/* Averages the times of timed tiles over the last steps. Older times lose weight in each step, so that all tiles count. */
static void add_timed(const dun_frame *f) {
    dun_stage_times *t = &f->world->stage_times;
    const double kept = 1.0 - 1.0 / (double)dun_tiles_per_timed(f);
    *t = (dun_stage_times){kept * t->interact, kept * t->steer, kept * t->integrate, kept * t->measure};
    for (uint32_t w = 0; w < f->world->executor.workers; w++) {
        const dun_scratch *scratch = &f->world->memory.scratch[w];
        t->interact += (double)scratch->ns_interact;
        t->steer += (double)scratch->ns_steer;
        t->integrate += (double)scratch->ns_integrate;
        t->measure += (double)scratch->ns_measure;
    }
}

/* The time in which tiles run, averaged over the threads, is divided as the timed tiles say. So all stages together never take
 * longer than the step. */
static void count_stages(const dun_frame *f, dunlin_stats *stats) {
    const dun_stage_times *t = &f->world->stage_times;
    uint64_t shared = 0;
    for (uint32_t w = 0; w < f->world->executor.workers; w++) shared += f->world->memory.scratch[w].ns_shared;
    const double all = (double)(f->at.moved - f->at.tiles), tiles = f->alone ? all : (double)shared / stats->threads;
    const double timed = t->interact + t->steer + t->integrate + t->measure;
    const double ms_per_timed = timed > 0.0 ? 1e-6 * fmin(tiles, all) / timed : 0.0;
    stats->ms_interact = ms_per_timed * t->interact;
    stats->ms_steer = ms_per_timed * t->steer;
    stats->ms_integrate = ms_per_timed * t->integrate;
}

void dun_count_frame(const dun_frame *f) {
    dunlin_world *world = f->world;
    const double time_step = (double)world->def.time_step, ms_per_ns = 1e-6;
    dunlin_stats stats = {.step = world->stats.step + 1,
                          .agents = f->agents,
                          .births = f->births,
                          .deaths = f->deaths,
                          .groups = f->groups,
                          .pairs_tested = f->pairs_tested,
                          .pairs_useful = f->pairs_useful,
                          .threads = dun_parallel_threads(&world->executor),
                          .ms_snapshot = ms_per_ns * (double)(f->at.sorted - f->at.begin),
                          .ms_frame = ms_per_ns * (double)(dun_now_ns() - f->at.begin)};
    stats.time = world->uneven ? world->stats.time + time_step : (double)stats.step * time_step;
    for (int s = 0; s < world->species_count; s++)
        if (world->species[s]->indexed) stats.cells += world->index_type->cells(world->species[s]->index);
    add_timed(f);
    count_stages(f, &stats);
    world->stats = stats;
}
