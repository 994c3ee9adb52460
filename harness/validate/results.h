/* SPDX-License-Identifier: MIT */
/*
 * What was measured, and the file that keeps it: a row a sample, a trial's rows being appended as soon as it was flown. So an
 * interrupted run, started again, goes on where it was.
 */
#ifndef DUNLIN_HARNESS_VALIDATE_RESULTS_H
#define DUNLIN_HARNESS_VALIDATE_RESULTS_H

#include "harness/validate/trials.h"

typedef struct trial_result {
    bool is_there;
    trial_sample samples[TRIAL_SAMPLES];
} trial_result;

typedef struct trial_results {
    trial_list list;
    trial_result of[TRIALS]; /* of list.at[] */
} trial_results;

/* What rows must say to be of the same program and the same size. */
typedef struct results_stamp {
    const char *commit; /* without commas */
    const char *size;   /* "full", "quick" */
} results_stamp;

/*
 * Takes what the file has of these trials, with that stamp; where it has a sample twice, the last. No file is no results. An
 * error where it cannot be read, or is another file.
 */
dunlin_result results_read(trial_results *results, const char *path, const results_stamp *stamp, dunlin_error *error);

/* Appends the trial's samples. */
dunlin_result results_append(const char *path, const results_stamp *stamp, const trial *t, const trial_sample *samples,
                             dunlin_error *error);

#endif
