/* SPDX-License-Identifier: MIT */
/*
 * bins/…: the counting sort alone, with the columns and the cells that the bench's frame has at 20 neighbours.
 *
 * `steady` is what every frame but the first meets: agents that were sorted, and have flown on for one step at most a tenth of
 * the radius. `random` is the first frame: agents in no order. Every iteration sorts the same input anew.
 */
#include "harness/microbench/crowd.h"
#include "harness/microbench/microbench.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>

enum { NEIGHBOURS = 20 };
static const float speed = 0.1f; /* radii a step: bench_max_speed */

typedef struct bins_row {
    int dimensions;
    uint32_t agents;
    uint32_t threads;
    bool steady;
    crowd crowd; /* from setup to teardown */
} bins_row;

static dun_space space_of(const bins_row *row) {
    const double pi = 3.14159265358979323846;
    double volume = row->agents * (row->dimensions == 2 ? pi : 4.0 / 3.0 * pi) / NEIGHBOURS;
    float side = (float)pow(volume, 1.0 / row->dimensions);
    return (dun_space){.dimensions = row->dimensions, .size = {side, side, side}, .periodic = true, .radius = 1.0f};
}

static bool set_up(void *user, gbench_state *state) {
    bins_row *row = user;
    dun_space space = space_of(row);
    if (!crowd_make(&row->crowd, &space, row->agents, speed, row->threads)) {
        gbench_fail(state, "out of memory");
        return false;
    }
    crowd_sort(&row->crowd); /* also the warm-up: every page has been written */
    if (row->steady) crowd_move(&row->crowd);
    return true;
}

static void run(void *user, int64_t iterations) {
    bins_row *row = user;
    for (int64_t i = 0; i < iterations; i++) crowd_sort(&row->crowd);
}

/* Bytes are those of the columns, read once and written once: what moving the agents needs, whatever sorting takes on top. */
static void report(void *user, gbench_state *state) {
    const bins_row *row = user;
    double agents = (double)row->agents * (double)gbench_iterations(state);
    gbench_items(state, agents);
    gbench_bytes(state, agents * row->crowd.columns.columns * 2 * sizeof(dun_word));
}

static void tear_down(void *user) {
    crowd_free(&((bins_row *)user)->crowd);
}

/* ---- the table -------------------------------------------------------------------------------------------------------- */

static bool register_row(const bins_row *row) {
    char name[64];
    snprintf(name, sizeof name, "bins/%dd/%s", row->dimensions, row->steady ? "steady" : "random");
    void *user = microbench_keep(row, sizeof *row);
    return user && gbench_register(&(gbench_benchmark){.name = name,
                                                       .args = {{"agents", row->agents}, {"threads", row->threads}},
                                                       .user = user,
                                                       .unit = GBENCH_MICROSECONDS,
                                                       .real_time = row->threads > 1,
                                                       .setup = set_up,
                                                       .run = run,
                                                       .report = report,
                                                       .teardown = tear_down});
}

static bool register_sizes(bins_row row) {
    static const uint32_t sizes[] = {10000, 100000, 1000000, 10000000};
    bool registered = true;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes && registered; s++) {
        row.agents = sizes[s];
        row.threads = 1;
        registered = register_row(&row);
        row.threads = (uint32_t)omp_get_max_threads();
        if (row.threads > 1) registered = registered && register_row(&row);
    }
    return registered;
}

bool register_bins_rows(void) {
    bool registered = true;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        registered = registered && register_sizes((bins_row){.dimensions = dimensions, .steady = true}) &&
                     register_sizes((bins_row){.dimensions = dimensions, .steady = false});
    }
    return registered;
}
