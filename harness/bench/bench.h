/* SPDX-License-Identifier: MIT */
/* What `dunlin bench` can measure, and the options of `dunlin bench frame` and `dunlin bench behaviours`. */
#ifndef DUNLIN_HARNESS_BENCH_BENCH_H
#define DUNLIN_HARNESS_BENCH_BENCH_H

#include "harness/command/options.h"
#include "harness/measure/frame_bench.h"

/* Called like the commands of harness/command/commands.h. */
int bench_frame(int argc, const char **argv);
int bench_behaviours(int argc, const char **argv);
int bench_targets(int argc, const char **argv);

enum { BENCH_KERNELS = 32, BENCH_WARM_UP = 3 /* steps */ };

typedef struct kernel_list {
    int count;
    char name[BENCH_KERNELS][FRAME_BENCH_NAME];
} kernel_list;

typedef struct bench_options {
    bool is_behaviours;
    bool dimensions[4]; /* [2] and [3] */
    bench_workload workload;
    int threads, steps, repeats;
    const char *kernel;  /* as given: "all", or names with commas between; for behaviours one of the library's */
    kernel_list kernels; /* the same; empty for "all" */
    const char *index;
    const char *distribution;
    const char *json, *csv; /* paths to write to, "-": standard output; NULL: not wanted */
    bool bounds;
    const char *output; /* a folder for the plot of bounds; NULL: not wanted */
    bool quiet;

    option_values read; /* owns the strings */
} bench_options;

/*
 * Reads the arguments. Returns false when there is nothing to measure: help was printed or a mistake was reported, and *status
 * is the exit status. Always free the result.
 */
bool bench_options_read(bench_options *bench, bool is_behaviours, int argc, const char **argv, int *status);

/* The kernels to measure with this workload. Says on standard error which ones `all` leaves out. */
kernel_list bench_options_list_kernels(const bench_options *bench);

/* An error where one of the kernels cannot run here: to be asked before anything takes time. */
dunlin_result bench_options_check_kernels(const bench_options *bench, dunlin_error *error);

#endif
