/* SPDX-License-Identifier: MIT */
#include "harness/roofline/roofline.h"
#include "harness/measure/frame_bench.h"
#include "harness/command/interrupt.h"
#include "harness/command/kernel_names.h"
#include "harness/command/progress.h"

#include <stdio.h>
#include <string.h>

enum { REPEATS = 201, QUICK_REPEATS = 41, BANDWIDTH_REPEATS = 15, QUICK_BANDWIDTH_REPEATS = 5 };
enum { WARM_UP = 3, STEPS = 10, QUICK_STEPS = 4 };
static const uint64_t usual_memory = UINT64_C(256) << 20; /* bytes, if the system does not report its memory */

/* ---- ceilings --------------------------------------------------------------------------------------------------------- */

static void measure_bandwidth(roofline *r) {
    const uint64_t memory = r->host.memory_bytes > 0 ? r->host.memory_bytes / 4 : usual_memory;
    const int repeats = r->plan.quick ? QUICK_BANDWIDTH_REPEATS : BANDWIDTH_REPEATS;
    if (interrupt_signal() != 0) return;
    r->level_count =
        bandwidth_measure(&r->host, roofline_loops_find(kernel_automatic()), r->plan.threads, repeats, memory, r->levels);
}

static void measure_ceilings(roofline *r) {
    const int kernels = dunlin_kernel_count() < ROOFLINE_MAX_KERNELS ? dunlin_kernel_count() : ROOFLINE_MAX_KERNELS;
    run_progress progress = progress_begin("ceiling", (uint64_t)kernels, !r->plan.quiet);
    r->ceiling_repeats = r->plan.quick ? QUICK_REPEATS : REPEATS;
    while (r->width_count < kernels && interrupt_signal() == 0) {
        r->widths[r->width_count] = ceilings_measure(dunlin_kernel_at(r->width_count).name, r->ceiling_repeats);
        progress_update(&progress, (uint64_t)++r->width_count, 0);
    }
    progress_end(&progress);
    measure_bandwidth(r);
}

/* ---- what a frame does ------------------------------------------------------------------------------------------------ */

static const width_ceilings *find_ceilings(const roofline *r, const char *kernel) {
    for (int i = 0; i < r->width_count; i++) {
        if (strcmp(r->widths[i].kernel, kernel) == 0) return &r->widths[i];
    }
    return NULL;
}

static dunlin_result bound_row(const roofline *r, roofline_row *row, const bench_start *start, dunlin_error *error) {
    const char *kernel = row->measured.kernel;
    const int threads = r->plan.threads, cores = r->host.cores;
    const double bytes = row->measured.bytes_per_agent * r->plan.agents;
    row->input = (model_input){.dimensions = start->workload.dimensions,
                               .cores = cores > 0 && threads > cores ? cores : threads,
                               .many_workers = threads > 1,
                               .ceilings = find_ceilings(r, kernel),
                               .level = model_level(r->levels, r->level_count, bytes)};
    dunlin_result result = counting_measure(start, kernel, &row->input.counts, error);
    if (result == DUNLIN_OK) model_bound(&row->input, row->stages);
    return result;
}

static dunlin_result measure_rows(roofline *r, const bench_start *start, dunlin_error *error) {
    frame_case cases[ROOFLINE_MAX_KERNELS];
    frame_row rows[ROOFLINE_MAX_KERNELS];
    for (int i = 0; i < r->plan.kernel_count; i++) {
        cases[i] = (frame_case){.start = start,
                                .threads = r->plan.threads,
                                .kernel = r->plan.kernels[i],
                                .index = "auto",
                                .warm_up = WARM_UP,
                                .steps = r->plan.quick ? QUICK_STEPS : STEPS,
                                .repeats = r->plan.repeats};
    }
    dunlin_result result = watched_bench_run(cases, r->plan.kernel_count, rows, NULL, r->plan.quiet, error);
    for (int i = 0; i < r->plan.kernel_count && result == DUNLIN_OK; i++) {
        if (rows[i].repeats == 0) continue;
        r->rows[r->row_count] = (roofline_row){.measured = rows[i]};
        result = bound_row(r, &r->rows[r->row_count++], start, error);
    }
    return result;
}

static dunlin_result measure_dimensions(roofline *r, int dimensions, dunlin_error *error) {
    const bench_workload workload = {
        .dimensions = dimensions, .agents = r->plan.agents, .neighbours = r->plan.neighbours, .distribution = BENCH_UNIFORM};
    bench_start start;
    dunlin_result result = bench_start_make(&workload, &start, error);
    if (result != DUNLIN_OK) return result;
    result = measure_rows(r, &start, error);
    bench_start_free(&start);
    return result;
}

dunlin_result roofline_measure(const roofline_plan *plan, roofline *r, dunlin_error *error) {
    *r = (roofline){.plan = *plan, .host = machine_describe()};
    if (plan->threads == 0) r->plan.threads = r->host.threads;
    measure_ceilings(r);
    dunlin_result result = DUNLIN_OK;
    for (int dimensions = 2; dimensions <= 3 && result == DUNLIN_OK; dimensions++) {
        if (plan->runs[dimensions] && interrupt_signal() == 0) result = measure_dimensions(r, dimensions, error);
    }
    return result;
}

/* ---- results ---------------------------------------------------------------------------------------------------------- */

double roofline_achieved(const roofline_row *row, stage s) {
    const stage_ms *ms = &row->measured.ms;
    const double of[STAGES] = {ms->snapshot, ms->interact, ms->steer, ms->integrate, ms->frame};
    return 1e-3 * of[s] / row->measured.workload.agents;
}

double roofline_share(const roofline_row *row, stage s) {
    const double achieved = roofline_achieved(row, s);
    return achieved > 0.0 ? row->stages[s].bound / achieved : 0.0;
}

void roofline_binds(const roofline_row *row, stage s, char text[64]) {
    const stage_bound *b = &row->stages[s];
    const level_bandwidth *level = row->input.level;
    if (b->bound <= 0.0)
        snprintf(text, 64, "not measured");
    else if (s == STAGE_FRAME)
        snprintf(text, 64, "all stages, one after another");
    else if (b->binds != RESOURCE_BYTES)
        snprintf(text, 64, "%s", model_resource_name(b->binds));
    else
        snprintf(text, 64, "%s: %s", level->name, bandwidth_kind_name(model_bandwidth_kind(level, s)));
}
