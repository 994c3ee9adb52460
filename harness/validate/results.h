/* SPDX-License-Identifier: MIT */
/*
 * What was measured, the file that keeps it, and what it says beside what was published. The file has a row per sample. The
 * rows of a trial are appended as soon as it was flown, so that an interrupted run continues when it is started again.
 */
#ifndef DUNLIN_HARNESS_VALIDATE_RESULTS_H
#define DUNLIN_HARNESS_VALIDATE_RESULTS_H

#include "harness/report/statistics.h"
#include "harness/report/table.h"
#include "harness/validate/trial.h"

#include <jansson.h>

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

/* ---- figures beside what they must be --------------------------------------------------------------------------------- */

/* The figure's mean over the samples. Circles' samples are steps of one flight, so its mean has no error. */
sample_mean verdict_mean(const trial *t, const trial_result *result, int figure);

/*
 * Whether everything that was measured of a trial is as claimed. Of a curve that falls, as Vicsek's do, each point must also be
 * no more than 0.01 above the point before it, if that was measured.
 */
bool verdict_holds(const trial_results *results, int number);

/* The measured trials of a kind, a row per figure; free it. `claims_only`, for the page: only figures that have a claim. */
table verdict_table(const trial_results *results, trial_kind kind, bool claims_only);

/* All rows of these kinds, a new reference. The same columns of rows of CSV, behind the machine's. */
json_t *verdict_json(const trial_results *results, const bool kinds[TRIAL_KINDS]);
extern const char verdict_csv_header[];

/* ---- for people ------------------------------------------------------------------------------------------------------- */

/*
 * Writes FOLDER/plots/KIND.gp for the measured trials of circles, vicsek and couzin, and has gnuplot draw them. `subtitle`
 * names the program that measured them.
 */
dunlin_result plots_draw(const char *folder, const trial_results *results, const char *subtitle, dunlin_error *error);

/*
 * Replaces everything between a line `<!-- measured: KIND -->` and the next `<!-- end -->` with the table of that kind and the
 * words `by`, if all of its trials were measured. It is an error, and the page stays as it is, if it cannot be read or written,
 * or lacks a line `<!-- end -->`. If `by` is NULL, it only says whether that would work, so that long flights do not end at a
 * wrong path.
 */
dunlin_result page_update(const char *path, const trial_results *results, const char *by, dunlin_error *error);

#endif
