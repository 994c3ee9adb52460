/* SPDX-License-Identifier: MIT */
/* What the seeds of a point say together, as a table and as FOLDER/means.csv. */
#ifndef DUNLIN_HARNESS_SWEEP_SUMMARY_H
#define DUNLIN_HARNESS_SWEEP_SUMMARY_H

#include "harness/report/table.h"
#include "harness/sweep/results.h"

typedef struct seeds_mean {
    uint32_t count;   /* seeds that have the figure */
    double mean;      /* NaN: none has */
    double deviation; /* the sample's standard deviation; 0 of a single one */
    double error;     /* the standard error of the mean; likewise */
} seeds_mean;

/* Over the runs that are there. */
seeds_mean summary_mean(const sweep_results *results, uint32_t point, uint32_t measure);

/* A row per point; free it. */
table summary_table(const sweep_results *results);

/* A row per expectation of the study, with what is expected and what was measured; free it. A quick study has shorter runs, so
 * it expects nothing. *off: how many expectations do not hold. */
table summary_expected(const sweep_results *results, int *off);

/* FOLDER/means.csv, and, if something is expected, FOLDER/expected.md. */
dunlin_result summary_write(const sweep_results *results, const char *folder, dunlin_error *error);

/* A plot per measure: against the first parameter, with a curve per value of the second; where that has more values than there
 * are colours, a heat map over both. Values of further parameters have plots of their own. */

enum { PLOTS_MOST = 64 };

/* Writes FOLDER/plots/NAME.gp, and has gnuplot draw them. *drawn: how many it has drawn. */
dunlin_result plots_draw_sweep(const sweep_results *results, const char *folder, int *drawn, dunlin_error *error);

#endif
