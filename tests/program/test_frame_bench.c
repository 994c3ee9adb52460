/* SPDX-License-Identifier: MIT */
/* What `dunlin bench` measures with: the order of repeats, medians, workloads and the machine. */

#include <omp.h>

#include "harness/measure/frame_rows.h"
#include "tests/lib/program.h"

/* ---- order, medians ---------------------------------------------------------------------------------------------------- */

static bench_start make_start(int dimensions, uint32_t agents, double neighbours, bench_distribution distribution) {
    const bench_workload workload = {dimensions, agents, neighbours, distribution};
    bench_start start;
    dunlin_error error;
    if (bench_start_make(&workload, &start, &error) != DUNLIN_OK) fail_msg("%s", error.message);
    return start;
}

enum { CASES = 3, REPEATS = 4 };

typedef struct watch {
    const frame_row *rows;
    int calls, stop_after;
} watch;

/* After n repeats each case has n / CASES, and the first n % CASES have one more. */
static bool note(void *context) {
    watch *seen = context;
    const int done = ++seen->calls;
    for (int i = 0; i < CASES; i++) assert_int_equal(seen->rows[i].repeats, done / CASES + (i < done % CASES));
    return done != seen->stop_after;
}

static void run_cases(const bench_start *start, frame_row rows[CASES], int stop_after) {
    static const char *const kernels[CASES] = {"scalar", "baseline-aos", "auto"};
    frame_case cases[CASES];
    for (int i = 0; i < CASES; i++)
        cases[i] = (frame_case){start, i == 2 ? 2 : 1, kernels[i], "grid", .warm_up = 1, .steps = 2, .repeats = REPEATS};
    watch seen = {rows, 0, stop_after};
    dunlin_error error;
    if (frame_bench_run(cases, CASES, rows, NULL, note, &seen, &error) != DUNLIN_OK) fail_msg("%s", error.message);
    assert_int_equal(seen.calls, stop_after ? stop_after : CASES * REPEATS);
}

TEST(cases_take_turns) {
    bench_start start = make_start(2, 300, 8, BENCH_UNIFORM);
    frame_row rows[CASES];
    run_cases(&start, rows, 0);
    for (int i = 0; i < CASES; i++) {
        assert_int_equal(rows[i].repeats, REPEATS);
        assert_true(rows[i].agent_updates_per_second_min <= rows[i].agent_updates_per_second);
        assert_true(rows[i].agent_updates_per_second <= rows[i].agent_updates_per_second_max);
        assert_true(rows[i].agent_updates_per_second_min > 0);
        const double share = rows[i].processor_share;
        assert_true(rows[i].threads == 1 ? share > 0.0 && share < 1.01 : share == 0.0);
        assert_string_not_equal(rows[i].kernel, "auto");
    }
    assert_true(rows[0].hash == rows[2].hash && rows[0].hash != 0 && rows[1].hash == 0);
    assert_true(rows[0].neighbours_found == rows[2].neighbours_found);
    /* The baseline rounds differently: an agent may be seen a step earlier or later. */
    assert_true(fabs(rows[0].neighbours_found - rows[1].neighbours_found) < 0.05);
    bench_start_free(&start);
}

TEST(stopped_runs_keep_what_they_have) {
    bench_start start = make_start(3, 300, 8, BENCH_UNIFORM);
    frame_row rows[CASES];
    run_cases(&start, rows, 5);
    assert_true(rows[0].repeats == 2 && rows[1].repeats == 2 && rows[2].repeats == 1);
    assert_true(rows[2].agent_updates_per_second > 0);
    run_cases(&start, rows, 2);
    assert_true(rows[2].repeats == 0 && rows[2].agent_updates_per_second == 0 && rows[1].agent_updates_per_second > 0);
    bench_start_free(&start);
}

/* Steps that are timed are those after the warm-up: the hash says how many were run. */
TEST(warm_up_and_steps_are_run) {
    bench_start start = make_start(2, 300, 8, BENCH_UNIFORM);
    const frame_case only = {&start, 1, "scalar", "grid", .warm_up = 2, .steps = 3, .repeats = 1};
    frame_row row;
    dunlin_error error;
    assert_int_equal(frame_bench_run(&only, 1, &row, NULL, NULL, NULL, &error), DUNLIN_OK);
    dunlin_world *world;
    assert_int_equal(bench_world_make(&start, 1, "scalar", "grid", &world, &error), DUNLIN_OK);
    for (int step = 0; step < 5; step++) assert_int_equal(dunlin_world_step(world, &error), DUNLIN_OK);
    assert_true(dunlin_world_state_hash(world) == row.hash);
    dunlin_world_destroy(world);
    bench_start_free(&start);
}

/* ---- two side by side -------------------------------------------------------------------------------------------------- */

enum { REFERENCE, COMPARED, PAIR };

typedef struct pair {
    frame_row rows[PAIR];
    spread ratio, reciprocal;
} pair;

typedef struct turns {
    const frame_row *rows;
    int calls, stop_after;
} turns;

/* The reference first. */
static bool note_turn(void *context) {
    turns *seen = context;
    const int done = ++seen->calls;
    assert_int_equal(seen->rows[REFERENCE].repeats, (done + 1) / 2);
    assert_int_equal(seen->rows[COMPARED].repeats, done / 2);
    return done != seen->stop_after;
}

static pair compare(const bench_start *start, const bench_addition *addition, int stop_after) {
    const frame_case plain = {start, 1, "scalar", "grid", .warm_up = 1, .steps = 2, .repeats = REPEATS};
    frame_case cases[PAIR] = {plain, plain};
    pair found;
    spread ratios[PAIR * PAIR];
    turns seen = {found.rows, 0, stop_after};
    dunlin_error error;
    cases[COMPARED].addition = addition;
    if (frame_bench_run(cases, PAIR, found.rows, ratios, note_turn, &seen, &error) != DUNLIN_OK) fail_msg("%s", error.message);
    found.ratio = ratios[COMPARED * PAIR + REFERENCE];
    found.reciprocal = ratios[REFERENCE * PAIR + COMPARED];
    return found;
}

/* Both worlds are made once and run all steps: the hash says how many. */
TEST(compared_flocks_take_turns) {
    bench_start start = make_start(2, 300, 8, BENCH_UNIFORM);
    const pair found = compare(&start, NULL, 0);
    const frame_case alone = {&start, 1, "scalar", "grid", .warm_up = 1, .steps = 2 * REPEATS, .repeats = 1};
    frame_row row;
    dunlin_error error;
    assert_int_equal(frame_bench_run(&alone, 1, &row, NULL, NULL, NULL, &error), DUNLIN_OK);
    for (int i = 0; i < PAIR; i++) {
        assert_true(found.rows[i].hash == row.hash);
        assert_int_equal(found.rows[i].repeats, REPEATS);
        assert_string_equal(found.rows[i].kernel, "scalar");
    }
    assert_true(found.ratio.low > 0 && found.ratio.low <= found.ratio.median && found.ratio.median <= found.ratio.high);
    assert_true(fabs(found.ratio.low * found.reciprocal.high - 1) < 1e-9);
    bench_start_free(&start);
}

/* A turn of the reference alone has no ratio; one of both is it. */
TEST(stopped_comparisons_keep_whole_rounds) {
    bench_start start = make_start(2, 300, 8, BENCH_UNIFORM);
    pair found = compare(&start, NULL, 1);
    assert_true(found.ratio.low == 0 && found.ratio.median == 0 && found.ratio.high == 0);
    assert_int_equal(found.rows[COMPARED].repeats, 0);
    found = compare(&start, NULL, 3);
    assert_true(found.rows[REFERENCE].repeats == 2 && found.rows[COMPARED].repeats == 1);
    assert_true(found.ratio.low > 0 && found.ratio.low == found.ratio.median && found.ratio.median == found.ratio.high);
    found = compare(&start, NULL, 2);
    assert_true(fabs(found.ratio.median * found.rows[REFERENCE].ms[STAGE_FRAME] / found.rows[COMPARED].ms[STAGE_FRAME] - 1) <
                1e-9);
    bench_start_free(&start);
}

/* None of them is without effect, which would cost nothing. */
TEST(additions_change_the_simulation) {
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        bench_start start = make_start(dimensions, 1000, 12, BENCH_UNIFORM);
        for (int i = 0; i < BENCH_ADDITIONS; i++) {
            const pair found = compare(&start, &bench_additions[i], 0);
            if (found.rows[COMPARED].hash == found.rows[REFERENCE].hash)
                fail_msg("%s changes nothing in %dD", bench_additions[i].name, dimensions);
        }
        bench_start_free(&start);
    }
}

/* ---- bits -------------------------------------------------------------------------------------------------------------- */

static frame_row row_of(const char *kernel, int threads, uint64_t hash) {
    frame_row row = {.workload = {2, 100, 20, BENCH_UNIFORM}, .threads = threads, .steps = 3, .repeats = 1, .hash = hash};
    snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
    snprintf(row.index, sizeof row.index, "grid");
    return row;
}

TEST(kernels_that_differ_are_found) {
    char complaint[256] = "";
    frame_row rows[] = {row_of("scalar", 1, 7), row_of("baseline-aos", 1, 0), row_of("simd128", 2, 7)};
    assert_true(frame_rows_agree(rows, 3, complaint, sizeof complaint));
    rows[2].hash = 8;
    assert_false(frame_rows_agree(rows, 3, complaint, sizeof complaint));
    assert_true(strstr(complaint, "scalar") && strstr(complaint, "simd128") && strstr(complaint, "0000000000000008"));
    rows[2].steps = 4; /* another simulation */
    assert_true(frame_rows_agree(rows, 3, complaint, sizeof complaint));
    rows[2].steps = 3;
    rows[2].addition = &bench_additions[0];
    assert_true(frame_rows_agree(rows, 3, complaint, sizeof complaint));
}

/* ---- the workload ------------------------------------------------------------------------------------------------------ */

TEST(agents_start_inside) {
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (int d = BENCH_UNIFORM; d <= BENCH_LINE; d++) {
            bench_start start = make_start(dimensions, 700, 6, (bench_distribution)d);
            float low = start.side, high = 0.0f;
            for (int a = 0; a < dimensions; a++) {
                for (uint32_t i = 0; i < 700; i++) {
                    const float x = start.position[a][i];
                    assert_true(x >= 0.0f && x < start.side);
                    assert_true(fabsf(start.velocity[a][i]) <= 1.001f * bench_max_speed);
                    low = fminf(low, x);
                    high = fmaxf(high, x);
                }
            }
            const double share = pow((double)((high - low) / start.side), dimensions);
            assert_true(d == BENCH_CLUMPED ? share > 0.008 && share < 0.0101 : share > 0.9);
            bench_start_free(&start);
        }
    }
}

static double neighbours_of(int dimensions, bench_distribution distribution) {
    bench_start start = make_start(dimensions, 20000, 20, distribution);
    dunlin_world *world;
    dunlin_error error;
    assert_int_equal(bench_world_make(&start, 0, "auto", "grid", &world, &error), DUNLIN_OK);
    assert_int_equal(dunlin_world_step(world, &error), DUNLIN_OK);
    const double found = (double)dunlin_world_stats(world).pairs_useful / 20000;
    dunlin_world_destroy(world);
    bench_start_free(&start);
    return found;
}

/* Those at a clump's rim see fewer. */
TEST(worlds_have_the_neighbours_asked_for) {
    assert_true(fabs(neighbours_of(2, BENCH_UNIFORM) - 20) < 0.4);
    assert_true(fabs(neighbours_of(3, BENCH_UNIFORM) - 20) < 0.4);
    const double flat = neighbours_of(2, BENCH_CLUMPED), deep = neighbours_of(3, BENCH_CLUMPED);
    assert_true(flat > 18.5 && flat < 20.2 && deep > 16 && deep < 20);
    assert_true(neighbours_of(2, BENCH_LINE) > 18 && neighbours_of(3, BENCH_LINE) > 16);
    assert_true(neighbours_of(2, BENCH_SCATTERED) > 14 && neighbours_of(3, BENCH_SCATTERED) > 8);
}

TEST(a_start_is_the_same_for_all_threads) {
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    bench_start one = make_start(2, 500, 10, BENCH_FLOCKED);
    omp_set_num_threads(3);
    bench_start three = make_start(2, 500, 10, BENCH_FLOCKED);
    omp_set_num_threads(threads);
    for (int a = 0; a < 2; a++) {
        assert_memory_equal(one.position[a], three.position[a], 500 * sizeof(float));
        assert_memory_equal(one.velocity[a], three.velocity[a], 500 * sizeof(float));
    }
    bench_start_free(&one);
    bench_start_free(&three);
}

/* ---- the machine ------------------------------------------------------------------------------------------------------- */

TEST(the_machine_is_described) {
    const machine host = machine_describe();
    int year, month, day, hour, minute, second;
    assert_int_equal(sscanf(host.date, "%4d-%2d-%2dT%2d:%2d:%2dZ", &year, &month, &day, &hour, &minute, &second), 6);
    assert_true(year >= 2024 && strlen(host.date) == 20);
    assert_non_null(strstr(host.compiler, "."));
    assert_non_null(strstr(host.flags, "-ffp-contract=off"));
    assert_null(strstr(host.flags, "-W"));
    const size_t digits = strspn(host.commit, "0123456789abcdef");
    assert_true(strcmp(host.commit, "unknown") == 0 ||
                (digits >= 7 && (host.commit[digits] == '\0' || host.commit[digits] == '-')));
}

/* ---- promises ---------------------------------------------------------------------------------------------------------- */

TEST(promises_are_judged) {
    assert_string_equal(frame_verdict(">=", 16, 16), "yes");
    assert_string_equal(frame_verdict(">=", 16, 15.99), "no");
    assert_string_equal(frame_verdict("<=", 80, 80), "yes");
    assert_string_equal(frame_verdict("<=", 80, 80.01), "no");
    assert_string_equal(frame_verdict("<=", 80, (double)NAN), "-");
}
