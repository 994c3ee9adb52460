/* SPDX-License-Identifier: MIT */
/*
 * frame/…: the whole step through the public API, on the bench's uniform workload, one thread. A flock does not stay uniform:
 * after twenty steps it has 3 to 7 % more neighbours, and a row with more iterations would measure something else. So a world
 * flies for a few steps at most. Then a new one is made, off the clock.
 *
 * bins/…: the counting sort alone, at 20 neighbours: the snapshot's time in a step of a world without rules. `steady` is what
 * every frame but the first meets: agents that were sorted, and have flown for one step of at most a tenth of the radius.
 * `random` is the first frame: agents in no order.
 */
#include "harness/measure/workload.h"
#include "harness/microbench/microbench.h"

#include <omp.h>

typedef struct world_row {
    bench_workload workload;
    const char *kernel;
    int threads;
    int warm_up;     /* steps before a measurement: the first sorts agents in random order */
    bool sorts_only; /* no rules */

    /* from setup to teardown */
    bench_start start;
    dunlin_world *world;
    uint64_t pairs_tested, pairs_useful;
    double seconds; /* of the sort, in the last run */
    dunlin_result result;
    dunlin_error error;
} world_row;

/* ---- the measurement -------------------------------------------------------------------------------------------------- */

/* Makes the world sort, because something looks at neighbours, and does nothing. */
static void look(void *user, const dunlin_group_view *group) {
    (void)user, (void)group;
}

static void sort_only(world_row *row) {
    dunlin_interaction_def none = dunlin_world_get_interaction(row->world, 0);
    for (int rule = 0; rule < DUNLIN_RULE_COUNT; rule++) none.rules[rule].weight = 0.0f;
    dunlin_behaviour_def pairs = dunlin_behaviour_def_default(row->world, DUNLIN_BEHAVIOUR_PAIRS);
    pairs.pairs = (dunlin_pairs){0, bench_radius, look};
    row->result = dunlin_world_set_interaction(row->world, 0, &none, &row->error);
    if (row->result == DUNLIN_OK) row->result = dunlin_world_add_behaviour(row->world, &pairs, NULL, &row->error);
}

static void step(world_row *row) {
    if (row->result == DUNLIN_OK) row->result = dunlin_world_step(row->world, &row->error);
}

static bool check(const world_row *row, gbench_state *state) {
    if (row->result != DUNLIN_OK) gbench_fail(state, row->error.message);
    return row->result == DUNLIN_OK;
}

static bool renew(void *user, gbench_state *state) {
    world_row *row = user;
    dunlin_world_destroy(row->world);
    row->world = NULL;
    row->result = bench_world_make(&row->start, row->threads, row->kernel, "grid", &row->world, &row->error);
    if (row->result == DUNLIN_OK && row->sorts_only) sort_only(row);
    for (int i = 0; i < row->warm_up; i++) step(row);
    return check(row, state);
}

static bool set_up(void *user, gbench_state *state) {
    world_row *row = user;
    row->world = NULL;
    row->pairs_tested = row->pairs_useful = 0;
    row->result = bench_start_make(&row->workload, &row->start, &row->error);
    return check(row, state) && renew(row, state);
}

static void run(void *user, int64_t iterations) {
    world_row *row = user;
    row->seconds = 0.0;
    for (int64_t i = 0; i < iterations && row->result == DUNLIN_OK; i++) {
        step(row);
        const dunlin_stats stats = dunlin_world_stats(row->world);
        row->pairs_tested += stats.pairs_tested;
        row->pairs_useful += stats.pairs_useful;
        row->seconds += 1e-3 * stats.ms_snapshot;
    }
}

static double seconds_of(void *user) {
    return ((const world_row *)user)->seconds;
}

static void report_frame(void *user, gbench_state *state) {
    const world_row *row = user;
    if (!check(row, state)) return;
    const double agents = row->workload.agents, updates = agents * (double)gbench_iterations(state);
    gbench_items(state, updates);
    microbench_report_pairs(state, (double)row->pairs_tested, (double)row->pairs_useful, updates);
    gbench_counter(state, "bytes_per_agent", (double)dunlin_world_bytes(row->world) / agents, GBENCH_PLAIN);
}

/* Bytes are those of the columns, read once and written once: what moving the agents needs, without what sorting adds. */
static void report_bins(void *user, gbench_state *state) {
    const world_row *row = user;
    if (!check(row, state)) return;
    const double updates = (double)row->workload.agents * (double)gbench_iterations(state);
    const int columns = 2 * row->workload.dimensions + 1;
    gbench_items(state, updates);
    gbench_bytes(state, updates * columns * 2 * sizeof(float));
}

static void tear_down(void *user) {
    world_row *row = user;
    dunlin_world_destroy(row->world);
    bench_start_free(&row->start);
}

/* ---- the tables ------------------------------------------------------------------------------------------------------- */

static void register_frame(const dun_kernel *kernel, int dimensions, int neighbours, uint32_t agents) {
    world_row row = {.workload = {.dimensions = dimensions, .agents = agents, .neighbours = neighbours},
                     .kernel = kernel->name,
                     .threads = 1,
                     .warm_up = 2};
    const gbench_benchmark frame = {.args = {{"neighbours", neighbours}, {"agents", agents}},
                                    .user = &row,
                                    .user_bytes = sizeof row,
                                    .unit = GBENCH_MILLISECONDS,
                                    .setup = set_up,
                                    .run = run,
                                    .report = report_frame,
                                    .teardown = tear_down,
                                    .slice = 10,
                                    .renew = renew};
    microbench_register(&frame, "frame/%s/%dd", kernel->name, dimensions);
}

static void register_kernel_frames(const dun_kernel *kernel) {
    static const int densities[] = {5, 20, 80, 200};
    static const uint32_t sizes[] = {10000, 100000, 1000000};
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (size_t d = 0; d < sizeof densities / sizeof *densities; d++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                register_frame(kernel, dimensions, densities[d], sizes[s]);
        }
    }
}

void register_frame_rows(void) {
    register_for_kernels("frame", register_kernel_frames);
}

static void register_sort(int dimensions, bool is_steady, uint32_t agents, int threads) {
    world_row row = {.workload = {.dimensions = dimensions, .agents = agents, .neighbours = 20.0},
                     .kernel = "auto",
                     .threads = threads,
                     .warm_up = is_steady,
                     .sorts_only = true};
    const gbench_benchmark sort = {.args = {{"agents", agents}, {"threads", threads}},
                                   .user = &row,
                                   .user_bytes = sizeof row,
                                   .unit = GBENCH_MICROSECONDS,
                                   .setup = set_up,
                                   .run = run,
                                   .seconds = seconds_of,
                                   .slice = is_steady ? 0 : 1,
                                   .renew = renew,
                                   .report = report_bins,
                                   .teardown = tear_down};
    microbench_register(&sort, "bins/%dd/%s", dimensions, is_steady ? "steady" : "random");
}

void register_bins_rows(void) {
    const int threads = omp_get_max_threads();
    for (int kind = 0; kind < 4; kind++) {
        const int dimensions = kind < 2 ? 2 : 3;
        const bool is_steady = kind % 2 == 0;
        for (uint32_t agents = 10000; agents <= 10000000; agents *= 10) {
            register_sort(dimensions, is_steady, agents, 1);
            if (threads > 1) register_sort(dimensions, is_steady, agents, threads);
        }
    }
}
