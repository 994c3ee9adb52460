/* SPDX-License-Identifier: MIT */
/*
 * The frame: one time step, as an ordered list of stages. Each stage is a file of this folder; docs/frame.md draws which array
 * each of them reads and writes.
 */
#include <string.h>

#include "engine/base/check.h"
#include "engine/base/parallel.h"
#include "engine/frame/choose.h"
#include "engine/frame/measure.h"
#include "engine/frame/stages.h"
#include "engine/scenery/scenery.h"

static void reset_worker(dun_scratch *scratch) {
    scratch->groups = scratch->pairs_tested = scratch->pairs_useful = 0;
    scratch->ns_interact = scratch->ns_steer = scratch->ns_integrate = scratch->timed_agents = 0;
    memset(scratch->ns_kernel, 0, sizeof scratch->ns_kernel);
    scratch->births.count = 0;
    scratch->births.lost = false;
}

static dun_frame begin_frame(dunlin_world *world) {
    const dun_frame_memory *memory = &world->memory;
    for (uint32_t w = 0; w < world->executor.workers; w++) reset_worker(&memory->scratch[w]);
    return (dun_frame){.world = world,
                       .tries_kernels = dun_choice_tries_kernels(world),
                       .path_is_whole = memory->path_is_whole,
                       .acts = memory->acts,
                       .tile_work = memory->tile_work,
                       .shares = memory->shares,
                       .tallies = memory->tallies,
                       .eaters = memory->eaters};
}

static dunlin_result run_frame(dunlin_world *world, uint64_t begin, dunlin_error *error) {
    dun_frame f = begin_frame(world);
    dunlin_result result = dun_measure_begin(&f, error);
    if (result) return result;

    dun_bound_first(&f);
    dun_take_snapshot(&f);
    const uint64_t ns_snapshot = dun_now_ns() - begin;
    dun_fields_refill(world);
    dun_paths_prepare(&f);
    dun_behaviours_prepare(&f);
    dun_share_out(&f);
    dun_measure_centres(&f);
    dun_run_tiles(&f); /* interact, steer, behave, integrate, measure */
    dun_take_meals(&f);
    result = dun_parallel_check(&world->executor, error);
    if (!result) result = dun_life_prepare(&f, error);
    if (result) {
        dun_go_back(&f);
        return result;
    }
    dun_measure_end(&f);
    dun_finish(&f);
    dun_turn_over(&f);
    dun_count_frame(&f, ns_snapshot, dun_now_ns() - begin);
    dun_choose(&f);
    return DUNLIN_OK;
}

/* All workers have memory, and some of them may not work in this frame. */
dunlin_result dunlin_world_step(dunlin_world *world, dunlin_error *error) {
    const uint64_t begin = dun_now_ns();
    if (world->stats.step == DUN_MAX_STEPS)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "the world has taken 2^53 steps, which is the maximum");
    dunlin_result result = dun_world_prepare(world, error);
    if (result) return result;
    const uint32_t workers = world->executor.workers;
    world->executor.workers = world->choice.threads;
    result = run_frame(world, begin, error);
    world->executor.workers = workers;
    return result;
}
