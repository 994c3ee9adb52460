/* SPDX-License-Identifier: MIT */
#include "harness/scale/measure.h"
#include "harness/report/message.h"
#include "harness/scale/free_memory.h"

#include <stdlib.h>
#include <string.h>

/* A batch being measured. Cases of the same workload share a start. */
typedef struct batch_work {
    const plan_batch *batch;
    bench_workload workload[PLAN_CASES];
    int start_of[PLAN_CASES];
    int start_count;
    bench_start starts[PLAN_CASES];
    frame_case cases[PLAN_CASES];

    measure_progress *progress;
    void *context;
} batch_work;

/* ---- starts ----------------------------------------------------------------------------------------------------------- */

static bool is_same(const bench_workload *a, const bench_workload *b) {
    return a->dimensions == b->dimensions && a->agents == b->agents && a->neighbours == b->neighbours &&
           a->distribution == b->distribution;
}

static frame_case case_of(const batch_work *work, int number) {
    const plan_case *plan = &work->batch->cases[number];
    return (frame_case){.start = &work->starts[work->start_of[number]],
                        .threads = plan->threads,
                        .kernel = plan->kernel,
                        .index = "auto",
                        .warm_up = plan->warm_up,
                        .steps = plan->steps,
                        .repeats = work->batch->repeats};
}

/* The mean number of neighbours while the flock of a start is measured. */
static dunlin_result find_density(const batch_work *work, int number, const bench_start *start, double *neighbours,
                                  dunlin_error *error) {
    frame_case probe = case_of(work, number);
    probe.start = start;
    probe.repeats = 1;
    frame_row row;
    int done;
    dunlin_result result = frame_bench_run(&probe, 1, &row, NULL, NULL, &done, error);
    if (result == DUNLIN_OK) *neighbours = row.neighbours_found;
    return result;
}

/*
 * The number of neighbours with which a uniform flock must begin to have as many as the case before while it is measured:
 * flocks draw together from the first step on, so it ends with a few more.
 */
static dunlin_result match_density(const batch_work *work, int number, bench_workload *workload, dunlin_error *error) {
    double wanted, found;
    dunlin_result result = find_density(work, number - 1, &work->starts[work->start_of[number - 1]], &wanted, error);
    if (result != DUNLIN_OK) return result;
    bench_start uniform;
    workload->neighbours = wanted;
    result = bench_start_make(workload, &uniform, error);
    if (result != DUNLIN_OK) return result;
    result = find_density(work, number, &uniform, &found, error);
    bench_start_free(&uniform);
    if (result == DUNLIN_OK) workload->neighbours *= wanted / found;
    return result;
}

static dunlin_result make_start(batch_work *work, int number, dunlin_error *error) {
    const plan_case *plan = &work->batch->cases[number];
    bench_workload *workload = &work->workload[number];
    *workload = plan->workload;
    if (plan->as_dense_as_previous) {
        dunlin_result result = match_density(work, number, workload, error);
        if (result != DUNLIN_OK) return result;
    }
    for (int i = 0; i < number; i++) {
        if (!is_same(workload, &work->workload[i])) continue;
        work->start_of[number] = work->start_of[i];
        return DUNLIN_OK;
    }
    dunlin_result result = bench_start_make(workload, &work->starts[work->start_count], error);
    if (result == DUNLIN_OK) work->start_of[number] = work->start_count++;
    return result;
}

/* ---- a batch ---------------------------------------------------------------------------------------------------------- */

/* Cases take turns, so repeat n belongs to case n modulo their count. */
static bool pass_on(void *context, int repeats_done, int repeats_all) {
    (void)repeats_all;
    const batch_work *work = context;
    double seconds = 0.0;
    for (int i = 0; i < work->batch->count; i++) {
        int repeats = repeats_done / work->batch->count + (i < repeats_done % work->batch->count);
        seconds += repeats * work->batch->cases[i].seconds;
    }
    return work->progress(work->context, seconds);
}

static dunlin_result run_batch(batch_work *work, sweep_rows *rows, dunlin_error *error) {
    const plan_batch *batch = work->batch;
    int done = 0;
    for (int i = 0; i < batch->count; i++) {
        dunlin_result result = make_start(work, i, error);
        if (result != DUNLIN_OK) return result;
        if (!work->progress(work->context, 0.0)) return DUNLIN_OK;
    }
    for (int i = 0; i < batch->count; i++) work->cases[i] = case_of(work, i);
    dunlin_result result = frame_bench_run(work->cases, batch->count, rows->row + rows->count, pass_on, work, &done, error);
    if (result != DUNLIN_OK) return result;
    for (int i = 0; i < batch->count && rows->row[rows->count].repeats > 0; i++) rows->count++;
    return DUNLIN_OK;
}

dunlin_result measure_batch(const plan_batch *batch, sweep_rows *rows, measure_progress *progress, void *context,
                            dunlin_error *error) {
    batch_work *work = calloc(1, sizeof *work);
    if (!work) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a sweep");
    work->batch = batch;
    work->progress = progress;
    work->context = context;
    dunlin_result result = run_batch(work, rows, error);
    for (int i = 0; i < work->start_count; i++) bench_start_free(&work->starts[i]);
    free(work);
    return result;
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

static dunlin_result measure_bytes_per_agent(const scale_options *options, int dimensions, double *bytes, dunlin_error *error) {
    bench_workload workload = {.dimensions = dimensions, .agents = 100000, .neighbours = 20.0};
    bench_start start;
    dunlin_result result = bench_start_make(&workload, &start, error);
    if (result != DUNLIN_OK) return result;
    frame_case one = {.start = &start,
                      .threads = options->threads > 0 ? options->threads : 2,
                      .kernel = options->kernel,
                      .index = "auto",
                      .warm_up = 1,
                      .steps = 1,
                      .repeats = 1};
    frame_row row;
    int done;
    result = frame_bench_run(&one, 1, &row, NULL, NULL, &done, error);
    bench_start_free(&start);
    double in_start = 2.0 * dimensions * sizeof(float);
    if (result == DUNLIN_OK) *bytes = row.bytes_per_agent + in_start;
    return result;
}

dunlin_result measure_limits(const scale_options *options, plan_limits *limits, dunlin_error *error) {
    const double share = 0.8; /* of the free memory; the rest is for the system */
    const double unknown = 2e9;
    double available = (double)free_memory();
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        if (!options->dimensions[dimensions]) continue;
        double bytes;
        dunlin_result result = measure_bytes_per_agent(options, dimensions, &bytes, error);
        if (result != DUNLIN_OK) return result;
        double agents = share * (available > 0.0 ? available : unknown) / bytes;
        limits->agents[dimensions] = agents < SCALE_MAX_AGENTS ? (uint32_t)agents : SCALE_MAX_AGENTS;
    }
    return DUNLIN_OK;
}
