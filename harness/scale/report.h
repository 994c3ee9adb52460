/* SPDX-License-Identifier: MIT */
/* report.md: the machine, what was measured, tables, plots, and what they say. */
#ifndef DUNLIN_HARNESS_SCALE_REPORT_H
#define DUNLIN_HARNESS_SCALE_REPORT_H

#include "harness/scale/plots.h"
#include "harness/scale/scale_options.h"

#include <stdio.h>

typedef struct scale_report {
    const char *folder;
    const char *command; /* as it was called */
    const machine *host;
    double load; /* of the system before measuring */
    const scale_results *results;
    bool quick;
    int rows_planned, rows_measured; /* fewer if the run was cut short */
    const char *problem;             /* what went wrong while measuring, or NULL */
    plot_list drawn[SWEEPS];         /* the plots that were drawn */
} scale_report;

/* A line after those of machine_print(): how busy the system was. */
void report_print_load(FILE *file, double load);

dunlin_result scale_report_write(const scale_report *report, dunlin_error *error);

#endif
