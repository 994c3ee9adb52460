/* SPDX-License-Identifier: MIT */
#include "harness/command/interrupt.h"
#include "harness/report/message.h"
#include "harness/scale/scale.h"

#include <stdlib.h>
#include <string.h>

/* A batch being measured. Consecutive cases of the same workload share a start. */
typedef struct batch_work {
    scale_run *run;
    const plan_batch *batch;
    int start_count;
    bench_start starts[SWEEP_ROWS];
    frame_case cases[SWEEP_ROWS];
} batch_work;

/* ---- starts ----------------------------------------------------------------------------------------------------------- */

static bool is_same(const bench_workload *a, const bench_workload *b) {
    return a->dimensions == b->dimensions && a->agents == b->agents && a->neighbours == b->neighbours &&
           a->distribution == b->distribution;
}

static dunlin_result measure_once(frame_case probe, frame_row *row, dunlin_error *error) {
    probe.repeats = 1;
    return frame_bench_run(&probe, 1, row, NULL, NULL, NULL, error);
}

static dunlin_result make_case(batch_work *work, int number, dunlin_error *error) {
    const plan_case *plan = &work->batch->cases[number];
    frame_case *one = &work->cases[number];
    bench_start *start = &work->starts[work->start_count];
    *one = (frame_case){.start = start,
                        .crew = work->run->ranks,
                        .ranks = plan->ranks,
                        .threads = plan->threads,
                        .kernel = plan->kernel,
                        .index = plan->ranks > 0 ? "grid" : "auto",
                        .warm_up = plan->warm_up,
                        .steps = plan->steps,
                        .repeats = work->batch->repeats};
    if (number > 0 && is_same(&plan->workload, &one[-1].start->workload)) {
        one->start = one[-1].start;
        return DUNLIN_OK;
    }
    work->start_count++;
    if (plan->ranks > 0) {
        *start = (bench_start){.workload = plan->workload}; /* ranks make it in parts */
        return DUNLIN_OK;
    }
    return bench_start_make(&plan->workload, start, error);
}

/* ---- a batch ---------------------------------------------------------------------------------------------------------- */

/* Cases take turns, so repeat n belongs to case n modulo their count. */
static bool show_progress(void *context, int repeats_done, int repeats_all) {
    (void)repeats_all;
    const batch_work *work = context;
    const plan_batch *batch = work->batch;
    double seconds = work->run->seconds_done;
    for (int i = 0; i < batch->count; i++) {
        int repeats = repeats_done / batch->count + (i < repeats_done % batch->count);
        seconds += repeats * batch->cases[i].seconds;
    }
    char what[80];
    snprintf(what, sizeof what, "%s in %dD", sweeps[batch->sweep].title, batch->dimensions);
    progress_show(&work->run->progress, seconds / work->run->seconds_planned, what);
    return interrupt_signal() == 0;
}

static dunlin_result run_batch(batch_work *work, sweep_rows *rows, dunlin_error *error) {
    const plan_batch *batch = work->batch;
    for (int i = 0; i < batch->count; i++) {
        dunlin_result result = make_case(work, i, error);
        if (result != DUNLIN_OK) return result;
        if (!show_progress(work, 0, 0)) return DUNLIN_OK;
    }
    dunlin_result result =
        frame_bench_run(work->cases, batch->count, rows->row + rows->count, NULL, show_progress, work, error);
    if (result != DUNLIN_OK) return result;
    for (int i = 0; i < batch->count && rows->row[rows->count].repeats > 0; i++) rows->count++;
    return DUNLIN_OK;
}

dunlin_result measure_batch(scale_run *run, const plan_batch *batch, dunlin_error *error) {
    batch_work *work = calloc(1, sizeof *work);
    if (!work) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a sweep");
    work->run = run;
    work->batch = batch;
    dunlin_result result = run_batch(work, &run->results[batch->sweep][batch->dimensions], error);
    for (int i = 0; i < work->start_count; i++) bench_start_free(&work->starts[i]);
    free(work);
    run->seconds_done += plan_batch_seconds(batch);
    return result;
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

static dunlin_result measure_bytes_per_agent(const char *kernel, int dimensions, double *bytes, dunlin_error *error) {
    bench_workload workload = {.dimensions = dimensions, .agents = 100000, .neighbours = 20.0};
    bench_start start;
    frame_row row;
    dunlin_result result = bench_start_make(&workload, &start, error);
    if (result != DUNLIN_OK) return result;
    frame_case one = {.start = &start, .threads = 2, .kernel = kernel, .index = "auto", .warm_up = 1, .steps = 1};
    result = measure_once(one, &row, error);
    bench_start_free(&start);
    double in_start = 2.0 * dimensions * sizeof(float);
    if (result == DUNLIN_OK) *bytes = row.bytes_per_agent + in_start;
    return result;
}

dunlin_result measure_limits(scale_run *run, dunlin_error *error) {
    const double share = 0.8; /* of the free memory; the rest is for the system */
    const double unknown = 2e9;
    double available = (double)machine_free_memory();
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        if (!run->options.dimensions[dimensions]) continue;
        double bytes;
        dunlin_result result = measure_bytes_per_agent(run->options.kernel, dimensions, &bytes, error);
        if (result != DUNLIN_OK) return result;
        double agents = share * (available > 0.0 ? available : unknown) / bytes;
        run->max_agents[dimensions] = agents < SCALE_MAX_AGENTS ? (uint32_t)agents : SCALE_MAX_AGENTS;
    }
    return DUNLIN_OK;
}
