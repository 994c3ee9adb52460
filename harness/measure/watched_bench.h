/* SPDX-License-Identifier: MIT */
/* frame_bench_run() and frame_bench_compare() as commands run them: with progress on stderr, and to be ended by Ctrl-C. */
#ifndef DUNLIN_HARNESS_BENCH_WATCHED_BENCH_H
#define DUNLIN_HARNESS_BENCH_WATCHED_BENCH_H

#include "harness/measure/frame_bench.h"

/* After interrupt_watch(). A signal ends it after the repeat it is at; rows then have what was measured so far. One that came
 * before lets it measure nothing. */
dunlin_result watched_bench_run(const frame_case *cases, int count, frame_row *rows, dunlin_error *error);

/* The same of frame_bench_compare(), for one case after the other: found[i] is for cases[i]. */
dunlin_result watched_bench_compare(const frame_case *reference, const frame_case *cases, int count, frame_comparison *found,
                                    dunlin_error *error);

/* bench_start_make(), which may take a while for a flocked start; then says so on stderr. */
dunlin_result watched_start_make(const bench_workload *workload, bench_start *start, dunlin_error *error);

#endif
