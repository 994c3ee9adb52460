/* SPDX-License-Identifier: MIT */
/*
 * The frame: one time step, as an ordered list of stages. docs/frame.md draws which array each stage reads and writes.
 *
 * Interact, steer, behave and integrate run tile by tile, so that a tile's sums and forces stay in the worker's L1 cache. A
 * tile is up to DUN_TILE consecutive agents of a species' snapshot. Workers take shares of consecutive tiles.
 */
#include <string.h>
#include <time.h>

#include "engine/base/check.h"
#include "engine/base/minmax.h"
#include "engine/base/parallel.h"
#include "engine/behaviours/act.h"
#include "engine/frame/stages.h"
#include "engine/scenery/field_fill.h"
#include "engine/scenery/path.h"
#include "engine/world/attribute.h"
#include "engine/world/memory.h"

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void dun_lap(dun_scratch *scratch, uint64_t *stage) {
    const uint64_t now = now_ns();
    *stage += now - scratch->clock;
    scratch->clock = now;
}

/* ---- tiles ------------------------------------------------------------------------------------------------------------ */

static void run_tile(const dun_frame *f, const dun_tile *tile) {
    dun_scratch *scratch = tile->scratch;
    scratch->clock = now_ns();
    for (int a = 0; a < f->world->def.dimensions; a++) memset(scratch->force[a], 0, (tile->end - tile->begin) * sizeof(float));
    for (int i = 0; i < f->world->interaction_count; i++) {
        const dun_interaction *interaction = &f->world->interactions[i];
        if (interaction->def.observer != tile->species) continue;
        dun_interact_tile(f, tile, interaction);
        dun_lap(scratch, &scratch->ns_interact);
        dun_steer_tile(f, tile, interaction);
        dun_lap(scratch, &scratch->ns_steer);
    }
    dun_behave_tile(f, tile);
    dun_lap(scratch, &scratch->ns_steer);
    dun_integrate_tile(f, tile);
    dun_lap(scratch, &scratch->ns_integrate);
}

static void run_share(void *context, uint32_t task, uint32_t worker) {
    const dun_frame *f = context;
    const dun_share share = f->shares[task];
    for (uint32_t begin = share.begin; begin < share.end; begin += DUN_TILE) {
        const dun_tile tile = {share.species, begin, min_u32(begin + DUN_TILE, share.end), &f->world->memory.scratch[worker]};
        run_tile(f, &tile);
    }
}

static void run_tiles(dun_frame *f) {
    if (!f->alone) {
        f->world->executor.run(&f->world->executor, f->share_count, run_share, f);
        return;
    }
    for (uint32_t share = 0; share < f->share_count; share++) run_share(f, share, 0);
}

/* ---- the new state ---------------------------------------------------------------------------------------------------- */

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

/* Makes these agents the state: the new ones, or the snapshot's, which are those before the step in another order. */
static void set_state(const dun_frame *f, const dun_agents *const agents[]) {
    for (int s = 0; s < f->world->species_count; s++) {
        dun_species *species = f->world->species[s];
        species->current = agents[s] == &species->buffer[1];
    }
    f->world->ids.valid = false;
    f->world->generation++;
}

/* Removes the agents that were only seen. */
static void keep_own(const dun_frame *f, int number) {
    dun_species *species = f->world->species[number];
    const uint32_t begin = f->own_begin[number], count = f->own_end[number] - begin;
    dun_word *column[DUN_MAX_COLUMNS];
    const int columns = dun_agents_columns(f->next[number], f->world->def.dimensions, species->attribute_count, column);
    for (int c = 0; c < columns && begin > 0; c++) memmove(column[c], column[c] + begin, count * sizeof *column[c]);
    if (species->mortal && begin > 0) memmove(species->dies, species->dies + begin, count);
    species->count = count;
    species->own_begin = 0;
    species->own_end = UINT32_MAX;
}

static void finish(const dun_frame *f) {
    for (int s = 0; s < f->world->species_count; s++) {
        take_over(f->world->species[s]);
        keep_own(f, s);
    }
    set_state(f, (const dun_agents *const *)f->next);
}

/* ---- statistics ------------------------------------------------------------------------------------------------------- */

static void add_worker(const dun_scratch *scratch, double ms_per_ns, dunlin_stats *stats) {
    stats->groups += scratch->groups;
    stats->pairs_tested += scratch->pairs_tested;
    stats->pairs_useful += scratch->pairs_useful;
    stats->ms_interact += ms_per_ns * (double)scratch->ns_interact;
    stats->ms_steer += ms_per_ns * (double)scratch->ns_steer;
    stats->ms_integrate += ms_per_ns * (double)scratch->ns_integrate;
}

static void count_frame(const dun_frame *f, dun_turnover turnover, uint64_t ns_snapshot, uint64_t ns_frame) {
    dunlin_world *world = f->world;
    const double time_step = (double)world->def.time_step, ms_per_ns = 1e-6;
    dunlin_stats stats = {.step = world->stats.step + 1,
                          .agents = dunlin_world_agent_count(world) + turnover.deaths - turnover.births,
                          .births = turnover.births,
                          .deaths = turnover.deaths,
                          .threads = dun_parallel_threads(&world->executor),
                          .ms_snapshot = ms_per_ns * (double)ns_snapshot,
                          .ms_frame = ms_per_ns * (double)ns_frame};
    stats.time = world->uneven ? world->stats.time + time_step : (double)stats.step * time_step;
    for (int s = 0; s < world->species_count; s++)
        if (world->species[s]->indexed) stats.cells += world->index_type->cells(world->species[s]->index);
    for (uint32_t w = 0; w < world->executor.workers; w++)
        add_worker(&world->memory.scratch[w], ms_per_ns / stats.threads, &stats);
    world->stats = stats;
}

static void reset_worker(dun_scratch *scratch) {
    scratch->groups = scratch->pairs_tested = scratch->pairs_useful = 0;
    scratch->ns_interact = scratch->ns_steer = scratch->ns_integrate = 0;
    scratch->births.count = 0;
    scratch->births.lost = false;
}

/* ---- the frame -------------------------------------------------------------------------------------------------------- */

static dun_frame begin_frame(dunlin_world *world) {
    const dun_frame_memory *memory = &world->memory;
    for (uint32_t w = 0; w < world->executor.workers; w++) reset_worker(&memory->scratch[w]);
    return (dun_frame){.world = world,
                       .acts = memory->acts,
                       .tile_work = memory->tile_work,
                       .shares = memory->shares,
                       .tallies = memory->tallies,
                       .eaters = memory->eaters};
}

dunlin_result dunlin_world_step(dunlin_world *world, dunlin_error *error) {
    const uint64_t begin = now_ns();
    if (world->stats.step == DUN_MAX_STEPS)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "the world has taken 2^53 steps: no state can say that it has taken more");
    dunlin_result result = dun_world_prepare(world, error);
    if (result) return result;
    dun_frame f = begin_frame(world);

    dun_bound_first(&f);
    dun_take_snapshot(&f);
    const uint64_t ns_snapshot = now_ns() - begin;
    dun_fields_refill(world);
    dun_paths_prepare(&f);
    dun_behaviours_prepare(&f);
    dun_share_out(&f);
    run_tiles(&f); /* interact, steer, behave, integrate */
    dun_take_meals(&f);
    result = dun_life_prepare(&f, error);
    if (result) return set_state(&f, f.snapshot), result;
    finish(&f);
    const dun_turnover turnover = dun_turn_over(&f);

    count_frame(&f, turnover, ns_snapshot, now_ns() - begin);
    return DUNLIN_OK;
}
