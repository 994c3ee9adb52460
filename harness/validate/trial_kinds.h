/* SPDX-License-Identifier: MIT */
/* How the kinds of trials are flown. */
#ifndef DUNLIN_HARNESS_VALIDATE_TRIAL_KINDS_H
#define DUNLIN_HARNESS_VALIDATE_TRIAL_KINDS_H

#include "harness/models/model.h"
#include "harness/validate/trial.h"

/* A trial in flight. */
typedef struct trial_flight {
    const trial *t;
    int threads;
    trial_progress *progress; /* or NULL */
    void *context;
    uint64_t steps_done, steps_all;
    bool is_stopped;
} trial_flight;

/* Takes one step of the world and reports progress. */
dunlin_result trial_step(trial_flight *flight, dunlin_world *world, dunlin_error *error);

dunlin_result trial_fly_circles(trial_flight *flight, trial_sample *samples, dunlin_error *error);
dunlin_result trial_fly_flocks(trial_flight *flight, trial_sample *samples, dunlin_error *error); /* by models, once per seed */
dunlin_result trial_fly_topological(trial_flight *flight, trial_sample *samples, dunlin_error *error);

#endif
