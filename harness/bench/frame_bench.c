/* SPDX-License-Identifier: MIT */
#include "frame_bench.h"
#include "../clock.h"
#include "baseline.h"
#include "fail.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One repeat of one case, a frame each. */
typedef struct sample {
    double updates_per_second;
    double pairs_tested, pairs_useful;
    stage_ms ms;
} sample;

/* A case while it is measured. */
typedef struct bench_case {
    const frame_case *what;
    frame_row *row;
    sample *samples; /* [what->repeats] */
} bench_case;

/* ---- one repeat ------------------------------------------------------------------------------------------------------- */

/* `total` has the sums over all timed frames; wall time is the caller's, for whatever lies between frames counts too. */
static sample make_sample(const frame_case *what, const sample *total, double seconds) {
    double frames = what->steps;
    return (sample){
        .updates_per_second = frames * (double)what->start->workload.agents / seconds,
        .pairs_tested = total->pairs_tested / frames,
        .pairs_useful = total->pairs_useful / frames,
        .ms = {.snapshot = total->ms.snapshot / frames,
               .interact = total->ms.interact / frames,
               .steer = total->ms.steer / frames,
               .integrate = total->ms.integrate / frames,
               .frame = seconds * 1e3 / frames},
    };
}

static void add_stats(sample *total, const dunlin_stats *stats) {
    total->pairs_tested += (double)stats->pairs_tested;
    total->pairs_useful += (double)stats->pairs_useful;
    total->ms.snapshot += stats->ms_snapshot;
    total->ms.interact += stats->ms_interact;
    total->ms.steer += stats->ms_steer;
    total->ms.integrate += stats->ms_integrate;
}

static dunlin_result fly(const frame_case *what, dunlin_world *world, sample *measured, dunlin_error *error) {
    for (int step = 0; step < what->warm_up; ++step) {
        dunlin_result result = dunlin_world_step(world, error);
        if (result != DUNLIN_OK) return result;
    }
    sample total = {0};
    double began = clock_seconds();
    for (int step = 0; step < what->steps; ++step) {
        dunlin_result result = dunlin_world_step(world, error);
        if (result != DUNLIN_OK) return result;
        dunlin_stats stats = dunlin_world_stats(world);
        add_stats(&total, &stats);
    }
    *measured = make_sample(what, &total, clock_seconds() - began);
    return DUNLIN_OK;
}

/* Repeats start alike, so they end alike. */
static dunlin_result note_hash(frame_row *row, uint64_t hash, dunlin_error *error) {
    if (row->repeats == 0) row->hash = hash;
    if (row->hash == hash) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_KERNEL,
                      "kernel %s is not deterministic: state hash %016" PRIx64 " after one repeat, %016" PRIx64
                      " after another",
                      row->kernel, row->hash, hash);
}

static dunlin_result measure_kernel(const bench_case *bench, sample *measured, dunlin_error *error) {
    const frame_case *what = bench->what;
    frame_row *row = bench->row;
    dunlin_world *world;
    dunlin_result result = bench_world_make(what->start, what->threads, what->kernel, what->index, &world, error);
    if (result != DUNLIN_OK) return result;
    result = fly(what, world, measured, error);
    if (result == DUNLIN_OK) {
        dunlin_world_def def = dunlin_world_get_def(world);
        snprintf(row->kernel, sizeof row->kernel, "%s", def.kernel);
        snprintf(row->index, sizeof row->index, "%s", def.index);
        row->bytes_per_agent = (double)dunlin_world_bytes(world) / (double)what->start->workload.agents;
        result = note_hash(row, dunlin_world_state_hash(world), error);
    }
    dunlin_world_destroy(world);
    return result;
}

static dunlin_result measure_baseline(const bench_case *bench, baseline_kind kind, sample *measured, dunlin_error *error) {
    const frame_case *what = bench->what;
    baseline *flock;
    dunlin_result result = baseline_create(what->start, kind, what->threads, &flock, error);
    if (result != DUNLIN_OK) return result;
    for (int step = 0; step < what->warm_up; ++step) baseline_step(flock);
    sample total = {0};
    double began = clock_seconds();
    for (int step = 0; step < what->steps; ++step) {
        baseline_step(flock);
        baseline_stats stats = baseline_last_stats(flock);
        total.pairs_tested += (double)stats.pairs_tested;
        total.pairs_useful += (double)stats.pairs_useful;
    }
    *measured = make_sample(what, &total, clock_seconds() - began);
    bench->row->bytes_per_agent = (double)baseline_bytes(flock) / (double)what->start->workload.agents;
    baseline_destroy(flock);
    return DUNLIN_OK;
}

static dunlin_result measure(const bench_case *bench, dunlin_error *error) {
    sample *measured = &bench->samples[bench->row->repeats];
    baseline_kind kind;
    dunlin_result result = baseline_find(bench->what->kernel, &kind) ? measure_baseline(bench, kind, measured, error)
                                                                     : measure_kernel(bench, measured, error);
    if (result == DUNLIN_OK) bench->row->repeats++;
    return result;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct spread {
    double low, median, high;
} spread;

/* Of the number that lies `offset` bytes into each sample. `sorted` has room for one a sample. */
static spread spread_of(const bench_case *bench, size_t offset, double *sorted) {
    int count = bench->row->repeats;
    for (int i = 0; i < count; ++i) memcpy(&sorted[i], (const char *)&bench->samples[i] + offset, sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    return (spread){
        .low = sorted[0],
        .median = 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]),
        .high = sorted[count - 1],
    };
}

#define MEDIAN(member) spread_of(bench, offsetof(sample, member), sorted).median

static void fill_row(const bench_case *bench, double *sorted) {
    frame_row *row = bench->row;
    if (row->repeats == 0) return;
    double agents = row->workload.agents;
    spread speed = spread_of(bench, offsetof(sample, updates_per_second), sorted);
    row->agent_updates_per_second = speed.median;
    row->agent_updates_per_second_min = speed.low;
    row->agent_updates_per_second_max = speed.high;
    row->pairs_tested_per_agent = MEDIAN(pairs_tested) / agents;
    row->neighbours_found = MEDIAN(pairs_useful) / agents;
    row->pairs_tested_per_second = row->pairs_tested_per_agent * speed.median;
    row->pairs_useful_per_second = row->neighbours_found * speed.median;
    row->ms = (stage_ms){.snapshot = MEDIAN(ms.snapshot),
                         .interact = MEDIAN(ms.interact),
                         .steer = MEDIAN(ms.steer),
                         .integrate = MEDIAN(ms.integrate),
                         .frame = MEDIAN(ms.frame)};
}

static void begin_row(frame_row *row, const frame_case *what) {
    baseline_kind kind;
    bool is_baseline = baseline_find(what->kernel, &kind);
    *row = (frame_row){.workload = what->start->workload, .threads = what->threads, .steps = what->steps};
    snprintf(row->kernel, sizeof row->kernel, "%s", what->kernel);
    snprintf(row->index, sizeof row->index, "%s", !is_baseline ? what->index : kind == BASELINE_AOS ? "grid" : "brute");
}

/* ---- all of them ------------------------------------------------------------------------------------------------------ */

typedef struct bench {
    bench_case *cases;
    int count;
    sample *samples;
    double *sorted;
    int rounds, repeats_done, repeats_all;
} bench;

static dunlin_result prepare(bench *all, const frame_case *cases, int count, frame_row *rows, dunlin_error *error) {
    for (int i = 0; i < count; ++i) {
        begin_row(&rows[i], &cases[i]);
        all->repeats_all += cases[i].repeats;
        if (cases[i].repeats > all->rounds) all->rounds = cases[i].repeats;
    }
    all->count = count;
    all->cases = calloc((size_t)count + 1, sizeof *all->cases);
    all->samples = calloc((size_t)all->repeats_all + 1, sizeof *all->samples);
    all->sorted = calloc((size_t)all->rounds + 1, sizeof *all->sorted);
    if (all->cases == NULL || all->samples == NULL || all->sorted == NULL) {
        return bench_fail(error, DUNLIN_ERROR_MEMORY, "out of memory for what is measured");
    }
    sample *samples = all->samples;
    for (int i = 0; i < count; ++i) {
        all->cases[i] = (bench_case){.what = &cases[i], .row = &rows[i], .samples = samples};
        samples += cases[i].repeats;
    }
    return DUNLIN_OK;
}

/* *stopped: progress said so. */
static dunlin_result run_round(bench *all, int round, frame_bench_progress *progress, void *context, bool *stopped,
                               dunlin_error *error) {
    for (int i = 0; i < all->count && !*stopped; ++i) {
        if (round >= all->cases[i].what->repeats) continue;
        dunlin_result result = measure(&all->cases[i], error);
        if (result != DUNLIN_OK) return result;
        all->repeats_done++;
        if (progress != NULL) *stopped = !progress(context, all->repeats_done, all->repeats_all);
    }
    return DUNLIN_OK;
}

static int count_full_rounds(const bench *all) {
    int rounds = all->rounds;
    for (int i = 0; i < all->count; ++i) {
        int repeats = all->cases[i].row->repeats;
        if (repeats < all->cases[i].what->repeats && repeats < rounds) rounds = repeats;
    }
    return rounds;
}

dunlin_result frame_bench_run(const frame_case *cases, int count, frame_row *rows, frame_bench_progress *progress,
                              void *context, int *done, dunlin_error *error) {
    bench all = {0};
    bool stopped = false;
    *done = 0;
    dunlin_result result = prepare(&all, cases, count, rows, error);
    for (int round = 0; round < all.rounds && result == DUNLIN_OK && !stopped; ++round) {
        result = run_round(&all, round, progress, context, &stopped, error);
    }
    if (result == DUNLIN_OK) {
        for (int i = 0; i < count; ++i) fill_row(&all.cases[i], all.sorted);
        *done = count_full_rounds(&all);
    }
    free(all.cases);
    free(all.samples);
    free(all.sorted);
    return result;
}
