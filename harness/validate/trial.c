/* SPDX-License-Identifier: MIT */
#include "harness/validate/trial.h"
#include "harness/validate/trial_kinds.h"

#include <stddef.h>

const char *trial_kind_name(trial_kind kind) {
    static const char *const names[TRIAL_KINDS] = {
        [TRIAL_CIRCLES] = "circles",         [TRIAL_VICSEK] = "vicsek",     [TRIAL_COUZIN] = "couzin",
        [TRIAL_TOPOLOGICAL] = "topological", [TRIAL_MATCHING] = "matching",
    };
    return names[kind];
}

const char *trial_figure_name(trial_kind kind, int figure) {
    static const char *const names[TRIAL_KINDS][TRIAL_FIGURES] = {
        [TRIAL_CIRCLES] = {"agents in 27 cells", NULL},
        [TRIAL_VICSEK] = {"order parameter", NULL},
        [TRIAL_COUZIN] = {"polarization", "rotation"},
        [TRIAL_TOPOLOGICAL] = {"same headings, 7 nearest", "same headings, radius"},
        [TRIAL_MATCHING] = {"polarization", "neighbours"},
    };
    return names[kind][figure];
}

dunlin_result trial_step(trial_flight *flight, dunlin_world *world, dunlin_error *error) {
    dunlin_result result = dunlin_world_step(world, error);
    flight->steps_done++;
    if (flight->progress)
        flight->is_stopped = !flight->progress(flight->context, (double)flight->steps_done / (double)flight->steps_all);
    return result;
}

static uint64_t steps_of(const trial *t) {
    if (t->kind == TRIAL_CIRCLES) return (uint64_t)t->samples;
    uint64_t a_flight = (uint64_t)t->warm_up + (uint64_t)t->readings * (uint64_t)t->steps;
    return t->kind == TRIAL_TOPOLOGICAL ? 4 * a_flight : (uint64_t)t->samples * a_flight;
}

dunlin_result trial_fly(const trial *t, int threads, trial_progress *progress, void *context, trial_sample *samples,
                        bool *whole, dunlin_error *error) {
    static dunlin_result (*const fly[TRIAL_KINDS])(trial_flight *, trial_sample *, dunlin_error *) = {
        [TRIAL_CIRCLES] = trial_fly_circles,         [TRIAL_VICSEK] = trial_fly_flocks,   [TRIAL_COUZIN] = trial_fly_flocks,
        [TRIAL_TOPOLOGICAL] = trial_fly_topological, [TRIAL_MATCHING] = trial_fly_flocks,
    };
    trial_flight flight = {t, threads, progress, context, 0, steps_of(t), false};
    /* Sharing out a few agents would take longer than flying them. */
    if (t->agents < 1000) flight.threads = 1;
    dunlin_result result = fly[t->kind](&flight, samples, error);
    *whole = result == DUNLIN_OK && !flight.is_stopped;
    return result;
}
