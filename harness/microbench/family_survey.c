/* SPDX-License-Identifier: MIT */
/* survey/…: groups within the radius of the rules, agents in 256 or 4096 boxes, and the correlation of velocities within the
 * radius, of the bench's uniform workload with 20 neighbours after two steps. */
#include "harness/measure/workload.h"
#include "harness/microbench/microbench.h"

#include <omp.h>

enum { AGENTS = 1000000, BOXES_PER_SIDE = 16, BINS = 10 };

typedef struct survey_row {
    bench_workload workload;
    int threads;
    void (*look)(struct survey_row *row);

    /* from setup to teardown */
    bench_start start;
    dunlin_world *world;
    dunlin_survey *survey;
    dunlin_result result;
    dunlin_error error;
} survey_row;

static void find_groups(survey_row *row) {
    dunlin_groups groups;
    row->result = dunlin_survey_groups(row->survey, row->world, 0, bench_radius, &groups, &row->error);
}

static void count_in_boxes(survey_row *row) {
    dunlin_density density;
    const double size = (double)row->start.side / BOXES_PER_SIDE;
    row->result = dunlin_survey_density(row->survey, row->world, 0, size, &density, &row->error);
}

static void correlate(survey_row *row) {
    dunlin_correlation correlation;
    dunlin_correlation_def def = dunlin_correlation_def_default(row->world);
    def.max_radius = bench_radius;
    def.bins = BINS;
    row->result = dunlin_survey_correlation(row->survey, row->world, &def, &correlation, &row->error);
}

static void run(void *user, int64_t iterations) {
    survey_row *row = user;
    for (int64_t i = 0; i < iterations && row->result == DUNLIN_OK; i++) row->look(row);
}

static bool check(const survey_row *row, gbench_state *state) {
    if (row->result != DUNLIN_OK) gbench_fail(state, row->error.message);
    return row->result == DUNLIN_OK;
}

/* The first survey takes memory. */
static bool set_up(void *user, gbench_state *state) {
    survey_row *row = user;
    row->world = NULL;
    row->survey = NULL;
    row->result = bench_start_make(&row->workload, &row->start, &row->error);
    if (row->result == DUNLIN_OK)
        row->result = bench_world_make(&row->start, row->threads, "auto", "grid", &row->world, &row->error);
    for (int i = 0; i < 2 && row->result == DUNLIN_OK; i++) row->result = dunlin_world_step(row->world, &row->error);
    if (row->result == DUNLIN_OK) row->result = dunlin_survey_create(&row->survey, &row->error);
    run(row, 1);
    return check(row, state);
}

static void report(void *user, gbench_state *state) {
    const survey_row *row = user;
    if (check(row, state)) gbench_items(state, (double)row->workload.agents * (double)gbench_iterations(state));
}

static void tear_down(void *user) {
    survey_row *row = user;
    dunlin_survey_destroy(row->survey);
    dunlin_world_destroy(row->world);
    bench_start_free(&row->start);
}

static void register_survey(const char *name, void (*look)(survey_row *row), int dimensions, int threads) {
    survey_row row = {
        .workload = {.dimensions = dimensions, .agents = AGENTS, .neighbours = 20.0}, .threads = threads, .look = look};
    const gbench_benchmark benchmark = {.args = {{"agents", AGENTS}, {"threads", threads}},
                                        .user = &row,
                                        .user_bytes = sizeof row,
                                        .unit = GBENCH_MILLISECONDS,
                                        .setup = set_up,
                                        .run = run,
                                        .report = report,
                                        .teardown = tear_down};
    microbench_register(&benchmark, "survey/%s/%dd", name, dimensions);
}

void register_survey_rows(void) {
    static const struct {
        const char *name;
        void (*look)(survey_row *row);
    } surveys[] = {{"groups", find_groups}, {"density", count_in_boxes}, {"correlation", correlate}};
    for (size_t i = 0; i < sizeof surveys / sizeof *surveys; i++)
        for (int dimensions = 2; dimensions <= 3; dimensions++)
            for (int threads = 1; threads <= 2 && threads <= omp_get_max_threads(); threads++)
                register_survey(surveys[i].name, surveys[i].look, dimensions, threads);
}
