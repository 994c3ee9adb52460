/* SPDX-License-Identifier: MIT */
/* Flocks that ranks run while they are measured. The ranks are threads here. */
#include "tests/lib/local.h"
#include "harness/measure/frame_bench.h"
#include "tests/lib/support.h"

enum { RANKS = 3, CASES = 4, REPEATS = 2, STATUS = 7 };

/* ---- ranks that are threads -------------------------------------------------------------------------------------------- */

static void broadcast(void *context, void *bytes, size_t count) {
    const dunlin_transport *all = context;
    all->broadcast(all->context, 0, bytes, count);
}

static dunlin_transport lowest(void *context, uint32_t count) {
    const dunlin_transport *all = context;
    assert_true(count == 1 || count == all->ranks); /* no other parts of them can be had */
    return count == 1 ? dunlin_transport_default() : *all;
}

static command_ranks ranks_of(const dunlin_transport *all) {
    return (command_ranks){.rank = all->rank,
                           .ranks = all->ranks,
                           .here = all->ranks,
                           .context = (void *)all,
                           .broadcast = broadcast,
                           .lowest = lowest};
}

/* What rank 0 measures. */
typedef struct measurement {
    bench_workload workload;
    frame_row rows[CASES];
    dunlin_result result;
    dunlin_error error;
} measurement;

static void measure(measurement *m, const command_ranks *ranks) {
    static const struct {
        uint32_t ranks;
        int threads;
        const char *kernel;
    } of[CASES] = {{1, 1, "scalar"}, {RANKS, 1, "auto"}, {1, 2, "scalar"}, {RANKS, 2, "scalar"}};
    const bench_start start = {.workload = m->workload};
    frame_case cases[CASES];
    for (int i = 0; i < CASES; i++)
        cases[i] = (frame_case){.start = &start,
                                .crew = ranks,
                                .ranks = of[i].ranks,
                                .threads = of[i].threads,
                                .kernel = of[i].kernel,
                                .index = "grid",
                                .warm_up = 1,
                                .steps = 3,
                                .repeats = REPEATS};
    m->result = frame_bench_run(cases, CASES, m->rows, NULL, NULL, NULL, &m->error);
}

static void simulate(void *context, const dunlin_transport *transport) {
    const command_ranks ranks = ranks_of(transport);
    if (ranks.rank > 0) {
        assert_int_equal(bench_ranks_follow(&ranks), STATUS);
        return;
    }
    measure(context, &ranks);
    bench_ranks_dismiss(&ranks, STATUS);
}

/* ---- tests ------------------------------------------------------------------------------------------------------------- */

/* The state's hash of a plain simulation with the same rules, steps and agents. */
static frame_row run_alone(const bench_workload *workload) {
    bench_start start;
    frame_row row;
    dunlin_error error;
    if (bench_start_make(workload, &start, &error) != DUNLIN_OK) fail_msg("%s", error.message);
    const frame_case one = {
        .start = &start, .threads = 1, .kernel = "scalar", .index = "grid", .warm_up = 1, .steps = 3, .repeats = 1};
    if (frame_bench_run(&one, 1, &row, NULL, NULL, NULL, &error) != DUNLIN_OK) fail_msg("%s", error.message);
    bench_start_free(&start);
    return row;
}

static void check_traffic(const frame_row *row) {
    const rank_traffic *traffic = &row->traffic;
    if (row->ranks == 1) {
        assert_true(traffic->bytes == 0 && traffic->messages == 0 && traffic->halo == 0 && traffic->ms_exchange == 0);
        return;
    }
    assert_true(traffic->messages >= 1 && traffic->messages <= RANKS * (RANKS - 1));
    assert_true(traffic->halo >= 1 && traffic->halo < row->workload.agents);
    assert_true(traffic->bytes >= traffic->halo * 4 * 2 * row->workload.dimensions);
    assert_true(traffic->ms_exchange > 0 && traffic->ms_exchange < row->ms[STAGE_FRAME]);
    assert_true(traffic->imbalance >= 1);
}

TEST(ranks_run_the_flock_that_one_runs) {
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        measurement m = {.workload = {dimensions, 20000, 8, BENCH_UNIFORM}};
        dun_local_run(RANKS, simulate, &m);
        if (m.result != DUNLIN_OK) fail_msg("%s", m.error.message);
        const frame_row alone = run_alone(&m.workload);
        for (int i = 0; i < CASES; i++) {
            assert_int_equal(m.rows[i].repeats, REPEATS);
            assert_true(m.rows[i].hash == alone.hash);
            assert_true(fabs(m.rows[i].neighbours_found - alone.neighbours_found) < 1e-9);
            assert_true(m.rows[i].agent_updates_per_second > 0 && m.rows[i].bytes_per_agent > 0);
            assert_string_not_equal(m.rows[i].kernel, "auto");
            check_traffic(&m.rows[i]);
        }
        assert_true(m.rows[1].bytes_per_agent > 2.5 * m.rows[0].bytes_per_agent); /* of all ranks, not of one */
    }
}

TEST(a_failure_ends_no_rank) {
    measurement m = {.workload = {2, 4, 20, BENCH_UNIFORM}};
    dun_local_run(RANKS, simulate, &m);
    assert_int_equal(m.result, DUNLIN_ERROR_VALUE);
    assert_non_null(strstr(m.error.message, "agents is 4"));
}
