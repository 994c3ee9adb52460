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
#include "engine/groups/groups.h"
#include "engine/prepare/prepare.h"
#include "engine/scenery/scenery.h"
#include "engine/world/use.h"

static void reset_worker(dun_scratch *scratch) {
    scratch->groups = scratch->pairs_tested = scratch->pairs_useful = 0;
    scratch->ns_interact = scratch->ns_steer = scratch->ns_integrate = scratch->ns_measure = 0;
    scratch->ns_shared = 0;
    memset(scratch->ns_kernel, 0, sizeof scratch->ns_kernel);
    scratch->births.count = 0;
    scratch->births.lost = false;
}

/* Definitions are checked first, because groups change the state. */
static void begin_frame(dun_frame *f) {
    for (uint32_t w = 0; w < f->world->executor.workers; w++) reset_worker(&f->world->memory.scratch[w]);
    f->tries_kernels = dun_choice_tries_kernels(f->world);
    dun_sorts_check(f->world);
    f->status = dun_world_check(f->world, f->error);
    if (!f->status) f->status = dun_groups_begin(f->world, f->error);
    if (!f->status) f->status = dun_world_prepare(f->world, f->error);
    dun_measure_begin(f);
    dun_bound_first(f);
}

static void prepare_frame(dun_frame *f) {
    if (f->status) return;
    dun_fields_refill(f->world);
    dun_traces_read(f->world);
    dun_paths_prepare(f);
    dun_behaviours_prepare(f);
    dun_share_out(f);
    dun_measure_centres(f);
}

/* Whether callbacks have failed, or have not kept to what they and the caller's executor may do. */
static void check_callers(dun_frame *f) {
    if (!f->status) f->status = dun_parallel_check(&f->world->executor, f->error);
    if (!f->status) f->status = dun_use_check(f->world, f->error);
}

static void end(dun_frame *f) {
    if (f->status) return;
    dun_measure_end(f);
    dun_groups_end(f->world);
    dun_count_frame(f);
    dun_choose(f);
}

/* Once f->status is not DUNLIN_OK, stages do nothing, but that ranks agree on it and dun_commit() rolls back. */
static void run_frame(void *frame) {
    dun_frame *f = frame;
    begin_frame(f);       /* checks, groups and their bodies, memory */
    dun_exchange(f);      /* parts of a flock: agents of other ranks come */
    dun_take_snapshot(f); /* agents in the order of their cells */
    prepare_frame(f);     /* fields, traces, paths, behaviours, shares of tiles */
    dun_run_tiles(f);     /* interact, steer, behave, integrate, observe: run_tile() */
    dun_measure_sum(f);   /* if asked: what tiles have observed, of all ranks */
    dun_take_meals(f);    /* flags what is eaten; in parts of a flock, eaters of other ranks learn it */
    dun_starve(f);        /* flags what has no energy left */
    dun_count_life(f);    /* makes room for the newborn */
    check_callers(f);     /* callbacks, the caller's executor */
    dun_agree_on_life(f); /* parts of a flock: nothing fails any more, or all have failed */
    dun_traces_leave(f);  /* deposits spread and fade */
    dun_commit(f);        /* the new state becomes the state, or, after a failure, the snapshot */
    dun_turn_over(f);     /* removes the dead, appends the newborn */
    end(f);               /* metrics, places of bodies, statistics, the next frame's kernel and threads */
}

dunlin_result dunlin_world_step(dunlin_world *world, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dun_frame f = {.world = world, .memory = &world->memory, .error = error, .at = {.begin = dun_now_ns()}};
    if (world->stats.step == DUN_MAX_STEPS)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "the world has taken 2^53 steps, which is the maximum");
    if (world->cluster && !world->transport)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "the flock is gathered: call dunlin_world_share() before the next step");
    const uint32_t workers = world->executor.workers;
    world->executor.workers = world->choice.threads;
    dun_calls_begin(world);
    dun_parallel_around(&world->executor, run_frame, &f);
    dun_calls_end(world);
    world->executor.workers = workers;
    return f.status;
}

/* What a step does to groups before anything else. */
dunlin_result dunlin_world_make_bodies(dunlin_world *world, dunlin_error *error) {
    DUN_CHANGE(world, error);
    if (!dun_has_bodies(world)) return DUNLIN_OK;
    const dunlin_result result = dun_world_check(world, error);
    return result ? result : dun_groups_settle(world, error);
}
