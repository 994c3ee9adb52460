/* SPDX-License-Identifier: MIT */
/* The plots of the sweeps. */
#ifndef DUNLIN_HARNESS_SCALE_PLOTS_H
#define DUNLIN_HARNESS_SCALE_PLOTS_H

#include "harness/report/machine.h"
#include "harness/scale/sweep.h"

enum { PLOTS_PER_SWEEP = 2, PLOT_NAME = 32 };

typedef struct plot_list {
    int count;
    char name[PLOTS_PER_SWEEP][PLOT_NAME]; /* plots/NAME.gp, .svg, .png */
} plot_list;

/* Writes the scripts of the sweep's plots, or none if nothing was measured. */
dunlin_result plots_write(const char *folder, const machine *host, sweep_kind sweep, const scale_results *results,
                          plot_list *list, dunlin_error *error);

#endif
