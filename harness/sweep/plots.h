/* SPDX-License-Identifier: MIT */
/* A plot per measure: against the first parameter, with a curve per value of the second; where that has more values than there
 * are colours, a heat map over both. Values of further parameters have plots of their own. */
#ifndef DUNLIN_HARNESS_SWEEP_PLOTS_H
#define DUNLIN_HARNESS_SWEEP_PLOTS_H

#include "harness/sweep/results.h"

enum { PLOTS_MOST = 64 };

/* Writes FOLDER/plots/NAME.gp, and has gnuplot draw them. *drawn: how many it has drawn. */
dunlin_result plots_draw_sweep(const sweep_results *results, const char *folder, int *drawn, dunlin_error *error);

#endif
