/* SPDX-License-Identifier: MIT */
/* report.md: what was measured on what, tables, plots, and what they say. */
#ifndef DUNLIN_HARNESS_SCALE_REPORT_H
#define DUNLIN_HARNESS_SCALE_REPORT_H

#include "harness/scale/plots.h"
#include "harness/scale/scale_options.h"

#include <stdio.h>

typedef struct scale_report {
    const char *folder;
    const char *command; /* how it was called */
    const machine *host;
    double load; /* of the system before measuring */
    const scale_results *results;
    bool quick;
    int rows_planned, rows_measured; /* fewer: it was cut short */
    const char *problem;             /* what went wrong while measuring; NULL: nothing */
    plot_list drawn[SWEEPS];         /* plots that are there */
} scale_report;

/* A line that goes with machine_print()'s: how busy the system was. */
void report_print_load(FILE *file, double load);

dunlin_result scale_report_write(const scale_report *report, dunlin_error *error);

#endif
