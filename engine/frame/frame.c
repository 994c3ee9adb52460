/* SPDX-License-Identifier: MIT */
/*
 * The frame: one time step, as an ordered list of stages. Each stage is a file of this folder; docs/frame.md draws which array
 * each of them reads and writes.
 */
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/parallel.h"
#include "engine/cluster/cluster.h"
#include "engine/frame/choose.h"
#include "engine/frame/measure.h"
#include "engine/frame/stages.h"
#include "engine/scenery/scenery.h"
#include "engine/world/agree.h"
#include "engine/world/memory.h"
#include "engine/world/use.h"

static void reset_worker(dun_scratch *scratch) {
    scratch->groups = scratch->pairs_tested = scratch->pairs_useful = 0;
    scratch->ns_interact = scratch->ns_steer = scratch->ns_integrate = scratch->ns_measure = 0;
    scratch->ns_shared = 0;
    memset(scratch->ns_kernel, 0, sizeof scratch->ns_kernel);
    scratch->births.count = 0;
    scratch->births.lost = false;
}

static dun_frame begin_frame(dunlin_world *world) {
    for (uint32_t w = 0; w < world->executor.workers; w++) reset_worker(&world->memory.scratch[w]);
    return (dun_frame){.world = world, .tries_kernels = dun_choice_tries_kernels(world)};
}

/* The exchange may have made more room. */
static void take_memory(dun_frame *f) {
    const dun_frame_memory *memory = &f->world->memory;
    f->path_is_whole = memory->path_is_whole;
    f->acts = memory->acts;
    f->tile_work = memory->tile_work;
    f->shares = memory->shares;
    f->tallies = memory->tallies;
    f->eaters = memory->eaters;
}

/* All workers get memory, and some of them may not work in this frame. */
static dunlin_result prepare(dunlin_world *world, dunlin_error *error) {
    const uint32_t workers = world->executor.workers;
    world->executor.workers = (uint32_t)world->def.threads;
    const dunlin_result result = dun_world_prepare(world, error);
    world->executor.workers = workers;
    return result;
}

/* In a part of a flock: sends for the agents that its own see. `result`: that of what came before. */
static dunlin_result exchange(dun_frame *f, dunlin_result result, dunlin_error *error) {
    dunlin_world *world = f->world;
    if (!world->transport) return result;
    result = dun_exchange_write(world, result, error);
    if (result) return result;
    result = dun_exchange_reserve(world, error);
    if (!result) result = prepare(world, error);
    result = dun_agree(world, result, error);
    if (result) return result;
    f->named = dun_named_find(world);
    dun_exchange_send(world);
    return DUNLIN_OK;
}

/* ---- tiles ------------------------------------------------------------------------------------------------------------ */

/* Returns the time that sorting takes. */
static uint64_t sort(dun_frame *f) {
    const uint64_t begin = dun_now_ns();
    dun_take_snapshot(f);
    const uint64_t ns = dun_now_ns() - begin;
    dun_paths_prepare(f);
    dun_behaviours_prepare(f);
    f->ns_worked += dun_now_ns() - begin;
    return ns;
}

static void run_tiles(dun_frame *f) {
    const uint64_t begin = dun_now_ns();
    dun_share_out(f);
    dun_measure_centres(f);
    const uint64_t tiles = f->measured ? dun_now_ns() : begin;
    dun_run_tiles(f); /* interact, steer, behave, integrate, measure */
    const uint64_t end = dun_now_ns();
    f->ns_worked += end - begin;
    f->ns_tiles += end - tiles;
    if (f->alone) f->ns_alone += end - tiles;
}

static dunlin_result run_frame(dunlin_world *world, uint64_t begin, dunlin_error *error) {
    dun_frame f = begin_frame(world);
    dunlin_result result = dun_world_check(world, error); /* first: groups change the state */
    if (!result) result = dun_groups_begin(world, error);
    if (!result) result = prepare(world, error);
    result = dun_measure_begin(&f, result, error);
    if (!result) dun_bound_first(&f);
    result = exchange(&f, result, error);
    if (result) return result;

    take_memory(&f);
    dun_fields_refill(world);
    dun_traces_read(world);
    const uint64_t ns_before = dun_now_ns() - begin;
    const uint64_t ns_snapshot = ns_before + sort(&f);
    run_tiles(&f);
    result = dun_parallel_check(&world->executor, error);
    if (!result) result = dun_use_check(world, error);
    result = dun_take_meals(&f, result, error);
    dun_starve(&f);
    result = dun_life_prepare(&f, result, error);
    if (result) {
        dun_go_back(&f);
        return result;
    }
    dun_measure_end(&f);
    dun_traces_leave(&f);
    if (world->transport) dun_cut_count(world, f.ns_worked);
    dun_finish(&f);
    dun_turn_over(&f);
    dun_groups_end(world);
    dun_count_frame(&f, ns_snapshot, dun_now_ns() - begin);
    dun_choose(&f);
    return DUNLIN_OK;
}

typedef struct step {
    dunlin_world *world;
    uint64_t begin; /* ns */
    dunlin_error *error;
    dunlin_result result;
} step;

static void take_step(void *argument) {
    step *s = argument;
    s->result = run_frame(s->world, s->begin, s->error);
}

dunlin_result dunlin_world_step(dunlin_world *world, dunlin_error *error) {
    DUN_CHANGE(world, error);
    step s = {.world = world, .begin = dun_now_ns(), .error = error};
    if (world->stats.step == DUN_MAX_STEPS)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "the world has taken 2^53 steps, which is the maximum");
    if (world->cluster && !world->transport)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "the flock is gathered: call dunlin_world_share() before the next step");
    const uint32_t workers = world->executor.workers;
    world->executor.workers = world->choice.threads;
    dun_parallel_around(&world->executor, take_step, &s);
    world->executor.workers = workers;
    return s.result;
}
