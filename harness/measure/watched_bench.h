/* SPDX-License-Identifier: MIT */
/* frame_bench_run() and frame_bench_compare() as commands call them: with progress on standard error unless `quiet`, and ended
 * by Ctrl-C. */
#ifndef DUNLIN_HARNESS_BENCH_WATCHED_BENCH_H
#define DUNLIN_HARNESS_BENCH_WATCHED_BENCH_H

#include "harness/measure/frame_bench.h"

/* After interrupt_watch(). A signal ends it after the current repeat; the rows have what was measured so far. After an earlier
 * signal it measures nothing. */
dunlin_result watched_bench_run(const frame_case *cases, int count, frame_row *rows, bool quiet, dunlin_error *error);

/* The same with frame_bench_compare(), for one case after the other: found[i] is for cases[i]. */
dunlin_result watched_bench_compare(const frame_case *reference, const frame_case *cases, int count, frame_comparison *found,
                                    bool quiet, dunlin_error *error);

/* bench_start_make(). A flocked start takes a while, which it says on standard error. */
dunlin_result watched_start_make(const bench_workload *workload, bench_start *start, dunlin_error *error);

#endif
