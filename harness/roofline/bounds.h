/* SPDX-License-Identifier: MIT */
/* The bound: the minimum time that a stage of the frame takes on this machine, from what was measured and counted. */
#ifndef DUNLIN_HARNESS_ROOFLINE_BOUNDS_H
#define DUNLIN_HARNESS_ROOFLINE_BOUNDS_H

#include "harness/measure/frame_bench.h"
#include "harness/report/machine.h"
#include "harness/roofline/ceilings.h"
#include "harness/roofline/counting.h"

#include <jansson.h>

/* Of a stage, per agent and frame. */
typedef struct stage_bound {
    instruction_counts instructions;
    double bytes;      /* that must move between the cores and where the flock is */
    double seconds;    /* 0: unknown */
    const char *limit; /* the resource that needs so long; NULL: there is none, or it is a whole frame */
} stage_bound;

/* Of a row of frame_bench_run(): what limits it, and the bounds that follow. */
typedef struct row_bounds {
    int dimensions;
    int cores;         /* that work at once */
    bool many_workers; /* with several threads the sort moves one more array */
    kernel_ceilings ceilings;
    bandwidths bandwidth;
    kernel_counts counts;
    stage_bound stages[STAGES];
} row_bounds;

/* Fills in the stages from the rest. The frame's bound is the sum over its stages. */
void bounds_derive(row_bounds *bounds);

/* Measures and counts what the row's kernel can do and does with the start from which the row was measured. `cores`: of the
 * machine. */
dunlin_result bounds_measure(const frame_row *row, const bench_start *start, int cores, row_bounds *bounds,
                             dunlin_error *error);

/* bound / time taken; 0: there is no bound. */
double bounds_share(const row_bounds *bounds, const frame_row *row, stage s);

/* Adds bounds, shares of them and ceilings to the row's JSON. Below 0: out of memory. */
int bounds_add_json(const row_bounds *bounds, const frame_row *row, json_t *json);

/* Writes the roofline's gnuplot script into the folder, and draws it; `count` >= 1 rows. */
dunlin_result bounds_plot(const char *folder, const machine *host, const frame_row *rows, const row_bounds *bounds, int count,
                          dunlin_error *error);

#endif
