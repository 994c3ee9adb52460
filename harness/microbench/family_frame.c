/* SPDX-License-Identifier: MIT */
/*
 * frame/…: the whole step through the public API, on the bench's uniform workload, one thread.
 *
 * A flock does not stay uniform: after twenty steps it has 3 to 7 % more neighbours, and a row with more iterations would
 * measure something else. So a world flies for FLIGHT steps at most. Then a new one is made, off the clock.
 */
#include "harness/measure/workload.h"
#include "harness/microbench/microbench.h"

#include <stdio.h>

enum {
    WARM_UP = 2, /* steps: the first sorts agents in random order */
    FLIGHT = 10
};

typedef struct frame_row {
    const dun_kernel *kernel;
    bench_workload workload;

    /* from setup to teardown */
    bench_start start;
    dunlin_world *world;
    uint64_t pairs_tested, pairs_useful;
    dunlin_result result;
    dunlin_error error;
} frame_row;

/* ---- the measurement -------------------------------------------------------------------------------------------------- */

static bool start_anew(void *user, gbench_state *state) {
    frame_row *row = user;
    dunlin_world_destroy(row->world);
    row->world = NULL;
    dunlin_result result = bench_world_make(&row->start, 1, row->kernel->name, "grid", &row->world, &row->error);
    for (int step = 0; step < WARM_UP && result == DUNLIN_OK; step++) result = dunlin_world_step(row->world, &row->error);
    if (result != DUNLIN_OK) gbench_fail(state, row->error.message);
    return result == DUNLIN_OK;
}

static bool set_up(void *user, gbench_state *state) {
    frame_row *row = user;
    row->world = NULL;
    row->pairs_tested = row->pairs_useful = 0;
    row->result = DUNLIN_OK;
    if (bench_start_make(&row->workload, &row->start, &row->error) == DUNLIN_OK) return start_anew(row, state);
    gbench_fail(state, row->error.message);
    return false;
}

static void run(void *user, int64_t iterations) {
    frame_row *row = user;
    for (int64_t i = 0; i < iterations && row->result == DUNLIN_OK; i++) {
        row->result = dunlin_world_step(row->world, &row->error);
        dunlin_stats stats = dunlin_world_stats(row->world);
        row->pairs_tested += stats.pairs_tested;
        row->pairs_useful += stats.pairs_useful;
    }
}

static void report(void *user, gbench_state *state) {
    const frame_row *row = user;
    if (row->result != DUNLIN_OK) {
        gbench_fail(state, row->error.message);
        return;
    }
    double agents = row->workload.agents, updates = agents * (double)gbench_iterations(state);
    gbench_items(state, updates);
    gbench_counter(state, "pairs_tested_per_second", (double)row->pairs_tested, GBENCH_RATE);
    gbench_counter(state, "pairs_useful_per_second", (double)row->pairs_useful, GBENCH_RATE);
    gbench_counter(state, "pairs_tested_per_agent", (double)row->pairs_tested / updates, GBENCH_PLAIN);
    gbench_counter(state, "pairs_useful_per_agent", (double)row->pairs_useful / updates, GBENCH_PLAIN);
    gbench_counter(state, "bytes_per_agent", (double)dunlin_world_bytes(row->world) / agents, GBENCH_PLAIN);
}

static void tear_down(void *user) {
    frame_row *row = user;
    dunlin_world_destroy(row->world);
    bench_start_free(&row->start);
}

/* ---- the table -------------------------------------------------------------------------------------------------------- */

static bool register_row(const frame_row *row, int neighbours) {
    char name[64];
    snprintf(name, sizeof name, "frame/%s/%dd", row->kernel->name, row->workload.dimensions);
    void *user = microbench_keep(row, sizeof *row);
    return user && gbench_register(&(gbench_benchmark){.name = name,
                                                       .args = {{"neighbours", neighbours}, {"agents", row->workload.agents}},
                                                       .user = user,
                                                       .unit = GBENCH_MILLISECONDS,
                                                       .setup = set_up,
                                                       .run = run,
                                                       .report = report,
                                                       .teardown = tear_down,
                                                       .slice = FLIGHT,
                                                       .renew = start_anew});
}

static bool register_rows(const dun_kernel *kernel) {
    static const int densities[] = {5, 20, 80, 200};
    static const uint32_t sizes[] = {10000, 100000, 1000000};
    bool registered = true;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (size_t d = 0; d < sizeof densities / sizeof *densities; d++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes && registered; s++) {
                frame_row row = {.kernel = kernel,
                                 .workload = {.dimensions = dimensions, .agents = sizes[s], .neighbours = densities[d]}};
                registered = register_row(&row, densities[d]);
            }
        }
    }
    return registered;
}

bool register_frame_rows(void) {
    return register_for_kernels("frame", register_rows);
}
