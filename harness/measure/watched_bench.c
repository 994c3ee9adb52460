/* SPDX-License-Identifier: MIT */
#include "harness/measure/watched_bench.h"
#include "harness/command/interrupt.h"
#include "harness/command/progress.h"

#include <stdio.h>
#include <string.h>

typedef struct watch {
    run_progress progress;
    uint64_t done; /* repeats of all cases */
} watch;

static watch begin_watch(uint64_t repeats, bool quiet) {
    return (watch){.progress = progress_begin("repeat", repeats, !quiet)};
}

static bool note_repeat(void *context, int repeats_done, int repeats_all) {
    watch *seen = context;
    (void)repeats_done;
    (void)repeats_all;
    progress_update(&seen->progress, ++seen->done, 0);
    return interrupt_signal() == 0;
}

static uint64_t count_repeats(const frame_case *cases, int count) {
    uint64_t repeats = 0;
    for (int i = 0; i < count; i++) repeats += (uint64_t)cases[i].repeats;
    return repeats;
}

dunlin_result watched_bench_run(const frame_case *cases, int count, frame_row *rows, bool quiet, dunlin_error *error) {
    memset(rows, 0, (size_t)count * sizeof *rows);
    if (interrupt_signal() != 0) return DUNLIN_OK;
    watch seen = begin_watch(count_repeats(cases, count), quiet);
    int done;
    dunlin_result result = frame_bench_run(cases, count, rows, note_repeat, &seen, &done, error);
    progress_end(&seen.progress);
    return result;
}

dunlin_result watched_bench_compare(const frame_case *reference, const frame_case *cases, int count, frame_comparison *found,
                                    bool quiet, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    memset(found, 0, (size_t)count * sizeof *found);
    if (interrupt_signal() != 0) return DUNLIN_OK;
    watch seen = begin_watch(COMPARED_CASES * count_repeats(cases, count), quiet);
    for (int i = 0; i < count && result == DUNLIN_OK && interrupt_signal() == 0; i++) {
        result = frame_bench_compare(reference, &cases[i], &found[i], note_repeat, &seen, error);
    }
    progress_end(&seen.progress);
    return result;
}

dunlin_result watched_start_make(const bench_workload *workload, bench_start *start, dunlin_error *error) {
    if (workload->distribution == BENCH_FLOCKED) {
        fprintf(stderr, "%u agents fly %d steps first, so that they flock\n", (unsigned)workload->agents,
                (int)BENCH_FLOCKING_STEPS);
    }
    return bench_start_make(workload, start, error);
}
