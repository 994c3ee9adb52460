/* SPDX-License-Identifier: MIT */
/* Figures beside what they must be. */
#ifndef DUNLIN_HARNESS_VALIDATE_VERDICT_H
#define DUNLIN_HARNESS_VALIDATE_VERDICT_H

#include "harness/validate/results.h"

#include <stdio.h>

/* The mean over the samples, and its standard error: 0 of one sample, and where samples are steps of one flight. */
typedef struct figure_mean {
    double value, error;
} figure_mean;

figure_mean verdict_mean(const trial *t, const trial_result *result, int figure);

/*
 * Whether all that was measured of a trial is as claimed; nothing claimed always is. Of a curve that falls, as Vicsek's do,
 * each point must besides be no more than 0.01 above the one before, where that is there.
 */
bool verdict_holds(const trial_results *results, int number);

/* A line for each figure, of a table with this head. Those of a trial that was not measured have none. */
void verdict_print_head(FILE *file);
void verdict_print(FILE *file, const trial_results *results, int number);

/* The trials of a kind as a table in Markdown: what has claims, or is off. */
void verdict_write_table(FILE *file, const trial_results *results, trial_kind kind);

#endif
