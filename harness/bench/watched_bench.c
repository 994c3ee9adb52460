/* SPDX-License-Identifier: MIT */
#include "watched_bench.h"
#include "../interrupt.h"
#include "../progress.h"

#include <stdio.h>
#include <string.h>

static const double patience = 5.0; /* seconds: what takes less needs no lines */

static bool note_repeat(void *context, int repeats_done, int repeats_all) {
    (void)repeats_all;
    progress_update(context, (uint64_t)repeats_done, 0);
    return interrupt_signal() == 0;
}

dunlin_result watched_bench_run(const frame_case *cases, int count, frame_row *rows, dunlin_error *error) {
    uint64_t repeats = 0;
    memset(rows, 0, (size_t)count * sizeof *rows);
    if (interrupt_signal() != 0) return DUNLIN_OK;
    for (int i = 0; i < count; ++i) repeats += (uint64_t)cases[i].repeats;
    run_progress progress = progress_begin("repeat", repeats, true);
    progress.patience = patience;
    int done;
    dunlin_result result = frame_bench_run(cases, count, rows, note_repeat, &progress, &done, error);
    progress_end(&progress);
    return result;
}

dunlin_result watched_start_make(const bench_workload *workload, bench_start *start, dunlin_error *error) {
    if (workload->distribution == BENCH_FLOCKED) {
        fprintf(stderr, "%u agents fly %d steps first, until they have flocked\n", (unsigned)workload->agents,
                (int)BENCH_FLOCKING_STEPS);
    }
    return bench_start_make(workload, start, error);
}
