/* SPDX-License-Identifier: MIT */
#include "harness/roofline/roofline.h"
#include "harness/measure/watched_bench.h"
#include "harness/command/interrupt.h"
#include "harness/command/progress.h"

#include <stdio.h>
#include <string.h>

enum { REPEATS = 201, QUICK_REPEATS = 41, BANDWIDTH_REPEATS = 15, QUICK_BANDWIDTH_REPEATS = 5 };
enum { WARM_UP = 3, STEPS = 10, QUICK_STEPS = 4, STAT_STEPS = 2 };
static const uint64_t usual_memory = UINT64_C(256) << 20; /* bytes, if the system does not report its memory */

/* ---- ceilings --------------------------------------------------------------------------------------------------------- */

static void choose_teams(roofline *r) {
    const int wanted[] = {1, r->host.threads, r->plan.threads};
    for (int i = 0; i < 3; i++) {
        bool is_new = wanted[i] >= 1;
        for (int t = 0; t < r->team_count; t++) is_new = is_new && r->team_threads[t] != wanted[i];
        if (is_new) r->team_threads[r->team_count++] = wanted[i];
    }
}

/* The widest loops that run here move bytes fastest. */
static const roofline_loops *widest_loops(void) {
    const roofline_loops *widest = NULL;
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        const roofline_loops *loops = dunlin_kernel_at(i).runs_here ? roofline_loops_find(dunlin_kernel_at(i).name) : NULL;
        if (loops && (!widest || loops->lanes > widest->lanes)) widest = loops;
    }
    return widest;
}

static void measure_ceilings(roofline *r) {
    const uint64_t memory = r->host.memory_bytes > 0 ? r->host.memory_bytes / 4 : usual_memory;
    const roofline_loops *loops = widest_loops();
    r->ceiling_repeats = r->plan.quick ? QUICK_REPEATS : REPEATS;
    const int repeats = r->plan.quick ? QUICK_BANDWIDTH_REPEATS : BANDWIDTH_REPEATS;
    choose_teams(r);
    int kernels = dunlin_kernel_count(), done = 0;
    if (kernels > ROOFLINE_KERNELS_MOST) kernels = ROOFLINE_KERNELS_MOST;
    run_progress progress = progress_begin("ceiling", (uint64_t)(kernels + r->team_count), !r->plan.quiet);
    for (int i = 0; i < kernels && interrupt_signal() == 0; i++) {
        r->widths[r->width_count++] = ceilings_measure(dunlin_kernel_at(i).name, r->ceiling_repeats);
        progress_update(&progress, (uint64_t)++done, 0);
    }
    for (int t = 0; t < r->team_count && interrupt_signal() == 0; t++) {
        r->level_count = bandwidth_measure(&r->host, loops, r->team_threads[t], repeats, memory, r->levels[t]);
        progress_update(&progress, (uint64_t)++done, 0);
    }
    progress_end(&progress);
}

/* ---- what a frame does ------------------------------------------------------------------------------------------------ */

static const width_ceilings *find_ceilings(const roofline *r, const char *kernel) {
    for (int i = 0; i < r->width_count; i++) {
        if (strcmp(r->widths[i].kernel, kernel) == 0) return &r->widths[i];
    }
    return NULL;
}

static const level_bandwidth *find_level(const roofline *r, double bytes) {
    for (int t = 0; t < r->team_count; t++) {
        if (r->team_threads[t] == r->plan.threads) return model_level(r->levels[t], r->level_count, bytes);
    }
    return NULL;
}

/* Groups, candidates and cells of a frame, once the agents are sorted. */
static dunlin_result read_stats(roofline_row *row, const bench_start *start, int threads, dunlin_error *error) {
    dunlin_world *world;
    dunlin_result result = bench_world_make(start, threads, row->measured.kernel, "auto", &world, error);
    if (result != DUNLIN_OK) return result;
    for (int step = 0; step < STAT_STEPS && result == DUNLIN_OK; step++) result = dunlin_world_step(world, error);
    const dunlin_stats stats = dunlin_world_stats(world);
    const double agents = (double)stats.agents;
    if (result == DUNLIN_OK) {
        row->groups_per_agent = (double)stats.groups / agents;
        row->candidates_per_agent = (double)stats.pairs_tested / row->counts.lanes / agents;
        row->cells_per_agent = (double)stats.cells / agents;
    }
    dunlin_world_destroy(world);
    return result;
}

static dunlin_result bound_row(const roofline *r, roofline_row *row, const bench_start *start, dunlin_error *error) {
    dunlin_result result = counting_measure(start, row->measured.kernel, &row->counts, error);
    if (result == DUNLIN_OK) result = read_stats(row, start, r->plan.threads, error);
    if (result != DUNLIN_OK) return result;
    row->ceilings = find_ceilings(r, row->measured.kernel);
    row->level = find_level(r, row->measured.bytes_per_agent * r->plan.agents);
    const int cores = r->host.cores > 0 && r->plan.threads > r->host.cores ? r->host.cores : r->plan.threads;
    const model_input input = {.dimensions = start->workload.dimensions,
                               .cores = cores,
                               .many_workers = r->plan.threads > 1,
                               .groups_per_agent = row->groups_per_agent,
                               .candidates_per_agent = row->candidates_per_agent,
                               .cells_per_agent = row->cells_per_agent,
                               .counts = &row->counts,
                               .ceilings = row->ceilings,
                               .level = row->level};
    row->bounds = model_bound(&input);
    return DUNLIN_OK;
}

static dunlin_result measure_rows(roofline *r, const bench_start *start, dunlin_error *error) {
    frame_case cases[ROOFLINE_KERNELS_MOST];
    frame_row rows[ROOFLINE_KERNELS_MOST];
    for (int i = 0; i < r->plan.kernel_count; i++) {
        cases[i] = (frame_case){.start = start,
                                .threads = r->plan.threads,
                                .kernel = r->plan.kernels[i],
                                .index = "auto",
                                .warm_up = WARM_UP,
                                .steps = r->plan.quick ? QUICK_STEPS : STEPS,
                                .repeats = r->plan.repeats};
    }
    dunlin_result result = watched_bench_run(cases, r->plan.kernel_count, rows, r->plan.quiet, error);
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
        if (plan->flies[dimensions] && interrupt_signal() == 0) result = measure_dimensions(r, dimensions, error);
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
    return achieved > 0.0 ? row->bounds.stages[s].bound / achieved : 0.0;
}

void roofline_binds(const roofline_row *row, stage s, char text[64]) {
    const stage_bound *b = &row->bounds.stages[s];
    char level[16];
    if (b->bound <= 0.0) {
        snprintf(text, 64, "not measured");
    } else if (s == STAGE_FRAME) {
        snprintf(text, 64, "all stages, one after another");
    } else if (b->binds != RESOURCE_BYTES) {
        snprintf(text, 64, "%s", model_resource_name(b->binds));
    } else {
        bandwidth_level_name(row->level->level, level);
        snprintf(text, 64, "%s: %s", level, bandwidth_kind_name(model_bandwidth_kind(row->level, s)));
    }
}
