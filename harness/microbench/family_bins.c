/* SPDX-License-Identifier: MIT */
/*
 * bins/…: the counting sort alone, at 20 neighbours: what a step of a world without rules says of its snapshot's time.
 *
 * `steady` is what every frame but the first meets: agents that were sorted, and have flown for one step of at most a tenth of
 * the radius. `random` is the first frame: agents in no order.
 */
#include "harness/measure/workload.h"
#include "harness/microbench/microbench.h"

#include <omp.h>
#include <stdio.h>

typedef struct bins_row {
    bench_workload workload;
    int threads;
    bool is_steady;

    /* from setup to teardown */
    bench_start start;
    dunlin_world *world;
    double seconds; /* of the last run */
    dunlin_error error;
} bins_row;

/* Makes the world sort: something looks at neighbours, and does nothing. */
static void look(void *user, const dunlin_group_view *group) {
    (void)user, (void)group;
}

static dunlin_result make_world(bins_row *row) {
    dunlin_result result = bench_world_make(&row->start, row->threads, "auto", "grid", &row->world, &row->error);
    if (result != DUNLIN_OK) return result;
    dunlin_interaction_def none = dunlin_world_get_interaction(row->world, 0);
    for (int rule = 0; rule < DUNLIN_RULE_COUNT; rule++) none.rules[rule].weight = 0.0f;
    dunlin_behaviour_def pairs = dunlin_behaviour_def_default(row->world, DUNLIN_BEHAVIOUR_PAIRS);
    pairs.pairs = (dunlin_pairs){0, bench_radius, look};
    result = dunlin_world_set_interaction(row->world, 0, &none, &row->error);
    return result == DUNLIN_OK ? dunlin_world_add_behaviour(row->world, &pairs, NULL, &row->error) : result;
}

static bool renew(void *user, gbench_state *state) {
    bins_row *row = user;
    dunlin_world_destroy(row->world);
    row->world = NULL;
    dunlin_result result = make_world(row);
    if (result == DUNLIN_OK && row->is_steady) result = dunlin_world_step(row->world, &row->error);
    if (result != DUNLIN_OK) gbench_fail(state, row->error.message);
    return result == DUNLIN_OK;
}

static bool set_up(void *user, gbench_state *state) {
    bins_row *row = user;
    row->world = NULL;
    if (bench_start_make(&row->workload, &row->start, &row->error) == DUNLIN_OK) return renew(row, state);
    gbench_fail(state, row->error.message);
    return false;
}

static void run(void *user, int64_t iterations) {
    bins_row *row = user;
    row->seconds = 0.0;
    for (int64_t i = 0; i < iterations; i++) {
        if (dunlin_world_step(row->world, &row->error) != DUNLIN_OK) return;
        row->seconds += 1e-3 * dunlin_world_stats(row->world).ms_snapshot;
    }
}

static double seconds_of(void *user) {
    return ((const bins_row *)user)->seconds;
}

/* Bytes are those of the columns, read once and written once: what moving the agents needs, whatever sorting takes on top. */
static void report(void *user, gbench_state *state) {
    const bins_row *row = user;
    double agents = (double)row->workload.agents * (double)gbench_iterations(state);
    int columns = 2 * row->workload.dimensions + 1;
    gbench_items(state, agents);
    gbench_bytes(state, agents * columns * 2 * sizeof(float));
}

static void tear_down(void *user) {
    bins_row *row = user;
    dunlin_world_destroy(row->world);
    bench_start_free(&row->start);
}

/* ---- the table -------------------------------------------------------------------------------------------------------- */

static bool register_row(bins_row row, int threads) {
    char name[64];
    row.threads = threads;
    snprintf(name, sizeof name, "bins/%dd/%s", row.workload.dimensions, row.is_steady ? "steady" : "random");
    void *user = microbench_keep(&row, sizeof row);
    return user && gbench_register(&(gbench_benchmark){.name = name,
                                                       .args = {{"agents", row.workload.agents}, {"threads", threads}},
                                                       .user = user,
                                                       .unit = GBENCH_MICROSECONDS,
                                                       .setup = set_up,
                                                       .run = run,
                                                       .seconds = seconds_of,
                                                       .slice = row.is_steady ? 0 : 1,
                                                       .renew = renew,
                                                       .report = report,
                                                       .teardown = tear_down});
}

static bool register_sizes(int dimensions, bool is_steady) {
    static const uint32_t sizes[] = {10000, 100000, 1000000, 10000000};
    int threads = omp_get_max_threads();
    bool registered = true;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes && registered; s++) {
        bins_row row = {.workload = {.dimensions = dimensions, .agents = sizes[s], .neighbours = 20.0}, .is_steady = is_steady};
        registered = register_row(row, 1) && (threads == 1 || register_row(row, threads));
    }
    return registered;
}

bool register_bins_rows(void) {
    bool registered = true;
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        registered = registered && register_sizes(dimensions, true) && register_sizes(dimensions, false);
    return registered;
}
