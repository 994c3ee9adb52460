/* SPDX-License-Identifier: MIT */
#include "harness/measure/frame_bench.h"
#include "harness/command/interrupt.h"
#include "harness/measure/baseline.h"
#include "harness/report/clock.h"
#include "harness/report/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one repeat, per frame; RATIO is that of a comparison. */
enum {
    SPEED,
    TESTED,
    USEFUL,
    STAGE, /* one for each, the frame among them */
    FRAME = STAGE + STAGE_FRAME,
    RATIO,
    BYTES,
    MESSAGES,
    HALO,
    EXCHANGE,
    IMBALANCE,
    FIGURES
};

/* A case while it is measured, with what runs: a world, or a baseline's flock. */
typedef struct bench_case {
    const frame_case *what;
    frame_row *row;
    double *samples;                /* [FIGURES][what->repeats] */
    double seconds, thread_seconds; /* of all repeats */
    bool is_alone;                  /* times are the thread's own, not the wall's */
    dunlin_world *world;
    dunlin_simulation *simulation; /* that owns the world, where there is an addition */
    baseline *flock;
    dunlin_transport transport; /* of the ranks that run it */
} bench_case;

static double *samples_of(const bench_case *bench, int figure) {
    return bench->samples + (size_t)figure * (size_t)bench->what->repeats;
}

/* ---- ranks ------------------------------------------------------------------------------------------------------------ */

/* All ranks that run the case wait for each other, and learn the sum. */
static double sum_of_ranks(const bench_case *bench, double value) {
    uint64_t sum = (uint64_t)value;
    if (bench->transport.ranks > 1) bench->transport.all_reduce(bench->transport.context, &sum, 1);
    return (double)sum;
}

static void give_order(const command_ranks *ranks, const bench_order *order) {
    bench_order given = *order;
    ranks->broadcast(ranks->context, &given, sizeof given);
}

/* The other ranks make the same world, and take the same steps. */
static dunlin_result make_part(bench_case *bench, dunlin_error *error) {
    const frame_case *what = bench->what;
    bench_order order = {.workload = what->start->workload,
                         .ranks = what->ranks,
                         .threads = what->threads,
                         .warm_up = what->warm_up,
                         .steps = what->steps};
    snprintf(order.kernel, sizeof order.kernel, "%s", bench->row->kernel);
    if (what->crew->rank == 0) give_order(what->crew, &order);
    bench->transport = what->crew->lowest(what->crew->context, what->ranks);
    return bench_world_make_part(&order.workload, &bench->transport, what->threads, order.kernel, what->index, &bench->world,
                                 error);
}

/* ---- one repeat ------------------------------------------------------------------------------------------------------- */

static void add_traffic(dunlin_traffic traffic, double *total) {
    total[BYTES] += (double)traffic.bytes;
    total[MESSAGES] += (double)traffic.messages;
    total[HALO] += (double)traffic.halo;
    total[EXCHANGE] += traffic.ms_exchange;
    total[IMBALANCE] += traffic.imbalance;
}

/* Adds to total[FIGURES]. */
static dunlin_result step(bench_case *bench, double *total, dunlin_error *error) {
    if (bench->flock) {
        const baseline_stats stats = baseline_step(bench->flock);
        total[TESTED] += (double)stats.pairs_tested;
        total[USEFUL] += (double)stats.pairs_useful;
        return DUNLIN_OK;
    }
    dunlin_result result = dunlin_world_step(bench->world, error);
    const dunlin_stats stats = dunlin_world_stats(bench->world);
    total[TESTED] += (double)stats.pairs_tested;
    total[USEFUL] += (double)stats.pairs_useful;
    const double ms[] = {stats.ms_snapshot, stats.ms_interact, stats.ms_steer, stats.ms_integrate};
    for (int s = 0; s < STAGE_FRAME; s++) total[STAGE + s] += ms[s];
    add_traffic(dunlin_world_traffic(bench->world), total);
    return result;
}

static dunlin_result step_often(bench_case *bench, int steps, double *total, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < steps && result == DUNLIN_OK; i++) result = step(bench, total, error);
    return result;
}

int frame_bench_steps_to_choose(uint32_t agents) {
    enum { FEW = 32768, STEPS_OF_FEW = 80, STEPS = 20 }; /* see engine/frame/choose.c */
    return agents < FEW ? STEPS_OF_FEW : STEPS;
}

static void land(bench_case *bench) {
    if (bench->simulation)
        dunlin_simulation_destroy(bench->simulation);
    else
        dunlin_world_destroy(bench->world);
    baseline_destroy(bench->flock);
    bench->world = NULL;
    bench->simulation = NULL;
    bench->flock = NULL;
}

static dunlin_result make_world(bench_case *bench, const char *kernel, dunlin_error *error) {
    const frame_case *what = bench->what;
    if (!what->addition) return bench_world_make(what->start, what->threads, kernel, what->index, &bench->world, error);
    const dunlin_result result =
        bench_addition_make(what->addition, what->start, what->threads, kernel, what->index, &bench->simulation, error);
    if (result == DUNLIN_OK) bench->world = dunlin_simulation_world(bench->simulation);
    return result;
}

/* A flock like that of all ranks, but on this one alone, so of a million agents at most. */
static dunlin_result make_small(bench_case *bench, dunlin_error *error) {
    const uint32_t most = 1000000;
    const frame_case *what = bench->what;
    const dunlin_transport alone = dunlin_transport_default();
    bench_workload workload = what->start->workload;
    if (workload.agents > most) workload.agents = most;
    return bench_world_make_part(&workload, &alone, what->threads, "auto", what->index, &bench->world, error);
}

/* Worlds choose their kernel in their first steps, and the row is to show what they run with after that. So they choose in a
 * simulation of their own. */
static dunlin_result choose_kernel(const bench_case *bench, dunlin_error *error) {
    bench_case own = {.what = bench->what};
    dunlin_result result = own.what->ranks > 0 ? make_small(&own, error) : make_world(&own, "auto", error);
    const int steps = frame_bench_steps_to_choose(own.what->start->workload.agents);
    for (int i = 0; i < steps && result == DUNLIN_OK; i++) result = dunlin_world_step(own.world, error);
    if (result == DUNLIN_OK)
        snprintf(bench->row->kernel, sizeof bench->row->kernel, "%s", dunlin_world_stats(own.world).kernel);
    land(&own);
    return result;
}

/* Always land. */
static dunlin_result take_off(bench_case *bench, dunlin_error *error) {
    const frame_case *what = bench->what;
    const baseline_kind kind = baseline_find(what->kernel);
    double untimed[FIGURES] = {0.0};
    dunlin_result result = DUNLIN_OK;
    if (strcmp(bench->row->kernel, "auto") == 0 && !what->chooses) result = choose_kernel(bench, error);
    if (result != DUNLIN_OK) return result;
    if (what->ranks > 0)
        result = make_part(bench, error);
    else if (kind < BASELINES)
        result = baseline_create(what->start, kind, what->threads, &bench->flock, error);
    else
        result = make_world(bench, bench->row->kernel, error);
    return result == DUNLIN_OK ? step_often(bench, what->warm_up, untimed, error) : result;
}

/* Times include everything between frames. */
static dunlin_result simulate(bench_case *bench, dunlin_error *error) {
    const frame_case *what = bench->what;
    double total[FIGURES] = {0.0};
    sum_of_ranks(bench, 0.0);
    const double began = clock_seconds(), thread_began = clock_thread_seconds();
    dunlin_result result = step_often(bench, what->steps, total, error);
    if (result == DUNLIN_OK && what->ranks > 0)
        total[EXCHANGE] = 1e-6 * sum_of_ranks(bench, 1e6 * total[EXCHANGE]) / what->ranks;
    const double thread_seconds = clock_thread_seconds() - thread_began, wall_seconds = clock_seconds() - began;
    const double seconds = bench->is_alone ? thread_seconds : wall_seconds;
    if (result != DUNLIN_OK) return result;
    bench->seconds += wall_seconds;
    bench->thread_seconds += thread_seconds;
    total[FRAME] = 1e3 * seconds;
    for (int s = 0; s < STAGE_FRAME; s++) total[STAGE + s] *= seconds / wall_seconds;
    const int repeat = bench->row->repeats++;
    for (int figure = 0; figure < FIGURES; figure++) samples_of(bench, figure)[repeat] = total[figure] / what->steps;
    samples_of(bench, SPEED)[repeat] = (double)what->steps * (double)what->start->workload.agents / seconds;
    return DUNLIN_OK;
}

/* Repeats start in the same state, so they must end in the same state. */
static dunlin_result note_hash(frame_row *row, uint64_t hash, dunlin_error *error) {
    if (row->hash == 0) row->hash = hash;
    if (row->hash == hash) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_UNSUPPORTED,
                      "kernel %s is not deterministic: the state hash is %016" PRIx64 " after one repeat, %016" PRIx64
                      " after another",
                      row->kernel, row->hash, hash);
}

/* Notes the choices, the memory and the last state. */
static dunlin_result note_end(const bench_case *bench, dunlin_error *error) {
    frame_row *row = bench->row;
    const size_t bytes = bench->world ? dunlin_world_bytes(bench->world) : baseline_bytes(bench->flock);
    row->bytes_per_agent = sum_of_ranks(bench, (double)bytes) / (double)bench->what->start->workload.agents;
    if (!bench->world) return DUNLIN_OK;
    dunlin_world_def def = dunlin_world_get_def(bench->world);
    snprintf(row->kernel, sizeof row->kernel, "%s", def.kernel);
    snprintf(row->index, sizeof row->index, "%s", def.index);
    return note_hash(row, dunlin_world_state_hash(bench->world), error);
}

/* ---- rows ------------------------------------------------------------------------------------------------------------- */

const char *frame_stage_name(stage s) {
    static const char *const names[STAGES] = {"snapshot", "interact", "steer", "integrate", "frame"};
    return names[s];
}

/* Sorts the samples. */
static double median(const bench_case *bench, int figure) {
    return spread_of(samples_of(bench, figure), bench->row->repeats).median;
}

static void fill_row(const bench_case *bench) {
    frame_row *row = bench->row;
    if (row->repeats == 0) return;
    double agents = row->workload.agents;
    spread speed = spread_of(samples_of(bench, SPEED), row->repeats);
    row->agent_updates_per_second = speed.median;
    row->agent_updates_per_second_min = speed.low;
    row->agent_updates_per_second_max = speed.high;
    row->pairs_tested_per_agent = median(bench, TESTED) / agents;
    row->neighbours_found = median(bench, USEFUL) / agents;
    row->pairs_tested_per_second = row->pairs_tested_per_agent * speed.median;
    row->pairs_useful_per_second = row->neighbours_found * speed.median;
    row->processor_share = row->threads == 1 && row->ranks == 0 ? bench->thread_seconds / bench->seconds : 0.0;
    for (int s = 0; s < STAGES; s++) row->ms[s] = median(bench, STAGE + s);
    row->traffic = (rank_traffic){.bytes = median(bench, BYTES),
                                  .messages = median(bench, MESSAGES),
                                  .halo = median(bench, HALO),
                                  .imbalance = median(bench, IMBALANCE),
                                  .ms_exchange = median(bench, EXCHANGE)};
}

static void begin_row(frame_row *row, const frame_case *what) {
    const baseline_kind kind = baseline_find(what->kernel);
    *row = (frame_row){.workload = what->start->workload,
                       .addition = what->addition,
                       .ranks = what->ranks,
                       .threads = what->threads,
                       .steps = what->steps};
    snprintf(row->kernel, sizeof row->kernel, "%s", kind < BASELINES ? baseline_name(kind) : what->kernel);
    snprintf(row->index, sizeof row->index, "%s", kind == BASELINES ? what->index : "grid");
}

/* ---- all of them ------------------------------------------------------------------------------------------------------ */

typedef struct whole_bench {
    bench_case *cases;
    int count;
    bool goes_on; /* a case runs on with every repeat; otherwise each repeat has a new world */
    frame_bench_progress *progress;
    void *context;
    bool is_stopped;
    int rounds;
    double *samples;
} whole_bench;

static dunlin_result prepare(whole_bench *all, const frame_case *cases, frame_row *rows, dunlin_error *error) {
    bool is_alone = true;
    size_t repeats = 0;
    for (int i = 0; i < all->count; i++) {
        begin_row(&rows[i], &cases[i]);
        is_alone = is_alone && cases[i].threads == 1 && cases[i].ranks == 0;
        repeats += (size_t)cases[i].repeats;
        if (cases[i].repeats > all->rounds) all->rounds = cases[i].repeats;
    }
    all->cases = calloc((size_t)all->count + 1, sizeof *all->cases);
    all->samples = calloc(repeats + 1, FIGURES * sizeof *all->samples);
    if (!all->cases || !all->samples) return bench_fail(error, DUNLIN_ERROR_MEMORY, "out of memory for what is measured");
    double *samples = all->samples;
    for (int i = 0; i < all->count; i++) {
        all->cases[i] = (bench_case){.what = &cases[i], .row = &rows[i], .samples = samples, .is_alone = is_alone};
        samples += (size_t)FIGURES * (size_t)cases[i].repeats;
    }
    return DUNLIN_OK;
}

static dunlin_result measure(const whole_bench *all, bench_case *bench, dunlin_error *error) {
    dunlin_result result = bench->world || bench->flock ? DUNLIN_OK : take_off(bench, error);
    if (result == DUNLIN_OK) result = simulate(bench, error);
    if (all->goes_on) return result;
    if (result == DUNLIN_OK) result = note_end(bench, error);
    land(bench);
    return result;
}

static dunlin_result run_round(whole_bench *all, int round, dunlin_error *error) {
    for (int i = 0; i < all->count && !all->is_stopped; i++) {
        if (round >= all->cases[i].what->repeats) continue;
        dunlin_result result = measure(all, &all->cases[i], error);
        if (result != DUNLIN_OK) return result;
        if (all->progress) all->is_stopped = !all->progress(all->context);
    }
    return DUNLIN_OK;
}

static dunlin_result run(whole_bench *all, const frame_case *cases, frame_row *rows, dunlin_error *error) {
    dunlin_result result = prepare(all, cases, rows, error);
    for (int i = 0; i < all->count && result == DUNLIN_OK && all->goes_on; i++) result = take_off(&all->cases[i], error);
    for (int round = 0; round < all->rounds && result == DUNLIN_OK && !all->is_stopped; round++)
        result = run_round(all, round, error);
    for (int i = 0; i < all->count && result == DUNLIN_OK && all->goes_on; i++) result = note_end(&all->cases[i], error);
    return result;
}

static void discard(whole_bench *all) {
    for (int i = 0; i < all->count && all->cases; i++) land(&all->cases[i]);
    free(all->cases);
    free(all->samples);
}

static spread spread_of_ratios(const bench_case *compared, const bench_case *reference) {
    double *ratios = samples_of(compared, RATIO);
    int rounds = compared->row->repeats < reference->row->repeats ? compared->row->repeats : reference->row->repeats;
    for (int i = 0; i < rounds; i++) ratios[i] = samples_of(compared, FRAME)[i] / samples_of(reference, FRAME)[i];
    return rounds > 0 ? spread_of(ratios, rounds) : (spread){0};
}

/* Medians sort the samples, so ratios come first. */
dunlin_result frame_bench_run(const frame_case *cases, int count, frame_row *rows, spread *ratios,
                              frame_bench_progress *progress, void *context, dunlin_error *error) {
    whole_bench all = {.count = count, .goes_on = ratios != NULL, .progress = progress, .context = context};
    if (ratios) memset(ratios, 0, (size_t)count * (size_t)count * sizeof *ratios);
    dunlin_result result = run(&all, cases, rows, error);
    for (int i = 0; i < count * count && result == DUNLIN_OK && ratios; i++)
        ratios[i] = spread_of_ratios(&all.cases[i / count], &all.cases[i % count]);
    for (int i = 0; i < count && result == DUNLIN_OK; i++) fill_row(&all.cases[i]);
    discard(&all);
    return result;
}

/* ---- other ranks ----------------------------------------------------------------------------------------------------- */

void bench_ranks_dismiss(const command_ranks *ranks, int status) {
    give_order(ranks, &(bench_order){.status = status});
}

/* The same calls as on rank 0, because it is the same function. If it fails here, it fails there, too, which says why. */
static void run_part(const command_ranks *ranks, const bench_order *order) {
    const bench_start start = {.workload = order->workload};
    const frame_case one = {.start = &start,
                            .crew = ranks,
                            .ranks = order->ranks,
                            .threads = order->threads,
                            .kernel = order->kernel,
                            .index = "grid",
                            .warm_up = order->warm_up,
                            .steps = order->steps,
                            .repeats = 1};
    frame_row row;
    frame_bench_run(&one, 1, &row, NULL, NULL, NULL, NULL);
}

int bench_ranks_follow(const command_ranks *ranks) {
    for (;;) {
        bench_order order;
        ranks->broadcast(ranks->context, &order, sizeof order);
        if (order.ranks == 0) return order.status;
        if (ranks->rank < order.ranks) run_part(ranks, &order);
    }
}

/* ---- as commands call them -------------------------------------------------------------------------------------------- */

bench_watch bench_watch_begin(int repeats, bool quiet) {
    return (bench_watch){.progress = progress_begin("repeat", (uint64_t)repeats, !quiet)};
}

bool bench_watch_repeat(void *watch) {
    bench_watch *seen = watch;
    progress_update(&seen->progress, ++seen->done, 0);
    return interrupt_signal() == 0;
}

dunlin_result watched_start_make(const bench_workload *workload, bench_start *start, dunlin_error *error) {
    if (workload->distribution == BENCH_FLOCKED)
        fprintf(stderr, "%u agents move %d steps first, so that they flock\n", (unsigned)workload->agents,
                (int)BENCH_FLOCKING_STEPS);
    return bench_start_make(workload, start, error);
}
