/* SPDX-License-Identifier: MIT */
#include "harness/measure/frame_bench.h"
#include "harness/report/clock.h"
#include "harness/measure/baseline.h"
#include "harness/report/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One repeat of one case; figures are per frame. */
typedef struct sample {
    double updates_per_second;
    double pairs_tested, pairs_useful;
    stage_ms ms;
} sample;

/* What flies: a world, or a baseline's flock. */
typedef struct bench_flight {
    const frame_case *what;
    dunlin_world *world; /* NULL: a baseline flies */
    baseline *flock;
} bench_flight;

/* A case while it is measured. */
typedef struct bench_case {
    const frame_case *what;
    frame_row *row;
    sample *samples;      /* [what->repeats] */
    bench_flight *flight; /* that continues with every repeat; NULL: each repeat has a new one, from the start */
} bench_case;

/* ---- one repeat ------------------------------------------------------------------------------------------------------- */

/* `total` has the sums over all timed frames. `seconds` is wall time, which includes everything between frames. */
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

static dunlin_result step(bench_flight *flight, sample *total, dunlin_error *error) {
    if (!flight->world) {
        baseline_step(flight->flock);
        baseline_stats stats = baseline_last_stats(flight->flock);
        total->pairs_tested += (double)stats.pairs_tested;
        total->pairs_useful += (double)stats.pairs_useful;
        return DUNLIN_OK;
    }
    dunlin_result result = dunlin_world_step(flight->world, error);
    if (result != DUNLIN_OK) return result;
    dunlin_stats stats = dunlin_world_stats(flight->world);
    add_stats(total, &stats);
    return DUNLIN_OK;
}

static dunlin_result step_often(bench_flight *flight, int steps, sample *total, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < steps && result == DUNLIN_OK; i++) result = step(flight, total, error);
    return result;
}

static dunlin_result make_flock(bench_flight *flight, dunlin_error *error) {
    const frame_case *what = flight->what;
    baseline_kind kind;
    if (baseline_find(what->kernel, &kind)) return baseline_create(what->start, kind, what->threads, &flight->flock, error);
    dunlin_result result = bench_world_make(what->start, what->threads, what->kernel, what->index, &flight->world, error);
    if (result != DUNLIN_OK) return result;
    return bench_addition_make(what->addition, flight->world, what->start, error);
}

/* Always land the flight. */
static dunlin_result take_off(const frame_case *what, bench_flight *made, dunlin_error *error) {
    *made = (bench_flight){.what = what};
    sample untimed = {0};
    dunlin_result result = make_flock(made, error);
    return result == DUNLIN_OK ? step_often(made, what->warm_up, &untimed, error) : result;
}

static dunlin_result fly(bench_flight *flight, sample *measured, dunlin_error *error) {
    sample total = {0};
    double began = clock_seconds();
    dunlin_result result = step_often(flight, flight->what->steps, &total, error);
    *measured = make_sample(flight->what, &total, clock_seconds() - began);
    return result;
}

/* Repeats start in the same state, so they must end in the same state. */
static dunlin_result note_hash(frame_row *row, uint64_t hash, dunlin_error *error) {
    if (row->hash == 0) row->hash = hash;
    if (row->hash == hash) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_KERNEL,
                      "kernel %s is not deterministic: the state hash is %016" PRIx64 " after one repeat, %016" PRIx64
                      " after another",
                      row->kernel, row->hash, hash);
}

/* Notes the choices, the memory and the last state. */
static dunlin_result note_end(const bench_flight *flight, frame_row *row, dunlin_error *error) {
    size_t bytes = flight->world ? dunlin_world_bytes(flight->world) : baseline_bytes(flight->flock);
    row->bytes_per_agent = (double)bytes / (double)flight->what->start->workload.agents;
    if (!flight->world) return DUNLIN_OK;
    dunlin_world_def def = dunlin_world_get_def(flight->world);
    snprintf(row->kernel, sizeof row->kernel, "%s", def.kernel);
    snprintf(row->index, sizeof row->index, "%s", def.index);
    return note_hash(row, dunlin_world_state_hash(flight->world), error);
}

static void land(bench_flight *flight) {
    dunlin_world_destroy(flight->world);
    baseline_destroy(flight->flock);
}

static dunlin_result measure_anew(const bench_case *bench, sample *measured, dunlin_error *error) {
    bench_flight own;
    dunlin_result result = take_off(bench->what, &own, error);
    if (result == DUNLIN_OK) result = fly(&own, measured, error);
    if (result == DUNLIN_OK) result = note_end(&own, bench->row, error);
    land(&own);
    return result;
}

static dunlin_result measure(const bench_case *bench, dunlin_error *error) {
    sample *measured = &bench->samples[bench->row->repeats];
    dunlin_result result = bench->flight ? fly(bench->flight, measured, error) : measure_anew(bench, measured, error);
    if (result == DUNLIN_OK) bench->row->repeats++;
    return result;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------- */

#define SPREAD(member) spread_of_member(&bench->samples[0].member, sizeof(sample), bench->row->repeats, sorted)
#define MEDIAN(member) SPREAD(member).median

/* `sorted` has room for a number of every sample. */
static void fill_row(const bench_case *bench, double *sorted) {
    frame_row *row = bench->row;
    if (row->repeats == 0) return;
    double agents = row->workload.agents;
    spread speed = SPREAD(updates_per_second);
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
    *row = (frame_row){
        .workload = what->start->workload, .addition = what->addition, .threads = what->threads, .steps = what->steps};
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
    for (int i = 0; i < count; i++) {
        begin_row(&rows[i], &cases[i]);
        all->repeats_all += cases[i].repeats;
        if (cases[i].repeats > all->rounds) all->rounds = cases[i].repeats;
    }
    all->count = count;
    all->cases = calloc((size_t)count + 1, sizeof *all->cases);
    all->samples = calloc((size_t)all->repeats_all + 1, sizeof *all->samples);
    all->sorted = calloc((size_t)all->rounds + 1, sizeof *all->sorted);
    if (!all->cases || !all->samples || !all->sorted) {
        return bench_fail(error, DUNLIN_ERROR_MEMORY, "out of memory for what is measured");
    }
    sample *samples = all->samples;
    for (int i = 0; i < count; i++) {
        all->cases[i] = (bench_case){.what = &cases[i], .row = &rows[i], .samples = samples};
        samples += cases[i].repeats;
    }
    return DUNLIN_OK;
}

static void discard(bench *all) {
    free(all->cases);
    free(all->samples);
    free(all->sorted);
}

/* *stopped: progress said so. */
static dunlin_result run_round(bench *all, int round, frame_bench_progress *progress, void *context, bool *stopped,
                               dunlin_error *error) {
    for (int i = 0; i < all->count && !*stopped; i++) {
        if (round >= all->cases[i].what->repeats) continue;
        dunlin_result result = measure(&all->cases[i], error);
        if (result != DUNLIN_OK) return result;
        all->repeats_done++;
        if (progress) *stopped = !progress(context, all->repeats_done, all->repeats_all);
    }
    return DUNLIN_OK;
}

static int count_full_rounds(const bench *all) {
    int rounds = all->rounds;
    for (int i = 0; i < all->count; i++) {
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
    for (int round = 0; round < all.rounds && result == DUNLIN_OK && !stopped; round++) {
        result = run_round(&all, round, progress, context, &stopped, error);
    }
    if (result == DUNLIN_OK) {
        for (int i = 0; i < count; i++) fill_row(&all.cases[i], all.sorted);
        *done = count_full_rounds(&all);
    }
    discard(&all);
    return result;
}

/* ---- two side by side ------------------------------------------------------------------------------------------------- */

static spread spread_of_ratios(const bench *all) {
    const bench_case *compared = &all->cases[COMPARED], *reference = &all->cases[REFERENCE];
    int rounds = compared->row->repeats < reference->row->repeats ? compared->row->repeats : reference->row->repeats;
    for (int i = 0; i < rounds; i++) all->sorted[i] = compared->samples[i].ms.frame / reference->samples[i].ms.frame;
    return rounds > 0 ? spread_of(all->sorted, rounds) : (spread){0};
}

static dunlin_result fly_in_turns(bench *all, bench_flight flights[COMPARED_CASES], frame_bench_progress *progress,
                                  void *context, dunlin_error *error) {
    bool stopped = false;
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < COMPARED_CASES; i++) all->cases[i].flight = &flights[i];
    for (int i = 0; i < COMPARED_CASES && result == DUNLIN_OK; i++) {
        result = take_off(all->cases[i].what, &flights[i], error);
    }
    for (int round = 0; round < all->rounds && result == DUNLIN_OK && !stopped; round++) {
        result = run_round(all, round, progress, context, &stopped, error);
    }
    for (int i = 0; i < COMPARED_CASES && result == DUNLIN_OK; i++) {
        result = note_end(&flights[i], all->cases[i].row, error);
    }
    return result;
}

dunlin_result frame_bench_compare(const frame_case *reference, const frame_case *compared, frame_comparison *found,
                                  frame_bench_progress *progress, void *context, dunlin_error *error) {
    const frame_case cases[COMPARED_CASES] = {[REFERENCE] = *reference, [COMPARED] = *compared};
    bench all = {0};
    bench_flight flights[COMPARED_CASES] = {{0}};
    *found = (frame_comparison){0};
    dunlin_result result = prepare(&all, cases, COMPARED_CASES, found->rows, error);
    if (result == DUNLIN_OK) result = fly_in_turns(&all, flights, progress, context, error);
    if (result == DUNLIN_OK) {
        for (int i = 0; i < COMPARED_CASES; i++) fill_row(&all.cases[i], all.sorted);
        found->ratio = spread_of_ratios(&all);
    }
    for (int i = 0; i < COMPARED_CASES; i++) land(&flights[i]);
    discard(&all);
    return result;
}
