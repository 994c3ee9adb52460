/* SPDX-License-Identifier: MIT */
/* A run of `dunlin scale`, or of `dunlin-mpi scale` on its rank 0: what is asked for, planned, measured and reported. Its files
 * take it as a whole. */
#ifndef DUNLIN_HARNESS_SCALE_SCALE_H
#define DUNLIN_HARNESS_SCALE_SCALE_H

#include "harness/command/options.h"
#include "harness/measure/frame_rows.h"
#include "harness/report/gnuplot.h"

#define SCALE_MAX_AGENTS 4000000000u /* a little less than the library allows */

/* ---- sweeps and their rows (sweep.c) ---------------------------------------------------------------------------------- */

/* In the order in which they are measured. Size comes last, because it takes longest and needs nearly all memory. */
typedef enum sweep_kind {
    SWEEP_STRONG = 0,   /* the same flock, more and more threads */
    SWEEP_WEAK,         /* the same number of agents per thread, more and more threads */
    SWEEP_DENSITY,      /* more and more neighbours */
    SWEEP_KERNELS,      /* every kernel that runs here, and baselines */
    SWEEP_DISTRIBUTION, /* clumped, uniform and flocked */
    SWEEP_SIZE,         /* more and more agents */

    SWEEP_RANKS_STRONG, /* from here on of a program with ranks: the same flock, more and more ranks */
    SWEEP_RANKS_WEAK,   /* the same number of agents per rank, more and more ranks */
    SWEEP_RANKS_SPLIT,  /* the same flock on the same cores: few ranks with many threads each, or many with few */
    SWEEPS
} sweep_kind;

enum { SWEEP_ROWS = 64, SWEEP_COLUMNS = 14 };

typedef struct sweep_def {
    const char *name;                   /* on the command line and in file names */
    const char *title;                  /* "Strong scaling" */
    const char *summary;                /* what it keeps and what it varies, in a sentence */
    json_column columns[SWEEP_COLUMNS]; /* of its tables */
} sweep_def;

extern const sweep_def sweeps[SWEEPS];

/* The rows of one sweep in 2D or in 3D, in the order of its plan. */
typedef struct sweep_rows {
    int count;
    frame_row row[SWEEP_ROWS];
} sweep_rows;

/* What the rows share: "avx512, 1 000 000 agents, 20 neighbours, 4 threads, ". */
void sweep_describe(FILE *file, sweep_kind sweep, const frame_row *row);

/* frame_rows_json(), with the sweep and with figures that compare a row with the first one. A new reference; NULL: out of
 * memory. */
json_t *sweep_json(sweep_kind sweep, const sweep_rows *rows);

/* ---- what is asked for (scale_options.c) ------------------------------------------------------------------------------ */

/* A number of 0 was not given. */
typedef struct scale_options {
    bool sweeps[SWEEPS];
    bool dimensions[4];                             /* [2] and [3] */
    uint32_t agents, agents_per_worker, max_agents; /* a worker: a thread, or a rank */
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

/* Cases that are measured in turn, so that changes in the machine's speed affect all alike. */
typedef struct plan_batch {
    sweep_kind sweep;
    int dimensions;
    int count;
    bench_start starts[SWEEP_ROWS]; /* workloads alone until the batch is measured */
    frame_case cases[SWEEP_ROWS];   /* of the same number's start; consecutive cases of one workload share one */
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

    int batches;
    plan_batch plan[PLAN_BATCHES];
    int rows_planned, rows_measured; /* fewer are measured if the run is cut short */
    bench_watch watch;

    sweep_rows results[SWEEPS][4]; /* [sweep][dimensions] */
    const char *problem;           /* what went wrong while measuring, or NULL */
    struct {
        int count;
        char name[PLOTS_PER_SWEEP][PLOT_NAME]; /* plots/NAME.gp, .svg, .png */
    } drawn[SWEEPS];                           /* the plots that were drawn */
} scale_run;

/* A program has ranks, and this many threads share the cores of a machine that has fewer. */
bool plan_is_crowded(const scale_run *run);

/* Fills in the plan. */
void plan_make(scale_run *run);

/* ---- reporting (plots.c, report.c) ------------------------------------------------------------------------------------ */

/* Draws the sweeps' plots, none of what was not measured. The scripts are there even without gnuplot. */
dunlin_result scale_plots_draw(scale_run *run, dunlin_error *error);

/* For the terminal: the machine and what is planned, and a sweep in 2D or in 3D. */
void report_print_head(const scale_run *run);
void report_print_sweep(const scale_run *run, sweep_kind sweep, int dimensions);

/* report.md: the machine, what was measured, tables and plots. */
dunlin_result report_write(const scale_run *run, dunlin_error *error);

#endif
