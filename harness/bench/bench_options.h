/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_BENCH_BENCH_OPTIONS_H
#define DUNLIN_HARNESS_BENCH_BENCH_OPTIONS_H

#include "harness/command/command_line.h"
#include "harness/measure/frame_bench.h"

enum { BENCH_KERNELS = 32 };
enum { BENCH_WARM_UP = 3 }; /* steps */

/* What `dunlin bench frame` or `dunlin bench behaviours` was asked for; the latter has one kernel, and it is no baseline. */
typedef struct bench_options {
    bench_workload workload;
    int threads, steps, repeats;
    int kernel_count;
    char kernels[BENCH_KERNELS][FRAME_BENCH_NAME]; /* of the library or baselines, or "auto" */
    const char *index;
    const char *json, *csv; /* paths to write to, "-": standard output; NULL: not wanted */

    command_line line; /* owns the strings */
} bench_options;

/*
 * Reads the arguments. Returns false when there is nothing to measure: help was shown or a mistake reported, *status is then
 * the exit status. Always free the result.
 */
bool bench_options_read_frame(bench_options *options, int argc, const char **argv, int *status);
bool bench_options_read_behaviours(bench_options *options, int argc, const char **argv, int *status);

void bench_options_free(bench_options *options);

/* An error where one of the kernels cannot run here: to be asked before anything takes time. */
dunlin_result bench_options_check_kernels(const bench_options *options, dunlin_error *error);

#endif
