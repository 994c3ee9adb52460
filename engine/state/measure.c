/* SPDX-License-Identifier: MIT */
/* Metrics: a flock's state in a few numbers. engine/frame/measure.c computes them. */
#include "engine/base/check.h"
#include "engine/frame/measure.h"
#include "engine/frame/stages.h"
#include "engine/prepare/prepare.h"
#include "engine/world/agree.h"
#include "engine/world/list.h"
#include "engine/world/use.h"

static dunlin_result check_metrics(const dunlin_metrics *metrics, dunlin_error *error) {
    if (metrics) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "metrics is NULL: it must point at a dunlin_metrics");
}

static dunlin_result measure(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error) {
    dunlin_result result = check_metrics(metrics, error);
    if (!result) result = dun_check_whole(world, "measuring", error);
    if (!result) result = dun_species_check(world, species, error);
    if (!result) result = dun_world_prepare(world, error);
    return result ? result : dun_measure_alone(world, species, metrics, error);
}

dunlin_result dunlin_world_measure(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error) {
    DUN_CHANGE(world, error);
    return measure(world, species, metrics, error);
}

/* ---- in a step -------------------------------------------------------------------------------------------------------- */

dunlin_result dunlin_world_measure_in_step(dunlin_world *world, dunlin_error *error) {
    DUN_CHANGE(world, error);
    dunlin_result result = dun_measure_reserve(world) ? DUNLIN_OK : dun_fail_memory(error, "a measurement");
    result = dun_agree(world, result, error);
    if (!result) world->measuring->asked = true;
    return result;
}

static dunlin_result measure_now(dunlin_world *world, dunlin_error *error) {
    struct dun_measuring *all = world->measuring;
    dunlin_result result = DUNLIN_OK;
    for (int s = 0; s < world->species_count && !result; s++) result = measure(world, s, &all->metrics[s], error);
    if (result) return result;
    dun_measure_finish(world, world->cluster); /* in a gathered flock the other ranks still ask, and the next step measures */
    return DUNLIN_OK;
}

dunlin_result dunlin_world_measured(dunlin_world *world, int species, dunlin_metrics *metrics, dunlin_error *error) {
    DUN_CHANGE(world, error);
    const struct dun_measuring *all = world->measuring;
    dunlin_result result = check_metrics(metrics, error);
    if (!result && all && all->asked)
        result =
            world->transport ? dun_measure_gathered(world, dun_world_prepare(world, error), error) : measure_now(world, error);
    if (result) return result;
    if (!all || !all->done)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "nothing was measured: call dunlin_world_measure_in_step() before a step");
    result = dun_check_position(species, all->species_count, "species", " species that were measured", error);
    if (!result) *metrics = all->metrics[species];
    return result;
}
