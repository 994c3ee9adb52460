/* SPDX-License-Identifier: MIT */
/* One run of a sweep. */
#ifndef DUNLIN_HARNESS_SWEEP_RUN_H
#define DUNLIN_HARNESS_SWEEP_RUN_H

#include "harness/sweep/plan.h"

typedef struct run_figures {
    bool is_there;
    double measured[STUDY_MEASURES];  /* means over the windows; NaN: it has no value in any step */
    uint64_t samples[STUDY_MEASURES]; /* steps of the window in which it has one */
    uint64_t hash;                    /* of the last state */
} run_figures;

/* Called after each step; false: stop now. */
typedef bool run_after_step(void *context, const plan_point *point);

/* Runs a run and fills in its figures, which are not there if `after_step` has stopped it. Different threads may run
 * different runs at the same time. */
dunlin_result sweep_run(const sweep_plan *plan, uint32_t run, int threads, run_after_step *after_step, void *context,
                        run_figures *figures, dunlin_error *error);

#endif
