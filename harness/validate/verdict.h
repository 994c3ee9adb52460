/* SPDX-License-Identifier: MIT */
/* Figures beside what they must be. */
#ifndef DUNLIN_HARNESS_VALIDATE_VERDICT_H
#define DUNLIN_HARNESS_VALIDATE_VERDICT_H

#include "harness/report/statistics.h"
#include "harness/report/table.h"
#include "harness/validate/results.h"

/* The figure's mean over the samples. Circles' samples are steps of one flight, so its mean has no error. */
sample_mean verdict_mean(const trial *t, const trial_result *result, int figure);

/*
 * Whether everything that was measured of a trial is as claimed. Of a curve that falls, as Vicsek's do, each point must also be
 * no more than 0.01 above the point before it, if that was measured.
 */
bool verdict_holds(const trial_results *results, int number);

/* The measured trials of a kind, a row per figure; free it. `claims_only`, for the page: only figures that have a claim. */
table verdict_table(const trial_results *results, trial_kind kind, bool claims_only);

#endif
