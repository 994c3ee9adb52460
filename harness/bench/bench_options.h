/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_BENCH_BENCH_OPTIONS_H
#define DUNLIN_HARNESS_BENCH_BENCH_OPTIONS_H

#include "harness/command/options.h"
#include "harness/measure/frame_bench.h"

enum { BENCH_KERNELS = 32, BENCH_WARM_UP = 3 /* steps */ };

/* What `dunlin bench frame` or `dunlin bench behaviours` was asked for. */
typedef struct bench_options {
    bool dimensions[4]; /* [2] and [3] */
    bench_workload workload;
    int threads, steps, repeats;
    const char *kernel; /* as given: "all", or names with commas between; for behaviours one of the library's */
    const char *index;
    const char *distribution;
    const char *json, *csv; /* paths to write to, "-": standard output; NULL: not wanted */
    bool quiet;

    option_values read; /* owns the strings */
} bench_options;

/*
 * Reads the arguments. Returns false when there is nothing to measure: help was printed or a mistake was reported, and *status
 * is the exit status. Always free the result.
 */
bool bench_options_read(bench_options *bench, bool is_behaviours, int argc, const char **argv, int *status);

/* The kernels to measure with this workload. Says on standard error which ones `all` leaves out. */
int bench_options_list_kernels(const bench_options *bench, char kernels[BENCH_KERNELS][FRAME_BENCH_NAME]);

/* An error where one of the kernels cannot run here: to be asked before anything takes time. */
dunlin_result bench_options_check_kernels(const bench_options *bench, dunlin_error *error);

#endif
