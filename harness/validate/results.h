/* SPDX-License-Identifier: MIT */
/*
 * What was measured, and the file that keeps it: a row per sample. The rows of a trial are appended as soon as it was flown, so
 * that an interrupted run continues when it is started again.
 */
#ifndef DUNLIN_HARNESS_VALIDATE_RESULTS_H
#define DUNLIN_HARNESS_VALIDATE_RESULTS_H

#include "harness/validate/trial.h"

typedef struct trial_result {
    bool is_there;
    trial_sample samples[TRIAL_SAMPLES];
} trial_result;

typedef struct trial_results {
    trial_list list;
    trial_result of[TRIALS]; /* of list.at[] */
} trial_results;

/* The commit and size that rows must have to count. */
typedef struct results_stamp {
    const char *commit; /* without commas */
    const char *size;   /* "full", "quick" */
} results_stamp;

/*
 * Takes the samples of these trials with that stamp from the file; if it has a sample twice, the last one counts. A missing
 * file has no results. It is an error if the file cannot be read, or if rows cannot be appended to it.
 */
dunlin_result results_read(trial_results *results, const char *path, const results_stamp *stamp, dunlin_error *error);

/* Appends the trial's samples: all of them, or none. */
dunlin_result results_append(const char *path, const results_stamp *stamp, const trial *t, const trial_sample *samples,
                             dunlin_error *error);

#endif
