/* SPDX-License-Identifier: MIT */
/* Google Benchmark behind its C shim: what benchmarks in C can use, and that it times their functions correctly. */
#include "tests/lib/test.h"
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/microbench/gbench_shim.h"
#include "tests/lib/microbench_rows.h"

/* ---- running it -------------------------------------------------------------------------------------------------------- */

/* What a benchmark's functions have seen, in memory that the child shares. */
typedef struct witness {
    int setups, runs, reports, teardowns;
    int64_t iterations;
    double seconds; /* in the last measurement's run */
} witness;

static witness *seen;

typedef void register_fn(void);

/* Runs in a child, because the library has globals and may end the program. The last value of a repeated flag counts. */
static int run(register_fn *registration, const char *flag_a, const char *flag_b, const char *standard_output) {
    *seen = (witness){0};
    remove("rows.json");
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char *argv[] = {"shim", "--benchmark_out=rows.json", "--benchmark_min_time=0.001", (char *)flag_a, (char *)flag_b,
                        NULL};
        if (!freopen(standard_output, "w", stdout) || !freopen("err.txt", "w", stderr)) _exit(126);
        registration();
        exit(gbench_run(flag_a ? flag_b ? 5 : 4 : 3, argv, "helpful words\n"));
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    return WEXITSTATUS(ended);
}

static json_t *rows_of(register_fn *registration, const char *flag_a, const char *flag_b) {
    const int status = run(registration, flag_a, flag_b, "out.txt");
    if (status != 0) fail_msg("exit %d: %s", status, text_of_file("err.txt"));
    return rows_load("rows.json");
}

static int set_up(void **state) {
    (void)state;
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return seen == MAP_FAILED;
}

static int clean_up(void **state) {
    (void)state;
    munmap(seen, sizeof *seen);
    remove("rows.json");
    remove("out.txt");
    remove("err.txt");
    return 0;
}

/* ---- benchmarks -------------------------------------------------------------------------------------------------------- */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void work(const void *user, int64_t iterations) {
    (void)user;
    const double begin = now();
    for (int64_t i = 0; i < iterations * 1000; i++) __asm__ volatile("");
    seen->seconds += now() - begin;
    seen->iterations += iterations;
    seen->runs++;
}

static void take_a_while(void) {
    usleep(20000);
}

static bool slow_setup(const void *user, gbench_state *state) {
    (void)user;
    assert_int_equal(gbench_iterations(state), 0);
    take_a_while();
    seen->setups++;
    seen->seconds = 0;
    seen->iterations = 0;
    return true;
}

static void slow_report(const void *user, gbench_state *state) {
    (void)user;
    take_a_while();
    seen->reports++;
    gbench_counter(state, "own_time", seen->seconds / (double)seen->iterations, GBENCH_PLAIN);
    gbench_counter(state, "own_iterations", (double)seen->iterations, GBENCH_PLAIN);
}

static void slow_teardown(const void *user) {
    (void)user;
    take_a_while();
    seen->teardowns++;
}

/* ---- what is reported -------------------------------------------------------------------------------------------------- */

static void report_everything(const void *user, gbench_state *state) {
    assert_ptr_equal(user, seen);
    const double iterations = (double)gbench_iterations(state);
    gbench_counter(state, "items_per_second", 10 * iterations, GBENCH_RATE);
    gbench_counter(state, "plain", 42.5, GBENCH_PLAIN);
    gbench_counter(state, "rate", 3 * iterations, GBENCH_RATE);
    gbench_counter(state, "each", 5 * iterations, GBENCH_TIME_EACH);
}

static void register_counters(void) {
    gbench_register(&(gbench_benchmark){.name = "counters", .user = seen, .run = work, .report = report_everything});
}

static void check_counters(const json_t *row, double seconds) {
    row_expect(row, "items_per_second", 10 / seconds, 1e-6);
    row_expect(row, "plain", 42.5, 0);
    row_expect(row, "rate", 3 / seconds, 1e-6);
    row_expect(row, "each", seconds / 5, 1e-6);
    assert_true(seconds > 0);
}

TEST(rates_follow_from_the_time_that_is_reported) {
    json_t *rows = rows_of(register_counters, "--benchmark_min_time=0.01", NULL);
    assert_int_equal(rows_count(rows), 1);
    const json_t *row = rows_find(rows, "counters");
    assert_non_null(row);
    check_counters(row, row_number(row, "cpu_time") * 1e-9);
    json_decref(rows);
}

/* ---- what is timed ----------------------------------------------------------------------------------------------------- */

static void register_slow(void) {
    gbench_register(&(gbench_benchmark){
        .name = "slow", .setup = slow_setup, .run = work, .report = slow_report, .teardown = slow_teardown});
}

/* The library's clock says what the benchmark's own says. What it may add is a thousandth of what taking 20 ms anywhere would.
 */
static void expect_own_time(const json_t *row) {
    const double iterations = row_number(row, "iterations");
    row_expect(row, "own_iterations", iterations, 0);
    const double added = (row_number(row, "real_time") * 1e-9 - row_number(row, "own_time")) * iterations;
    if (!(added >= 0 && added < 0.01)) fail_msg("%s: %g s were added", row_name(row), added);
}

TEST(nothing_but_run_is_timed) {
    json_t *rows = rows_of(register_slow, "--benchmark_min_time=0.01", NULL);
    expect_own_time(rows_at(rows, 0));
    assert_true(seen->setups > 1); /* the library has found the number of iterations */
    assert_int_equal(seen->runs, seen->setups);
    assert_int_equal(seen->reports, seen->setups);
    assert_int_equal(seen->teardowns, seen->setups);
    assert_true(row_number(rows_at(rows, 0), "cpu_time") * 1e-9 * row_number(rows_at(rows, 0), "iterations") >= 0.01);
    json_decref(rows);
}

static void do_nothing(const void *user, int64_t iterations) {
    (void)user;
    for (int64_t i = 0; i < iterations; i++) __asm__ volatile(""); /* keeps the loop */
}

static void register_empty(void) {
    gbench_register(&(gbench_benchmark){.name = "empty", .run = do_nothing});
}

/* ns: a few instructions even on a slow machine, but no call of the library. */
TEST(the_library_does_nothing_between_iterations) {
    json_t *rows = rows_of(register_empty, "--benchmark_min_time=0.02", "--benchmark_repetitions=5");
    assert_true(row_number(rows_find(rows, "empty_median"), "cpu_time") < 20);
    json_decref(rows);
}

/* ---- what fails -------------------------------------------------------------------------------------------------------- */

static bool failing_setup(const void *user, gbench_state *state) {
    (void)user;
    seen->setups++;
    gbench_fail(state, "no such flock");
    gbench_fail(state, "and more");
    return false;
}

static void failing_report(const void *user, gbench_state *state) {
    (void)user;
    gbench_fail(state, "too late");
}

static void register_failing(void) {
    gbench_register(&(gbench_benchmark){
        .name = "setup", .setup = failing_setup, .run = work, .report = slow_report, .teardown = slow_teardown});
    gbench_register(&(gbench_benchmark){.name = "report", .run = work, .report = failing_report});
    gbench_register(&(gbench_benchmark){.name = "sound", .run = work});
}

static void expect_void(const json_t *rows, const char *name, const char *message) {
    const json_t *row = rows_find(rows, name);
    assert_non_null(row);
    assert_true(json_is_true(json_object_get(row, "error_occurred")));
    assert_string_equal(row_text(row, "error_message"), message);
}

TEST(a_failure_voids_only_its_row) {
    assert_int_equal(run(register_failing, NULL, NULL, "out.txt"), 1);
    json_t *rows = rows_load("rows.json");
    expect_void(rows, "setup", "no such flock");
    expect_void(rows, "report", "too late");
    assert_false(row_has(rows_find(rows, "sound"), "error_occurred"));
    assert_int_equal(seen->setups, 1);
    assert_int_equal(seen->reports, 0);
    assert_int_equal(seen->teardowns, 1); /* of a set-up that fails halfway */
    json_decref(rows);
}

/* ---- the command line -------------------------------------------------------------------------------------------------- */

static void register_two(void) {
    gbench_register(&(gbench_benchmark){.name = "one", .run = work});
    gbench_register(&(gbench_benchmark){.name = "two", .run = work});
    gbench_add_context("weather", "fair");
}

TEST(unknown_flags_are_refused) {
    static const char *const flags[] = {"--wings=2", "--benchmark_wings=2", "--benchmark_filter", "flock.yaml",
                                        "--benchmark_repetitions=many"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        assert_int_equal(run(register_two, flags[i], NULL, "out.txt"), 2);
        assert_string_equal(text_of_file("out.txt"), "");
        assert_non_null(strstr(text_of_file("err.txt"), flags[i]));
    }
    assert_int_equal(run(register_two, "--benchmark_filter=three", NULL, "out.txt"), 2);
    assert_int_equal(run(register_two, "--benchmark_filter=(", NULL, "out.txt"), 2);
    assert_int_equal(seen->runs, 0);
}

TEST(help_is_not_an_error) {
    assert_int_equal(run(register_two, "--help", NULL, "out.txt"), 0);
    const char *said = text_of_file("out.txt");
    assert_ptr_equal(strstr(said, "helpful words\n"), said);
    assert_non_null(strstr(said, "--benchmark_filter="));
    assert_int_equal(seen->runs, 0);
}

TEST(the_librarys_flags_work) {
    assert_int_equal(run(register_two, "--benchmark_list_tests", NULL, "out.txt"), 0);
    assert_string_equal(text_of_file("out.txt"), "one\ntwo\n");
    assert_int_equal(seen->runs, 0);

    json_t *rows = rows_of(register_two, "--benchmark_filter=^two$", NULL);
    assert_int_equal(rows_count(rows), 1);
    json_decref(rows);

    rows = rows_of(register_two, "--benchmark_repetitions=3", "--benchmark_enable_random_interleaving=true");
    const char *const aggregates[] = {"one_mean", "two_median", "two_stddev"};
    for (int i = 0; i < 3; i++) assert_non_null(rows_find(rows, aggregates[i]));
    row_expect(rows_find(rows, "one"), "repetitions", 3, 0);
    json_decref(rows);

    assert_int_equal(run(register_two, "--benchmark_format=csv", NULL, "out.txt"), 0);
    const char *said = text_of_file("out.txt");
    assert_ptr_equal(strstr(said, "name,iterations,real_time"), said);
}

TEST(the_context_is_in_every_output) {
    json_t *rows = rows_of(register_two, NULL, NULL);
    assert_string_equal(rows_context(rows, "weather"), "fair");
    assert_non_null(strstr(text_of_file("err.txt"), "weather: fair\n"));
    json_decref(rows);
}

TEST(failing_to_write_is_a_failure) {
    assert_int_equal(run(register_two, "--benchmark_out=no_such_folder/rows.json", NULL, "out.txt"), 1);
    assert_non_null(strstr(text_of_file("err.txt"), "no_such_folder/rows.json"));
    assert_int_equal(run(register_two, NULL, NULL, "/dev/full"), 1);
    assert_non_null(strstr(text_of_file("err.txt"), "cannot write to standard output"));
}

TEST_FIXTURE(.before_all = set_up, .after_all = clean_up)
