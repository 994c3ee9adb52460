/* SPDX-License-Identifier: MIT */
/* dunlin sweep: studies are checked, their runs are those of dunlin run, and nothing that interrupts a sweep changes a byte. */
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/report/clock.h"
#include "harness/sweep/summary.h"
#include "tests/lib/cases.h"
#include "tests/lib/files.h"
#include "tests/lib/program.h"
#include "tests/lib/rows.h"

static char want[OUTPUT], got[OUTPUT];
static dunlin_error refusal;

static int clean_up(void **state) {
    (void)state;
    return system("rm -rf sweep && mkdir sweep") == 0 ? 0 : -1;
}

static int remove_all(void **state) {
    (void)state;
    return system("rm -rf sweep out.txt err.txt") == 0 ? 0 : -1;
}

/* Two parameters and three seeds: 18 runs of a few milliseconds. */
#define FIRST "scenario: vicsek\nset: [species.particles.agents=50]\nsteps: 60\n"
#define PARAMETERS                                                                                                             \
    "parameters:\n"                                                                                                            \
    "  - {path: 'models[0].vicsek.whole_noise', range: {from: 30, to: 270, step: 120}}\n"                                      \
    "  - {name: world, cases: [{name: small, set: ['world.size=[5, 5]']}, {name: large, set: ['world.size=[9, 9]']}]}\n"
#define SEEDS "seed_list: [3, 5, 9]\n"
#define MEASURES                                                                                                               \
    "measure:\n"                                                                                                               \
    "  - {metric: polarization, label: order, window: {last: 0.4}}\n"                                                          \
    "  - {metric: mean_neighbours, window: {from: 10, to: 40, every: 7}}\n"                                                    \
    "  - {metric: agents, name: count}\n"
#define STUDY FIRST PARAMETERS SEEDS MEASURES

enum { RUNS = 18, POINTS = 6, SEEDS_OF_STUDY = 3 };

static void sweep(const char *options) {
    char arguments[512];
    snprintf(arguments, sizeof arguments, "sweep sweep/study.yaml --quiet --no-plots %s", options);
    expect_success(arguments);
}

static void expect_same(const char *folder, const char *other) {
    static const char *const files[] = {"runs.csv", "means.csv"};
    for (int i = 0; i < 2; i++) {
        char path[128];
        snprintf(path, sizeof path, "sweep/%s/%s", folder, files[i]);
        read_file(path, want);
        snprintf(path, sizeof path, "sweep/%s/%s", other, files[i]);
        read_file(path, got);
        assert_string_equal(got, want);
    }
}

/* ---- what a study may say ---------------------------------------------------------------------------------------------- */

static void expect_refused(const test_case *c) {
    const bool has_line = strcmp(c->word[0], "-") != 0;
    char place[64];
    write_file("sweep/study.yaml", c->text);
    snprintf(place, sizeof place, "study.yaml:%s%s", has_line ? c->word[0] : "", has_line ? ": " : "");
    expect_failure(1, "sweep sweep/study.yaml --output sweep/never", c->word + 1);
    expect_words(c, (const char *const[]){place, NULL}, err);
    if (is_there("sweep/never")) fail_msg("line %d: the mistake was found after the folder was made", c->line);
}

TEST(mistakes_are_found_where_they_are) {
    for_each_case("program/cases/studies.txt", 42, expect_refused);
}

/* ---- what is run ----------------------------------------------------------------------------------------------------- */

static void expect_values(const test_case *c) {
    sweep_plan plan;
    snprintf(want, sizeof want,
             "scenario: " DUNLIN_SCENARIOS_DIR "/vicsek.yaml\nseeds: 1\nmeasure: [{metric: agents}]\n"
             "set: ['behaviours=[{wander: {}}]']\nparameters:\n  - %s",
             c->text);
    write_file("sweep/study.yaml", want);
    if (sweep_plan_make(&plan, "sweep/study.yaml", false, NULL, &refusal) != DUNLIN_OK) fail_msg("%s", refusal.message);
    uint32_t count = 0;
    for (; c->word[count]; count++) {
        assert_true(count < plan.points);
        assert_string_equal(plan.study.parameter[0].values[count].label, c->word[count]);
    }
    assert_int_equal(plan.points, count);
    sweep_plan_free(&plan);
}

TEST(ranges_have_the_numbers_that_people_expect) {
    for_each_case("program/cases/ranges.txt", 10, expect_values);
}

/* Of the steps from begin to end that are multiples of `every`, and of both ends, the mean of a column of sweep/run.csv. */
static double mean_of_steps(const char *column, int begin, int end, int every) {
    double sum = 0.0;
    int count = 0;
    for (int step = begin; step <= end; step++) {
        if (step % every != 0 && step != begin && step != end) continue;
        sum += number_in_row("sweep/run.csv", step, column);
        count++;
    }
    return sum / count;
}

static bool is_near(double a, double b) {
    return fabs(a - b) <= 1e-7 * fmax(1.0, fabs(b));
}

/* Runs what a row of the study stands for by itself. */
static void run_alone(int row, const char *options) {
    static const char *const noises[] = {"30", "150", "270"}, *const sizes[] = {"[5, 5]", "[9, 9]"};
    static const int seeds[] = {3, 5, 9};
    char arguments[512];
    snprintf(arguments, sizeof arguments,
             "run vicsek --steps 60 --seed %d --set species.particles.agents=50 --set 'models[0].vicsek.whole_noise=%s' "
             "--set 'world.size=%s' --quiet %s",
             seeds[row % 3], noises[row / 6], sizes[row / 3 % 2], options);
    expect_success(arguments);
}

TEST(runs_are_those_of_dunlin_run) {
    static const char *const noises[] = {"30", "150", "270"}, *const sizes[] = {"small", "large"};
    static const int seeds[] = {3, 5, 9};
    static const char rows[] = "sweep/all/runs.csv",
                      names[] =
                          "run,whole_noise,world,seed,particles.polarization,particles.polarization_samples,"
                          "particles.mean_neighbours,particles.mean_neighbours_samples,count,count_samples,state_hash,study,"
                          "commit,problem\n";
    write_file("sweep/study.yaml", STUDY);
    sweep("--output sweep/all");
    read_file(rows, got);
    assert_int_equal(strncmp(got, names, strlen(names)), 0);
    assert_int_equal(count_table_rows(rows), RUNS);
    for (int i = 0; i < RUNS; i++) {
        char hash[64];
        assert_true(number_in_row(rows, i, "run") == i && number_in_row(rows, i, "seed") == seeds[i % 3]);
        assert_string_equal(field_in_row(rows, i, "whole_noise"), noises[i / 6]);
        assert_string_equal(field_in_row(rows, i, "world"), sizes[i / 3 % 2]);
        run_alone(i, "--metrics sweep/run.csv --hash");
        snprintf(hash, sizeof hash, "state hash: %s\n", field_in_row(rows, i, "state_hash"));
        assert_string_equal(out, hash);
        const double order = number_in_row(rows, i, "particles.polarization"),
                     neighbours = number_in_row(rows, i, "particles.mean_neighbours");
        assert_true(is_near(order, mean_of_steps("polarization", 37, 60, 1))); /* the last 24 of 60 */
        assert_true(is_near(neighbours, mean_of_steps("mean_neighbours", 10, 40, 7)));
        assert_true(number_in_row(rows, i, "count") == 50);
        assert_true(number_in_row(rows, i, "particles.polarization_samples") == 24);
        assert_true(number_in_row(rows, i, "particles.mean_neighbours_samples") == 6); /* 10, 14, 21, 28, 35, 40 */
        assert_string_equal(field_in_row(rows, i, "problem"), "");
    }
}

TEST(means_are_those_of_the_seeds) {
    static const char means[] = "sweep/all/means.csv";
    write_file("sweep/study.yaml", STUDY);
    sweep("--output sweep/all");
    assert_int_equal(count_table_rows(means), POINTS);
    read_file(means, got);
    static const char head[] = "whole_noise,world,seeds,particles.polarization,particles.polarization_deviation,"
                               "particles.polarization_error,particles.polarization_seeds,";
    assert_memory_equal(got, head, sizeof head - 1);
    for (int i = 0; i < POINTS; i++) {
        double f[3], squares = 0.0;
        for (int k = 0; k < 3; k++) f[k] = number_in_row("sweep/all/runs.csv", 3 * i + k, "particles.polarization");
        const double mean = (f[0] + f[1] + f[2]) / 3.0;
        for (int k = 0; k < 3; k++) squares += pow(f[k] - mean, 2.0);
        assert_true(number_in_row(means, i, "seeds") == 3 && number_in_row(means, i, "particles.polarization_seeds") == 3);
        assert_true(is_near(number_in_row(means, i, "particles.polarization"), mean));
        assert_true(is_near(number_in_row(means, i, "particles.polarization_deviation"), sqrt(squares / 2.0)) &&
                    squares > 1e-8);
        assert_true(is_near(number_in_row(means, i, "particles.polarization_error"), sqrt(squares / 2.0 / 3.0)));
    }
}

TEST(a_figure_that_no_step_has_is_left_empty) {
    write_file("sweep/study.yaml", "scenario: vicsek\nsteps: 5\nseeds: 2\nmeasure: [{metric: mean_nearest}]\n"
                                   "parameters: [{path: species.particles.agents, values: [1, 2]}]\n");
    sweep("--output sweep/all");
    read_file("sweep/all/runs.csv", got);
    assert_non_null(strstr(got, "\n0,1,1,,0,"));
    assert_non_null(strstr(got, "\n2,2,1,"));
    assert_null(strstr(got, "\n2,2,1,,"));
    read_file("sweep/all/means.csv", got);
    assert_non_null(strstr(got, "\n1,0,,,,0\n")); /* no seed has a value */
    assert_null(strstr(got, "nan"));
    sweep("--output sweep/all"); /* what was read back is the same */
    read_file("sweep/all/means.csv", want);
    assert_string_equal(got, want);
    /* A second particle, from which there is a distance, is born before step 6. */
    write_file("sweep/study.yaml",
               "scenario: vicsek\nsteps: 9\nseeds: 1\nmeasure: [{metric: mean_nearest, window: {last: 1}}]\n"
               "set: ['species.particles.growth=[{per_step: 1, max_agents: 2, begin: 5}]']\n"
               "parameters: [{path: species.particles.agents, values: [1]}]\n");
    sweep("--output sweep/born");
    read_file("sweep/born/means.csv", got);
    assert_non_null(strstr(got, "\n1,1,"));
    assert_null(strstr(got, "\n1,1,,"));
}

TEST(rows_do_not_depend_on_jobs) {
    write_file("sweep/study.yaml", STUDY);
    sweep("--output sweep/all --jobs 1");
    sweep("--output sweep/three --jobs 3");
    expect_same("all", "three");
    assert_int_equal(count_table_rows("sweep/three/runs.csv"), RUNS);
}

/* As many are written at once as there are jobs. */
TEST(trajectories_are_those_of_dunlin_run) {
    write_file("sweep/study.yaml", FIRST PARAMETERS SEEDS MEASURES "trajectory: {every: 15}\n");
    sweep("--output sweep/all --jobs 4");
    for (int i = 0; i < RUNS; i += 7) {
        char arguments[512];
        run_alone(i, "--trajectory sweep/run.h5 --every 15");
        expect_success("export sweep/run.h5 --to csv --output sweep/want.csv");
        snprintf(arguments, sizeof arguments, "export sweep/all/trajectories/run-%05d.h5 --to csv --output sweep/got.csv", i);
        expect_success(arguments);
        read_file("sweep/want.csv", want);
        read_file("sweep/got.csv", got);
        assert_string_equal(got, want);
        assert_int_equal(count_table_rows("sweep/want.csv"), 5 * 50); /* frames 0, 15, … 60 */
    }
    write_file("sweep/study.yaml", FIRST PARAMETERS SEEDS MEASURES "trajectory: {every: 15, fields: 'colour'}\n");
    EXPECT_FAILURE(1, "sweep sweep/study.yaml --quiet --output sweep/wrong", "18 of 18 runs failed",
                   "the run with whole_noise ", "colour");
}

/* ---- interrupted ------------------------------------------------------------------------------------------------------- */

#define LONGER                                                                                                                 \
    "scenario: vicsek\nset: [species.particles.agents=200]\nsteps: 200\nseeds: 8\nmeasure: [{metric: polarization}]\n"         \
    "parameters: [{path: 'models[0].vicsek.whole_noise', values: [60, 120, 240]}]\n"
enum { LONGER_RUNS = 24 };

static pid_t start_sweep(const char *folder) {
    char output[64];
    snprintf(output, sizeof output, "--output=%s", folder);
    const char *const arguments[] = {"dunlin", "sweep", "sweep/study.yaml", "--quiet", "--no-plots", "--jobs=3", output, NULL};
    return start(arguments);
}

/* A machine that stops can leave half a row. */
TEST(half_a_row_is_run_again) {
    write_file("sweep/study.yaml", STUDY);
    sweep("--output sweep/all");
    read_file("sweep/all/runs.csv", want);
    const size_t length = strlen(want);
    for (size_t cut = length - 1; cut > length - 150; cut -= TEST_EFFORT(40, 40, 13)) {
        assert_int_equal(system("rm -rf sweep/cut && cp -r sweep/all sweep/cut"), 0);
        read_file("sweep/all/runs.csv", want);
        write_bytes("sweep/cut/runs.csv", want, cut);
        sweep("--output sweep/cut");
        expect_same("all", "cut");
    }
    write_file("sweep/cut/runs.csv", "run,who"); /* half of the heads */
    sweep("--output sweep/cut");
    expect_same("all", "cut");
}

/* … and gone before anything is appended to it. */
TEST(half_a_row_is_removed) {
    sweep_plan plan;
    sweep_results results;
    write_file("sweep/study.yaml",
               "scenario: " DUNLIN_SCENARIOS_DIR "/vicsek.yaml\nsteps: 3\nseeds: 2\n"
               "measure: [{metric: agents}]\nparameters: [{path: species.particles.agents, values: [1]}]\n");
    sweep("--output sweep/all");
    read_file("sweep/all/runs.csv", want);
    char *behind = strrchr(want, ','), of_rows[64];
    *behind = '\0';
    snprintf(of_rows, sizeof of_rows, "%s", strrchr(want, ',') + 1);
    *behind = ',';
    assert_int_equal(sweep_plan_make(&plan, "sweep/study.yaml", false, NULL, &refusal), DUNLIN_OK);
    write_bytes("sweep/all/runs.csv", want, strlen(want) - 9);
    assert_int_equal(results_open(&results, &plan, "sweep/all", of_rows, false, &refusal), DUNLIN_OK);
    assert_int_equal(results.present, 1);
    assert_true(results.figures[0].is_there && results.figures[0].measured[0] == 1.0 && !results.figures[1].is_there);
    read_file("sweep/all/runs.csv", got);
    assert_int_equal(count_table_rows("sweep/all/runs.csv"), 1);
    assert_true(got[strlen(got) - 1] == '\n' && strncmp(got, want, strlen(got)) == 0);
    results_close(&results);
    sweep_plan_free(&plan);
}

static bool has_a_row(const char *path) {
    return count_table_rows(path) > 0;
}

TEST(signals_stop_a_sweep_that_then_goes_on) {
    static const int signals[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        write_file("sweep/study.yaml", LONGER "description: x\n");
        sweep("--output sweep/all --fresh");
        assert_int_equal(system("rm -rf sweep/stopped; sed -i s/200$/4000/ sweep/study.yaml"), 0);
        const pid_t child = start_sweep("sweep/stopped");
        wait_until(child, has_a_row, "sweep/stopped/runs.csv");
        end_by(signals[i], child);
        assert_non_null(strstr(err, "the same command continues"));
        assert_true(count_table_rows("sweep/stopped/runs.csv") < LONGER_RUNS);
        assert_false(is_there("sweep/stopped/means.csv"));
    }
}

TEST(another_study_is_refused) {
#define AGAIN "sweep sweep/study.yaml --quiet --no-plots --output sweep/all"
    write_file("sweep/study.yaml", STUDY);
    sweep("--output sweep/all");
    read_file("sweep/all/runs.csv", want);
    write_file("sweep/study.yaml", STUDY "window: {last: 0.3}\n"); /* which `count` uses */
    EXPECT_FAILURE(1, AGAIN, "runs.csv:2: the study or its scenario has changed", "--fresh");
    write_file("sweep/study.yaml", FIRST PARAMETERS SEEDS "measure: [{metric: polarization}]\n");
    EXPECT_FAILURE(1, AGAIN, "runs.csv:1: it has other columns");
    assert_int_equal(system("sed 's/=50/=51/' sweep/study.yaml >sweep/more.yaml"), 0);
    EXPECT_FAILURE(1, "sweep sweep/more.yaml --quiet --output sweep/all", "runs.csv:1: ");
    write_file("sweep/study.yaml", STUDY "name: another title\ndescription: another text\n"); /* changes no run */
    sweep("--output sweep/all");
    read_file("sweep/all/runs.csv", got);
    assert_string_equal(got, want);
    write_file("sweep/study.yaml", STUDY "window: {last: 0.3}\n");
    sweep("--output sweep/all --fresh");
    assert_int_equal(count_table_rows("sweep/all/runs.csv"), RUNS);
}

/* ---- runs that fail, and studies that change --------------------------------------------------------------------------- */

/* The maximum speed falls below the minimum speed of 0.3 in step 50, and of 0.4 in step 25. */
#define FAILING                                                                                                                \
    "name: births\nsteps: 200\nworld: {size: [50, 50]}\nspecies:\n"                                                            \
    "  - {name: p, max_speed: 0.5, max_force: 0.05, agents: 20}\n"                                                             \
    "interactions:\n  - {observer: p, separation: {radius: 1}}\n"                                                              \
    "schedules:\n  - {parameter: species.p.max_speed, linear: {from: 0.5, to: 0.1, begin: 0, end: 100}}\n"
#define OF_SPEEDS(values)                                                                                                      \
    "scenario: failing.yaml\nparameters: [{path: species.p.min_speed, values: [" values "]}]\nseeds: 2\n"                      \
    "measure: [{metric: mean_speed}]\n"

static void expect_speeds(const char *path, const char *const values[], int count) {
    for (int i = 0; i < 2 * count; i++) assert_string_equal(field_in_row(path, i, "min_speed"), values[i / 2]);
    assert_int_equal(count_table_rows(path), 2 * count);
}

TEST(runs_that_fail_are_rows) {
    write_file("sweep/failing.yaml", FAILING);
    write_file("sweep/study.yaml", OF_SPEEDS("0.05, 0.4, 0.08, 0.3"));
    for (int again = 0; again < 2; again++) {
        run("sweep sweep/study.yaml --no-plots --output sweep/all");
        assert_int_equal(status, 1);
        assert_non_null(strstr(err, "4 of 8 runs failed"));
        assert_non_null(strstr(err, "min_speed 0.4, seed 1"));
        assert_int_equal(strstr(out, "4 failed before, and are run again") != NULL, again);
        assert_non_null(strstr(out, "\n0.4"));
        expect_speeds("sweep/all/runs.csv", (const char *const[]){"0.05", "0.4", "0.08", "0.3"}, 4);
        for (int row = 0; row < 8; row++) {
            const bool fails = row / 2 % 2 == 1;
            assert_int_equal(*field_in_row("sweep/all/runs.csv", row, "p.mean_speed") == '\0', fails);
            assert_int_equal(*field_in_row("sweep/all/runs.csv", row, "state_hash") == '\0', fails);
            assert_int_equal(strstr(field_in_row("sweep/all/runs.csv", row, "problem"), "max_speed") != NULL, fails);
        }
        for (int row = 0; row < 4; row++)
            assert_string_equal(field_in_row("sweep/all/means.csv", row, "seeds"), row % 2 ? "0" : "2");
    }
    run("sweep sweep/study.yaml --quiet --output sweep/all"); /* gnuplot may be missing, but not its script */
    read_file("sweep/all/plots/p.mean_speed.gp", got);
    assert_true(strstr(got, "\n0.05 ") && strstr(got, "\n0.08 ") && !strstr(got, "\n0.4 ") && !strstr(got, "\n0.3 "));
    assert_int_equal(system("cp -r sweep/all sweep/fixed; sed -i s/0.1,/0.45,/ sweep/failing.yaml"), 0);
    EXPECT_FAILURE(1, "sweep sweep/study.yaml --quiet --output sweep/fixed", "the study or its scenario has changed");
}

/* A row stays valid while its own values, its seed and the scenario are the same, and so do the numbers of trajectories. */
TEST(rows_outlive_values_and_seeds) {
    write_file("sweep/failing.yaml", FAILING);
    write_file("sweep/study.yaml", OF_SPEEDS("0.05, 0.4, 0.08"));
    EXPECT_FAILURE(1, "sweep sweep/study.yaml --no-plots --quiet --output sweep/all", "2 of 6 runs failed");
    char hash[32], number[16];
    snprintf(hash, sizeof hash, "%s", field_in_row("sweep/all/runs.csv", 5, "state_hash"));
    write_file("sweep/study.yaml", OF_SPEEDS("0.05, 0.08")); /* the bad value is taken out */
    expect_success("sweep sweep/study.yaml --no-plots --output sweep/all");
    assert_non_null(strstr(out, "\n4 of them are in sweep/all/runs.csv already\n"));
    expect_speeds("sweep/all/runs.csv", (const char *const[]){"0.05", "0.08"}, 2);
    assert_string_equal(field_in_row("sweep/all/runs.csv", 3, "state_hash"), hash);
    assert_string_equal(field_in_row("sweep/all/runs.csv", 3, "run"), "5");
    write_file("sweep/study.yaml", OF_SPEEDS("0.08, 0.02")); /* one is replaced, and its rows stay behind the others */
    sweep("--output sweep/all");
    assert_int_equal(count_table_rows("sweep/all/runs.csv"), 6);
    assert_string_equal(field_in_row("sweep/all/runs.csv", 1, "state_hash"), hash);
    assert_string_equal(field_in_row("sweep/all/runs.csv", 4, "min_speed"), "0.05");
    assert_int_equal(count_table_rows("sweep/all/means.csv"), 2);
    snprintf(number, sizeof number, "%s", field_in_row("sweep/all/runs.csv", 2, "run"));
    for (int row = 0; row < 6; row++) /* every number is another one */
        if (row != 2) assert_string_not_equal(field_in_row("sweep/all/runs.csv", row, "run"), number);
    write_file("sweep/study.yaml", OF_SPEEDS("0.02, 0.05, 0.08") "description: all are there\n");
    expect_success("sweep sweep/study.yaml --no-plots --output sweep/all");
    assert_non_null(strstr(out, "\n6 of them are in sweep/all/runs.csv already\n"));
    assert_string_equal(field_in_row("sweep/all/runs.csv", 5, "state_hash"), hash);
    assert_int_equal(system("sed 's/seeds: 2/seed_list: [2, 7]/' sweep/study.yaml >sweep/seeds.yaml"), 0);
    expect_success("sweep sweep/seeds.yaml --no-plots --output sweep/all");
    assert_non_null(strstr(out, "\n3 of them are in sweep/all/runs.csv already\n"));
}

/* Of 100 steps the prey move 27, all at the same speed in the same direction. The first run of two has no wolf near enough. */
TEST(means_are_of_the_steps_that_have_a_value) {
    write_file("sweep/two.yaml",
               "steps: 100\nworld: {size: [100, 100], boundary: open}\nspecies:\n"
               "  - {name: prey, min_speed: 0.3, max_speed: 0.3, agents: 4,\n"
               "     start: [{centre: [50, 50], extent: [0, 0], velocity: [0.3, 0]}]}\n"
               "  - {name: wolf, max_speed: 2, agents: 1, start: [{centre: [10, 50], extent: [0, 0], velocity: [1, 0]}]}\n"
               "meals:\n  - {eater: wolf, food: prey, radius: 1}\n");
    write_file("sweep/study.yaml", "scenario: two.yaml\nseeds: 1\nwindow: {from: 0}\n"
                                   "parameters: [{path: 'meals[0].radius', values: [0.01, 1]}]\nmeasure:\n"
                                   "  - {metric: mean_speed, species: prey}\n  - {metric: polarization, species: prey}\n"
                                   "  - {metric: agents, species: prey}\n");
    sweep("--output sweep/all");
    for (int row = 0; row < 2; row++) {
        const double steps = number_in_row("sweep/all/runs.csv", row, "prey.mean_speed_samples");
        assert_true(row == 0 ? steps == 101 : steps > 10 && steps < 90);
        assert_true(is_near(number_in_row("sweep/all/runs.csv", row, "prey.mean_speed"), 0.3));
        assert_true(is_near(number_in_row("sweep/all/runs.csv", row, "prey.polarization"), 1));
        assert_true(is_near(number_in_row("sweep/all/runs.csv", row, "prey.agents"), 4 * steps / 101));
        assert_true(number_in_row("sweep/all/runs.csv", row, "prey.agents_samples") == 101);
    }
}

/* For random windows of a run, from its metrics. */
TEST(windows_have_both_ends_and_the_multiples) {
    enum { WINDOWS = 12 };
    expect_success("run vicsek --steps 60 --set species.particles.agents=20 --seed 1 --metrics sweep/run.csv --quiet");
    srand(25);
    for (int round = 0; round < TEST_EFFORT(2, 2, 6); round++) {
        int begin[WINDOWS], end[WINDOWS], every[WINDOWS];
        FILE *file = fopen("sweep/study.yaml", "w");
        assert_non_null(file);
        fputs("scenario: vicsek\nset: [species.particles.agents=20]\nsteps: 60\nseeds: 1\nparameters: []\nmeasure:\n", file);
        for (int i = 0; i < WINDOWS; i++) {
            begin[i] = rand() % 61;
            end[i] = begin[i] + rand() % (61 - begin[i]);
            every[i] = 1 + rand() % 20;
            fprintf(file, "  - {metric: polarization, name: m%d, window: {from: %d, to: %d, every: %d}}\n", i, begin[i], end[i],
                    every[i]);
        }
        assert_int_equal(fclose(file), 0);
        sweep("--fresh --output sweep/all");
        for (int i = 0; i < WINDOWS; i++) {
            char name[16];
            snprintf(name, sizeof name, "m%d", i);
            const double mean = mean_of_steps("polarization", begin[i], end[i], every[i]);
            if (!is_near(number_in_row("sweep/all/runs.csv", 0, name), mean))
                fail_msg("%d .. %d every %d", begin[i], end[i], every[i]);
        }
    }
}

/* The first frame has the metrics of the start. */
TEST(trajectories_go_with_displacements) {
    write_file("sweep/study.yaml", "scenario: vicsek\nset: [species.particles.agents=20]\nsteps: 20\nseeds: 2\nparameters: []\n"
                                   "measure: [{metric: mean_squared_displacement, window: {last: 0.01}}]\n"
                                   "trajectory: {every: 5}\n");
    sweep("--output sweep/all");
    expect_success(
        "run vicsek --steps 20 --set species.particles.agents=20 --seed 2 --measure displacement --metrics sweep/run.csv "
        "--quiet");
    const double last = number_in_row("sweep/run.csv", -1, "mean_squared_displacement");
    assert_true(last > 0 && is_near(number_in_row("sweep/all/runs.csv", 1, "particles.mean_squared_displacement"), last));
}

TEST(foreign_files_stay_as_they_are) {
    static const char *const texts[] = {"precious", "precious\n", "a,b\n1,2\n", "run,noise"};
    write_file("sweep/study.yaml", STUDY);
    assert_int_equal(system("mkdir sweep/all"), 0);
    for (size_t i = 0; i < 3; i++) {
        write_file("sweep/all/runs.csv", texts[i]);
        EXPECT_FAILURE(1, AGAIN, "sweep/all/runs.csv", "other columns");
        read_file("sweep/all/runs.csv", got);
        assert_string_equal(got, texts[i]);
    }
    assert_int_equal(system("rm sweep/all/runs.csv"), 0);
    sweep("--output sweep/all");
    assert_int_equal(system("sed -i '3s/^1,/x,/' sweep/all/runs.csv"), 0);
    EXPECT_FAILURE(1, AGAIN, "runs.csv:3: it is no row of this study");
    assert_int_equal(system("sed -i '3s/,[^,]*,$/,0123abc,/; 3s/^x,/1,/' sweep/all/runs.csv"), 0);
    EXPECT_FAILURE(1, AGAIN, "runs.csv:3: it was run by commit 0123abc of dunlin, this is ");
    EXPECT_FAILURE(1, "sweep sweep/study.yaml --output /dev/null/x", "cannot make", strerror(ENOTDIR));
    EXPECT_FAILURE(1, "sweep sweep/study.yaml --output ''", "cannot make");
}

TEST(two_sweeps_do_not_share_a_folder) {
    write_file("sweep/study.yaml", LONGER);
    assert_int_equal(system("sed -i s/200$/20000/ sweep/study.yaml"), 0);
    const pid_t child = start_sweep("sweep/all");
    wait_until_watched(child);
    EXPECT_FAILURE(1, AGAIN, "is writing it");
    end_by(SIGTERM, child);
}

static void read_allowed(const char *path, char allowed[256]) {
    char text[8192];
    read_text_file(path, text, sizeof text);
    const char *at = strstr(text, "Cpus_allowed_list:");
    assert_non_null(at);
    snprintf(allowed, 256, "%.*s", (int)strcspn(at, "\n"), at);
}

/* A folder has a link for itself, one in its parent, and one for each folder in it. */
static bool has_three_tasks(const char *folder) {
    struct stat tasks;
    return stat(folder, &tasks) == 0 && tasks.st_nlink >= 2 + 3;
}

/* OpenMP binds the first thread to a core, where the threads that it makes would stay. */
TEST(simulations_use_all_cores_though_openmp_binds) {
    char own[256], allowed[256], pattern[64];
    glob_t tasks;
    write_file("sweep/study.yaml", LONGER);
    assert_int_equal(system("sed -i s/200$/20000/ sweep/study.yaml"), 0);
    setenv("OMP_PROC_BIND", "true", 1);
    const pid_t child = start_sweep("sweep/all");
    unsetenv("OMP_PROC_BIND");
    wait_until_watched(child);
    snprintf(pattern, sizeof pattern, "/proc/%d/task", (int)child);
    wait_until(child, has_three_tasks, pattern); /* simulations have begun */
    read_allowed("/proc/self/status", own);
    snprintf(pattern, sizeof pattern, "/proc/%d/task/*/status", (int)child);
    assert_int_equal(glob(pattern, 0, NULL, &tasks), 0);
    for (size_t i = 0; i < tasks.gl_pathc; i++) {
        read_allowed(tasks.gl_pathv[i], allowed);
        assert_string_equal(allowed, own);
    }
    globfree(&tasks);
    end_by(SIGTERM, child);
}

/* The system lets no file grow further. */
TEST(a_full_disk_ends_a_sweep_that_then_goes_on) {
    write_file("sweep/study.yaml", STUDY);
    sweep("--output sweep/all");
    run_in("ulimit -f 2;", AGAIN "/../full");
    assert_int_equal(status, 1);
    assert_non_null(strstr(err, strerror(EFBIG)));
    const int rows = count_table_rows("sweep/full/runs.csv");
    read_file("sweep/full/runs.csv", got);
    assert_true(rows > 0 && rows < RUNS && got[strlen(got) - 1] == '\n');
    sweep("--output sweep/full");
    expect_same("all", "full");
}

/* ---- for people -------------------------------------------------------------------------------------------------------- */

/* A plot per measure; the second parameter has too many values for curves. */
TEST(plots_are_drawn) {
    static const char *const plots[] = {"all/plots/particles.polarization", "all/plots/particles.mean_neighbours",
                                        "all/plots/count", "map/plots/particles.agents"};
    if (system("command -v gnuplot >/dev/null") != 0) skip();
    write_file("sweep/study.yaml", STUDY);
    expect_success("sweep sweep/study.yaml --output sweep/all --quiet");
    assert_string_equal(err, "");
    write_file("sweep/study.yaml", "scenario: vicsek\nsteps: 2\nseeds: 1\nmeasure: [{metric: agents}]\nparameters:\n"
                                   "  - {path: species.particles.agents, range: {from: 1, to: 100, count: 4, spacing: log}}\n"
                                   "  - {path: 'models[0].vicsek.whole_noise', range: {from: 0, to: 5, step: 1}}\n");
    expect_success("sweep sweep/study.yaml --output sweep/map --quiet");
    assert_string_equal(err, "");
    for (int i = 0; i < 4; i++) {
        char path[128];
        snprintf(path, sizeof path, "sweep/%s.svg", plots[i]);
        read_file(path, got);
        assert_non_null(strstr(got, "</svg>"));
        snprintf(path, sizeof path, "sweep/%s.gp", plots[i]);
        read_file(path, got);
        assert_int_equal(strstr(got, "$map << EOD") != NULL, i == 3);
    }
}

static void expect_plot(const char *name) {
    char path[200];
    snprintf(path, sizeof path, "sweep/all/plots/%s.gp", name);
    if (!is_there(path)) fail_msg("%s is missing", path);
}

/* Whatever else is measured, as long as the names are, and also where files cannot be called like that. */
TEST(plots_have_the_names_of_columns) {
#define LONG "the_mean_number_of_neighbours_of_all_particles_within_a_radius_of_one_at_the_end"
    static const char first[] = "scenario: vicsek\nsteps: 2\nseeds: 1\nparameters:\n"
                                "  - {path: species.particles.agents, values: [5, 6]}\n",
                      more[] =
                          "  - {path: 'models[0].vicsek.whole_noise', values: [1, 2]}\n  - {path: steps, values: [2, 3]}\n",
                      one[] = "measure:\n  - {metric: polarization}\n",
                      others[] = "  - {metric: mean_speed, name: 'a b'}\n  - {metric: agents, name: 'a/b'}\n"
                                 "  - {metric: mean_neighbours, name: " LONG "}\n";
    char text[1000];
    snprintf(text, sizeof text, "%s%s", first, one);
    write_file("sweep/study.yaml", text);
    run_in("PATH=/nowhere", "sweep sweep/study.yaml --output sweep/all --quiet");
    expect_plot("particles.polarization");
    assert_int_equal(system("rm -r sweep/all"), 0);
    snprintf(text, sizeof text, "%s%s%s", first, one, others);
    write_file("sweep/study.yaml", text);
    run_in("PATH=/nowhere", "sweep sweep/study.yaml --output sweep/all --quiet");
    expect_plot("particles.polarization");
    expect_plot("a_b");
    expect_plot("a_b~3");
    expect_plot(LONG);
    assert_int_equal(system("rm -r sweep/all"), 0);
    snprintf(text, sizeof text, "%s%s%s%s", first, more, one, others);
    write_file("sweep/study.yaml", text);
    run_in("PATH=/nowhere", "sweep sweep/study.yaml --output sweep/all --quiet");
    expect_plot("particles.polarization-1");
    expect_plot("a_b-2");
    expect_plot("a_b~3-1");
    expect_plot(LONG "-2");
}

/* A mean on a limit holds, one beyond it ends with 1; a quick study, whose runs are shorter, expects nothing. */
TEST(what_is_expected_is_compared) {
    static const char *const allowed[] = {"min: 50, max: 50", "max: 49.5", "min: 50.5", "min: 49, published: 51"};
    for (int i = 0; i < 4; i++) {
        const bool holds = i % 3 == 0;
        snprintf(want, sizeof want,
                 FIRST PARAMETERS SEEDS
                 "measure: [{metric: agents, expect: [{at: [150, large], %s}, {at: [30, small], max: 50}]}]\n",
                 allowed[i]);
        write_file("sweep/study.yaml", want);
        run("sweep sweep/study.yaml --output sweep/all");
        assert_int_equal(status, holds ? 0 : 1);
        assert_true(!!strstr(err, "1 of 2 means are not as the study expects them: see sweep/all/expected.md") == !holds);
        read_file("sweep/all/expected.md", got);
        assert_non_null(strstr(got, holds ? "| 50.0000 ± 0.0000 | yes |" : "| 50.0000 ± 0.0000 | no |"));
        assert_non_null(strstr(got, i == 0   ? "| exactly 50 |"
                                    : i == 1 ? "| below 49.5 |"
                                    : i == 2 ? "| above 50.5 |"
                                             : "| 51 | above 49 |"));
        assert_non_null(strstr(out, "what is expected"));
        read_file("sweep/all/plots/particles.agents.gp", got);
        assert_true(strstr(got, "$expected1 << EOD") && strstr(got, i == 3 ? "150 51 49 " : "150 nan "));
    }
    run("sweep sweep/study.yaml --quick --no-plots --output sweep/quick");
    assert_int_equal(status, 0);
    assert_null(strstr(out, "what is expected"));
    assert_false(is_there("sweep/quick/expected.md"));
}

TEST(shipped_studies_run) {
    static const char *const studies[] = {"vicsek_transition", "alignment_noise", "predators_prey"};
    if (TEST_SLOW) skip();
    for (int i = 0; i < 3; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "sweep %s --quick --no-plots --output sweep/%s", studies[i], studies[i]);
        expect_success(arguments);
        assert_non_null(strstr(out, "mean +- "));
    }
}

TEST_FIXTURE(.after_all = remove_all, .before_each = clean_up)
