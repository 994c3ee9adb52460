/* SPDX-License-Identifier: MIT */
/* A run of `dunlin scale`, or of `dunlin-mpi scale` on its rank 0: what is asked for, planned, measured and reported. Its files
 * take it as a whole. */
#ifndef DUNLIN_HARNESS_SCALE_SCALE_H
#define DUNLIN_HARNESS_SCALE_SCALE_H

#include "harness/command/options.h"
#include "harness/command/progress.h"
#include "harness/report/gnuplot.h"
#include "harness/scale/sweep.h"

/* ---- what is asked for (scale_options.c) ------------------------------------------------------------------------------ */

/* A number of 0 was not given. */
typedef struct scale_options {
    bool sweeps[SWEEPS];
    bool dimensions[4]; /* [2] and [3] */
    uint32_t agents, agents_per_thread, agents_per_rank, max_agents;
    int threads, repeats, steps;
    const char *kernel;
    const char *output;     /* NULL: a folder named after the time */
    const char *json, *csv; /* paths to write to, "-": standard output; NULL: not wanted */
    bool quick, no_plots, quiet;

    option_values read; /* owns the strings */
} scale_options;

/* Like run_options_read(). `of_ranks`: those of a program with ranks. */
bool scale_options_read(scale_options *scale, bool of_ranks, int argc, const char **argv, int *status);

/* ---- the plan: everything that will be measured, decided before the first measurement (plan.c) ------------------------ */

typedef struct plan_case {
    bench_workload workload;
    bool as_dense_as_previous; /* uniform, with as many neighbours as the case before turns out to have */
    uint32_t ranks;            /* 0: not in parts */
    int threads;               /* per rank */
    const char *kernel;
    int warm_up, steps;
    double seconds; /* per repeat, estimated: for the progress bar and for choosing steps */
} plan_case;

/* Cases that are measured in turn, so that changes in the machine's speed affect all alike. */
typedef struct plan_batch {
    sweep_kind sweep;
    int dimensions;
    int repeats;
    int count;
    plan_case cases[SWEEP_ROWS];
} plan_batch;

enum { PLAN_BATCHES = 2 * (SWEEPS + 16), PLOTS_PER_SWEEP = 2 };

typedef struct scale_run {
    const command_ranks *ranks; /* of the program; NULL: it has none */
    scale_options options;
    char command[512]; /* as it was called */
    machine host;
    int threads;  /* the maximum; of a program with ranks those of each rank */
    double load;  /* of the system before measuring */
    char *folder; /* of the results */
    output_file json;

    uint32_t max_agents[4]; /* that memory holds, by dimensions */
    int batches;
    plan_batch plan[PLAN_BATCHES];
    int rows_planned, rows_measured;      /* fewer are measured if the run is cut short */
    double seconds_planned, seconds_done; /* as the plan estimates */
    run_progress progress;

    scale_results results;
    const char *problem; /* what went wrong while measuring, or NULL */
    struct {
        int count;
        char name[PLOTS_PER_SWEEP][PLOT_NAME]; /* plots/NAME.gp, .svg, .png */
    } drawn[SWEEPS];                           /* the plots that were drawn */
} scale_run;

/* A program has ranks, and this many threads share the cores of a machine that has fewer. */
bool plan_is_crowded(const scale_run *run);

/* Fills in the plan, after measure_limits(). */
void plan_make(scale_run *run);

/* The estimate for all repeats of all cases. */
double plan_batch_seconds(const plan_batch *batch);

/* ---- measuring (measure.c) -------------------------------------------------------------------------------------------- */

/* How many agents memory holds, from the free memory and the bytes per agent of a small flock. */
dunlin_result measure_limits(scale_run *run, dunlin_error *error);

/*
 * Measures the batch, shows the progress, and adds its rows to the results. After a signal only rows that were measured at
 * least once are added. Each row says how many repeats it has.
 */
dunlin_result measure_batch(scale_run *run, const plan_batch *batch, dunlin_error *error);

/* ---- reporting (plots.c, findings.c, report.c) ------------------------------------------------------------------------ */

/* Draws the sweeps' plots, none of what was not measured. The scripts are there even without gnuplot. */
dunlin_result scale_plots_draw(scale_run *run, dunlin_error *error);

/* What the rows say, in sentences computed from them: a line, or nothing if there are too few rows. */
void findings_write(FILE *file, const machine *host, sweep_kind sweep, const sweep_rows *rows);

/* For the terminal: the machine and what is planned, and a sweep in 2D or in 3D. */
void report_print_head(const scale_run *run);
void report_print_sweep(const scale_run *run, sweep_kind sweep, int dimensions);

/* report.md: the machine, what was measured, tables, plots, and what they say. */
dunlin_result report_write(const scale_run *run, dunlin_error *error);

#endif
