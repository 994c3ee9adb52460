/* SPDX-License-Identifier: MIT */
/* Metrics against time: a small plot per column, with a curve per species or group, as a script of gnuplot that holds its data.
 */
#ifndef DUNLIN_HARNESS_METRICS_PLOT_H
#define DUNLIN_HARNESS_METRICS_PLOT_H

#include "harness/program/metrics_file.h"

#include <stdio.h>

typedef struct metrics_plot {
    const metrics_file *file;
    const char *title;
    bool is_wanted[METRICS_FILE_COLUMNS]; /* which columns to draw */
    bool is_png;                          /* otherwise SVG */
} metrics_plot;

/* Whether a column has any number. */
bool metrics_plot_has(const metrics_plot *of, int column);

/* Chooses what changes; if nothing does, all that there is. false: there is no number. */
bool metrics_plot_choose(metrics_plot *of);

void metrics_plot_write(const metrics_plot *of, FILE *script);

#endif
