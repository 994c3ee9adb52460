/* SPDX-License-Identifier: MIT */
/* dunlin validate: published results are reproduced at small size, measurements are kept, and deviations are reported. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/progress.h"
#include "harness/validate/mersenne.h"
#include "harness/validate/results.h"
#include "tests/lib/effort.h"
#include "tests/lib/files.h"
#include "tests/lib/program.h"
#include "tests/lib/worlds.h"

static char text[OUTPUT];

static int clean_up(void **state) {
    (void)state;
    return system("rm -rf small time off page one wrong rows.csv rows.json left.txt page.md other.md results.csv out.txt "
                  "err.txt") == 0
               ? 0
               : -1;
}

/* ---- figures ----------------------------------------------------------------------------------------------------------- */

static trial_results *results_of(bool quick) {
    static trial_results results;
    memset(&results, 0, sizeof results);
    trials_make(&results.list, quick);
    return &results;
}

static bool keep_share(void *context, double share) {
    *(double *)context = share;
    return true;
}

static void fly(const trial *t, int threads, trial_sample *samples) {
    double share = 0;
    trial_flight flight = {.t = t, .threads = threads, .progress = keep_share, .context = &share, .error = &refusal};
    if (!trial_fly(&flight, samples)) fail_msg("%s", refusal.message);
    assert_true(flight.result == DUNLIN_OK && share == 1);
}

/* Only models that are quick in a slow build: the program flies all of them once more below. */
static void small_runs_reproduce_published_results(void **state) {
    (void)state;
    trial_results *results = results_of(true);
    int kinds[TRIAL_KINDS] = {0};
    for (int i = 0; i < results->list.count; i++) {
        const trial *t = &results->list.at[i];
        kinds[t->kind]++;
        if (TEST_SLOW && t->kind <= TRIAL_COUZIN) continue;
        fly(t, 2, results->of[i].samples);
        results->of[i].is_there = true;
        if (!verdict_holds(results, i))
            fail_msg("%s, %s: %g", trial_kind_names[t->kind], t->name, verdict_mean(t, &results->of[i], 0).value);
    }
    for (int kind = 0; kind < TRIAL_KINDS; kind++) assert_true(kinds[kind] > 0);
}

/* Trials have different names, also in files. */
static void every_trial_has_a_name_of_its_own(void **state) {
    (void)state;
    for (int quick = 0; quick < 2; quick++) {
        const trial_list *list = &results_of(quick == 1)->list;
        for (int i = 0; i < list->count; i++) {
            const trial *t = &list->at[i];
            assert_null(strpbrk(t->name, ",\"\n"));
            assert_true(t->samples >= 1 && t->samples <= TRIAL_SAMPLES && trial_seconds(t, 2) > 0);
            for (int j = 0; j < i; j++) assert_false(t->kind == list->at[j].kind && strcmp(t->name, list->at[j].name) == 0);
        }
    }
}

static void figures_do_not_depend_on_threads(void **state) {
    (void)state;
    const trial trials[] = {
        {.kind = TRIAL_CIRCLES, .agents = 2000, .size = 13, .samples = 10},
        {.kind = TRIAL_VICSEK, .agents = 2000, .size = 22, .radius = 1, .x = 1, .samples = 2, .readings = 3, .steps = 5},
        {.kind = TRIAL_TOPOLOGICAL, .agents = 1200, .size = 30, .radius = 6, .samples = 1, .readings = 1, .steps = 5},
    };
    for (int i = 0; i < 3; i++) {
        trial_sample one[10] = {0}, more[10] = {0};
        fly(&trials[i], 1, one);
        for (int threads = TEST_SLOW ? 3 : 2; threads <= 3; threads++) {
            fly(&trials[i], threads, more);
            assert_memory_equal(one, more, (size_t)trials[i].samples * sizeof *one);
        }
    }
}

static bool stop_at_half(void *context, double share) {
    *(double *)context = share;
    return share < 0.5;
}

static void a_trial_can_be_stopped(void **state) {
    (void)state;
    const trial_list *list = &results_of(true)->list;
    for (int i = 0; i < list->count; i++) {
        if (TEST_SLOW && list->at[i].kind == TRIAL_CIRCLES) continue;
        trial_sample samples[TRIAL_SAMPLES];
        double share = 0;
        trial_flight flight = {.t = &list->at[i], .threads = 1, .progress = stop_at_half, .context = &share, .error = &refusal};
        assert_false(trial_fly(&flight, samples));
        assert_true(flight.result == DUNLIN_OK && flight.is_stopped);
        assert_true(share >= 0.5 && share < 0.6);
    }
}

/* ---- Circles by plain loops -------------------------------------------------------------------------------------------- */

/* The ten-thousandth number is that of the C++ standard, [rand.predef]. */
static void starts_use_the_generator_of_cpp(void **state) {
    (void)state;
    mersenne m;
    uint64_t last = 0;
    mersenne_seed(&m, 5489);
    for (int i = 0; i < 10000; i++) last = mersenne_draw(&m);
    assert_true(last == UINT64_C(9981545732273789042));
    mersenne_seed(&m, 0);
    for (int i = 0; i < 10000; i++) {
        const float number = mersenne_even(&m, 22);
        assert_true(number >= 0 && number < 22);
    }
}

enum { AGENTS = 729, WIDTH = 9, ROUNDS = 20, ACROSS = 5 };

static int cell_of(double x) {
    return (int)fmax(fmin(floor(x / 2), ACROSS - 1), 0);
}

static double mean_around(double x[AGENTS][3]) {
    double sum = 0;
    for (int i = 0; i < AGENTS; i++)
        for (int j = 0; j < AGENTS; j++) {
            bool near = true;
            for (int a = 0; a < 3; a++) near = near && abs(cell_of(x[i][a]) - cell_of(x[j][a])) <= 1;
            sum += near;
        }
    return sum / AGENTS;
}

static void displace(double x[AGENTS][3]) {
    static double old[AGENTS][3];
    memcpy(old, x, sizeof old);
    for (int i = 0; i < AGENTS; i++) {
        double sum[3] = {0};
        int count = 0;
        for (int j = 0; j < AGENTS; j++) {
            const double d[3] = {old[j][0] - old[i][0], old[j][1] - old[i][1], old[j][2] - old[i][2]};
            const double s = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            if (s <= 0 || s >= 2) continue;
            for (int a = 0; a < 3; a++) sum[a] += 0.05 * sin(s / 2 * 3.141 * -2) * d[a] / s;
            count++;
        }
        for (int a = 0; a < 3 && count > 0; a++) x[i][a] += sum[a] / count;
    }
}

/* In double precision. An agent near the edge of a cell may be counted on its other side. */
static void circles_equal_plain_loops(void **state) {
    (void)state;
    const trial t = {.kind = TRIAL_CIRCLES, .agents = AGENTS, .size = WIDTH, .seed = 3, .samples = ROUNDS};
    static double x[AGENTS][3];
    trial_sample samples[ROUNDS];
    mersenne m;
    mersenne_seed(&m, 3);
    for (int i = 0; i < AGENTS; i++)
        for (int a = 0; a < 3; a++) x[i][a] = (double)mersenne_even(&m, WIDTH);
    fly(&t, 1, samples);
    assert_true(fabs(samples[0].figure[0] - mean_around(x)) < 1e-9);
    for (int step = 0; step < ROUNDS; step++, displace(x)) {
        const double want = mean_around(x);
        if (fabs(samples[step].figure[0] - want) > 1e-3 * want)
            fail_msg("before step %d there are %g, not %g", step, samples[step].figure[0], want);
    }
    assert_true(fabs(samples[0].figure[0] - samples[ROUNDS - 1].figure[0]) > 0.1); /* the agents have moved */
}

/* ---- verdicts ---------------------------------------------------------------------------------------------------------- */

static void deviations_are_found(void **state) {
    (void)state;
    trial_results *results = results_of(true);
    trial *t = &results->list.at[0];
    *t = (trial){.kind = TRIAL_COUZIN, .samples = 2, .claim = {{(double)NAN, -HUGE_VAL, 0.35}, {(double)NAN, 0.55, HUGE_VAL}}};
    trial_sample *s = results->of[0].samples;
    const struct {
        double polarization, rotation;
        bool holds;
    } means[] = {{0.35, 0.55, true}, {0.36, 0.6, false}, {0.3, 0.54, false}, {(double)NAN, 0.6, false}};
    for (int i = 0; i < 4; i++) {
        s[0] = s[1] = (trial_sample){{means[i].polarization, means[i].rotation}};
        s[0].figure[1] -= 0.01;
        s[1].figure[1] += 0.01;
        assert_true(verdict_holds(results, 0) == means[i].holds);
    }
    const sample_mean mean = verdict_mean(t, &results->of[0], 1);
    assert_true(fabs(mean.value - 0.6) < 1e-12 && fabs(mean.error - 0.01) < 1e-12);
}

static void a_rising_curve_is_a_deviation(void **state) {
    (void)state;
    trial_results *results = results_of(true);
    for (int i = 0; i < 2; i++) {
        results->list.at[i] = (trial){.kind = TRIAL_VICSEK, .agents = 40, .samples = 1, .is_curve = true};
        results->of[i].is_there = true;
    }
    results->of[0].samples[0].figure[0] = 0.5;
    results->of[1].samples[0].figure[0] = 0.509;
    assert_true(verdict_holds(results, 1));
    results->of[1].samples[0].figure[0] = 0.511;
    assert_false(verdict_holds(results, 1));
    results->of[0].is_there = false;
    assert_true(verdict_holds(results, 1));
    results->of[0].is_there = true;
    results->list.at[0].agents = 100; /* another curve */
    assert_true(verdict_holds(results, 1));
}

/* ---- the file of results ----------------------------------------------------------------------------------------------- */

static const results_stamp stamp = {"abc1234", "quick"};

static void append_to(const char *path, const char *what) {
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs(what, file);
    fclose(file);
}

static int count_present(const results_stamp *by) {
    trial_results *results = results_of(true);
    int present = 0;
    ACCEPT(results_read(results, "results.csv", by, &refusal));
    for (int i = 0; i < results->list.count; i++) present += results->of[i].is_there;
    return present;
}

static void results_are_kept(void **state) {
    (void)state;
    remove("results.csv");
    trial_list list;
    trials_make(&list, true);
    const int last = list.count - 1;
    trial_sample samples[TRIAL_SAMPLES] = {0};
    assert_int_equal(count_present(&stamp), 0);
    samples[3].figure[1] = 1.0 / 3;
    ACCEPT(results_append("results.csv", &stamp, &list.at[last], samples, &refusal));
    append_to("results.csv", "abc1234,quick,circles,10648 agents seed 0,0,1.5\n"); /* cut short */
    assert_int_equal(count_present(&stamp), 1);
    ACCEPT(results_append("results.csv", &stamp, &list.at[last - 1], samples, &refusal));
    assert_int_equal(count_present(&stamp), 2);
    samples[3].figure[1] = 2.0 / 3;
    ACCEPT(results_append("results.csv", &stamp, &list.at[last], samples, &refusal));
    assert_int_equal(count_present(&stamp), 2);
    trial_results *results = results_of(true);
    ACCEPT(results_read(results, "results.csv", &stamp, &refusal));
    assert_true(results->of[last].samples[3].figure[1] == 2.0 / 3);
    assert_int_equal(count_present(&(results_stamp){"abc1234-dirty", "quick"}), 0);
    assert_int_equal(count_present(&(results_stamp){"abc1234", "full"}), 0);
}

/* A trial without one of its samples is not complete, nor is one with samples that do not belong to it. */
static void incomplete_trials_are_flown_again(void **state) {
    (void)state;
    remove("results.csv");
    trial_list list;
    trials_make(&list, true);
    trial part = list.at[list.count - 1];
    trial_sample samples[TRIAL_SAMPLES] = {0};
    part.samples--;
    ACCEPT(results_append("results.csv", &stamp, &part, samples, &refusal));
    append_to("results.csv", "abc1234,quick,matching,400 agents radius 15,10,0,0\nabc1234,quick,matching,400 agents radius "
                             "15,-1,0,0\nabc1234,quick,eagles,400 agents radius 15,9,0,0\n\n,,,,,,\n"
                             "abc1234,quick,matching,400 agents radius 15,9,,0\n"
                             "abc1234,quick,matching,400 agents radius 15,9,0,0x\n"
                             "abc1234,quick,matching,400 agents radius 15,,0,0\n");
    assert_int_equal(count_present(&stamp), 0);
    append_to("results.csv", "abc1234,quick,matching,400 agents radius 15,9,0,0\n");
    assert_int_equal(count_present(&stamp), 1);
}

/* Its last number may be wrong, and more rows would be appended to it. */
static void a_line_that_was_cut_short_is_refused(void **state) {
    (void)state;
    const trial cut = {.kind = TRIAL_TOPOLOGICAL, .name = "300 agents", .samples = 1};
    const trial_sample sample = {{0.25, 0.125}};
    remove("results.csv");
    ACCEPT(results_append("results.csv", &stamp, &cut, &sample, &refusal));
    assert_int_equal(count_present(&stamp), 1);
    read_file("results.csv", text);
    for (long left = (long)strlen(text) - 1; left > 0; left--) {
        assert_int_equal(truncate("results.csv", left), 0);
        if (text[left - 1] == '\n') {
            assert_int_equal(count_present(&stamp), 0);
            continue;
        }
        assert_int_equal(results_read(results_of(true), "results.csv", &stamp, &refusal), DUNLIN_ERROR_FILE);
        assert_non_null(strstr(refusal.message, "cannot append to results.csv"));
        assert_int_equal(results_append("results.csv", &stamp, &cut, &sample, &refusal), DUNLIN_ERROR_FILE);
    }
}

static void another_file_is_refused(void **state) {
    (void)state;
    remove("results.csv");
    append_to("results.csv", "id,x,y\n");
    REFUSE(results_read(results_of(true), "results.csv", &stamp, &refusal), DUNLIN_ERROR_FILE, "results.csv", "another header");
    trial t = {.samples = 1};
    trial_sample sample = {0};
    REFUSE(results_append("nowhere/results.csv", &stamp, &t, &sample, &refusal), DUNLIN_ERROR_FILE, "nowhere/results.csv",
           strerror(ENOENT));
    REFUSE(results_read(results_of(true), ".", &stamp, &refusal), DUNLIN_ERROR_FILE, "cannot write .", "folder");
    REFUSE(results_append("/dev/full", &stamp, &t, &sample, &refusal), DUNLIN_ERROR_FILE, "cannot write /dev/full");
}

/* ---- the program ------------------------------------------------------------------------------------------------------- */

#define SMALL "validate --quick --threads 2 --output "

/* Replaces the first `was` of a file. */
static void change(const char *path, const char *was, const char *is) {
    read_file(path, text);
    char *at = strstr(text, was);
    assert_non_null(at);
    static char changed[OUTPUT];
    const int length = snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, is, at + strlen(was));
    write_bytes(path, changed, (size_t)length);
}

static int count_lines(const char *path) {
    int lines = 0;
    read_file(path, text);
    for (const char *at = text; (at = strchr(at, '\n')); at++) lines++;
    return lines;
}

static void a_run_continues_where_it_stopped(void **state) {
    (void)state;
    static char first[OUTPUT];
    expect_success(SMALL "small");
    assert_non_null(strstr(out, "\nall as published\n"));
    assert_null(strstr(out, "already"));
    strcpy(first, out);
    for (int kind = 0; kind < TRIAL_KINDS; kind++) assert_non_null(strstr(out, trial_kind_names[kind]));
    expect_success(SMALL "small");
    assert_non_null(strstr(out, "13 trials are in small/validation.csv already\n"));
    assert_string_equal(strchr(out, '\n') + 1, first);
    assert_null(strstr(err, "left")); /* nothing was flown */
    assert_true(access("small/plots/circles.svg", F_OK) == 0 && access("small/plots/vicsek.svg", F_OK) == 0);
    read_file("small/plots/couzin.svg", text);
    assert_non_null(strstr(text, "zone of orientation"));
}

/* One row per figure, with or without the other commands' words around it. */
static void rows_are_written_as_json_and_csv(void **state) {
    (void)state;
    expect_success(SMALL "small --only matching --json -");
    assert_int_equal(strncmp(out, "{\n  \"machine\": {", 16), 0);
    assert_non_null(
        strstr(out, "\"trial\": \"200 agents radius 5\",\n      \"samples\": 10,\n      \"figure\": \"neighbours\","));
    assert_non_null(strstr(out, "\"published\": 3.7,\n      \"min_allowed\": 2.5,\n      \"max_allowed\": 4.9,"));
    assert_non_null(strstr(out, "\"holds\": \"yes\""));
    assert_null(strstr(out, "couzin"));
    for (int i = 0; i < 2; i++) expect_success(SMALL "small --only couzin --csv rows.csv --json rows.json");
    assert_non_null(strstr(out, "all as published"));
    read_file("rows.csv", text);
    assert_int_equal(strncmp(text, "date,commit,", 12), 0);
    assert_int_equal(count_lines("rows.csv"), 1 + 2 * 4);
    assert_non_null(strstr(text, ",couzin,orientation 0,1,rotation,,,0.35,0."));
    assert_non_null(strstr(text, ",couzin,orientation 6,1,polarization,,0.95,,0.9"));
    read_file("rows.json", text);
    assert_non_null(strstr(text, "\"published\": null,\n      \"min_allowed\": null,\n      \"max_allowed\": 0.35,"));
    run(SMALL "small --only couzin --json /dev/full --csv rows.csv"); /* one that fails costs no other */
    assert_true(status == 1 && strstr(err, "cannot write /dev/full"));
    assert_int_equal(count_lines("rows.csv"), 1 + 3 * 4);
    EXPECT_FAILURE(1, SMALL "small --json - --csv -", "--json", "--csv");
    EXPECT_FAILURE(1, SMALL "wrong --json nowhere/rows.json", "nowhere/rows.json");
    EXPECT_FAILURE(1, SMALL "wrong --csv small/validation.csv", "small/validation.csv", "another header");
    assert_true(access("wrong", F_OK) != 0);
}

static void the_time_is_told_before_it_is_spent(void **state) {
    (void)state;
    expect_success(SMALL "time --only couzin");
    assert_int_equal(strncmp(err, "flying 2 trials, about ", 23), 0);
    expect_success(SMALL "time --only couzin");
    assert_null(strstr(err, "flying"));
    expect_success(SMALL "time --only couzin --fresh --quiet");
    assert_int_equal(strlen(err) + strlen(out), 0);
}

/* As on a busy machine: twenty seconds for a fifth of a percent, of what should take five minutes. */
static void a_slow_beginning_predicts_no_hours(void **state) {
    (void)state;
    run_progress progress = progress_begin("trial", 10, true);
    progress.on_terminal = false;
    progress.started -= 20.0;
    progress.drawn -= 60.0;
    progress.expected = 300.0;
    const int kept = dup(STDERR_FILENO), file = open("left.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && file >= 0);
    dup2(file, STDERR_FILENO);
    progress_show(&progress, 0.002, "circles");
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(file);
    read_file("left.txt", text);
    assert_non_null(strstr(text, "circles   8 min "));
}

static void deviations_exit_with_1(void **state) {
    (void)state;
    expect_success(SMALL "off --only matching,topological");
    assert_null(strstr(out, "circles"));
    change("off/validation.csv", "topological,300 agents,0,1,0", "topological,300 agents,0,0.99,0");
    run(SMALL "off --only matching");
    assert_int_equal(status, 0);
    run(SMALL "off --only topological");
    assert_int_equal(status, 1);
    assert_non_null(strstr(out, "exactly 1"));
    assert_non_null(strstr(out, " no\n"));
    assert_non_null(strstr(out, "\n1 trial is off\n"));
    expect_success(SMALL "off --only topological --fresh");
}

static bool has_measured(const char *row) {
    if (!is_there("page/validation.csv")) return false;
    read_file("page/validation.csv", text);
    return strstr(text, row);
}

static void an_interrupted_run_keeps_whole_trials(void **state) {
    (void)state;
    static const char *const arguments[] = {"dunlin", "validate", "--only", "matching", "--output", "page", NULL};
    pid_t child = start(arguments);
    wait_until(child, has_measured, ",matching,200 agents radius 5,199,");
    end_by(SIGINT, child);
    const int lines = count_lines("page/validation.csv");
    int told = 0;
    for (const char *at = out; (at = strstr(at, " agents radius ")); at++) told++;
    assert_int_equal(lines, 1 + 100 * told); /* the header, and two hundred seeds per trial, with two figures each */
    assert_non_null(strstr(err, "continues from here"));
    assert_null(strstr(out, "all as published"));
    child = start(arguments);
    wait_until(child, has_said, "trials are in page/validation.csv already");
    end_by(SIGTERM, child);
    assert_true(count_lines("page/validation.csv") >= lines);
}

/* Only the table of a complete model is replaced, and the rest of one that was interrupted before. All words stay. */
static void a_page_gets_its_tables(void **state) {
    (void)state;
    static const char page[] =
        "# Page\n\n<!-- measured: matching -->\n| old |\n<!-- end -->\nwords\n<!-- measured: circles -->\n"
        "| left |\n<!-- end -->";
    append_to("page.md", page);
    expect_success("validate --only matching --output page --page page.md");
    read_file("page.md", text);
    assert_true(strncmp(text, "# Page\n\n<!-- measured: matching -->\n| trial | figure |", 52) == 0);
    assert_null(strstr(text, "| old |"));
    assert_non_null(strstr(text, "\n| 200 agents radius 5 | neighbours | 3.7 | 3.4 .. 4 | 3."));
    assert_non_null(strstr(text, "Measured by `dunlin validate` at commit "));
    assert_non_null(strstr(text, "\n<!-- end -->\nwords\n<!-- measured: circles -->\n| left |\n<!-- end -->"));
}

/* Before anything is flown. */
static void an_unwritable_page_is_reported_at_once(void **state) {
    (void)state;
    append_to("other.md", "<!-- end -->\n<!-- measured: matching -->\n");
    EXPECT_FAILURE(1, "validate --only matching --output wrong --page other.md",
                   "other.md has a table without a line <!-- end");
    read_file("other.md", text);
    assert_string_equal(text, "<!-- end -->\n<!-- measured: matching -->\n");
    EXPECT_FAILURE(1, "validate --only matching --output wrong --page none.md", "cannot read none.md", strerror(ENOENT));
    EXPECT_FAILURE(1, "validate --only matching --output wrong --page ''", "cannot read", strerror(ENOENT));
    assert_true(access("wrong", F_OK) != 0);
}

static void mistakes_are_reported(void **state) {
    (void)state;
    EXPECT_FAILURE(2, SMALL "wrong --only eagles", "--only is 'eagles'", "circles, vicsek");
    EXPECT_FAILURE(2, SMALL "wrong --only vicsek,", "--only is 'vicsek,'", "commas between");
    EXPECT_FAILURE(2, SMALL "wrong --threads many", "--threads is 'many'", "0 .. 1024");
    EXPECT_FAILURE(2, SMALL "wrong --page page.md", "--page", "--quick");
    EXPECT_FAILURE(2, SMALL "wrong all", "too many", "all");
    EXPECT_FAILURE(2, SMALL "wrong --wings", "--wings", "--help");
    assert_true(access("wrong", F_OK) != 0);
    append_to("one", "a file");
    EXPECT_FAILURE(1, SMALL "one", "cannot make one", strerror(ENOTDIR));
    EXPECT_FAILURE(1, SMALL "''", "cannot make ''", strerror(ENOENT));
    static const char *const options[] = {"--only", "--threads", "--output", "--json",  "--csv",
                                          "--page", "--fresh",   "--quick",  "--quiet", NULL};
    expect_options("validate", options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_runs_reproduce_published_results),
        cmocka_unit_test(every_trial_has_a_name_of_its_own),
        cmocka_unit_test(figures_do_not_depend_on_threads),
        cmocka_unit_test(a_trial_can_be_stopped),
        cmocka_unit_test(starts_use_the_generator_of_cpp),
        cmocka_unit_test(circles_equal_plain_loops),
        cmocka_unit_test(deviations_are_found),
        cmocka_unit_test(a_rising_curve_is_a_deviation),
        cmocka_unit_test(results_are_kept),
        cmocka_unit_test(incomplete_trials_are_flown_again),
        cmocka_unit_test(a_line_that_was_cut_short_is_refused),
        cmocka_unit_test(another_file_is_refused),
        cmocka_unit_test(a_run_continues_where_it_stopped),
        cmocka_unit_test(rows_are_written_as_json_and_csv),
        cmocka_unit_test(the_time_is_told_before_it_is_spent),
        cmocka_unit_test(a_slow_beginning_predicts_no_hours),
        cmocka_unit_test(deviations_exit_with_1),
        cmocka_unit_test(an_interrupted_run_keeps_whole_trials),
        cmocka_unit_test(a_page_gets_its_tables),
        cmocka_unit_test(an_unwritable_page_is_reported_at_once),
        cmocka_unit_test(mistakes_are_reported),
    };
    return cmocka_run_group_tests(tests, clean_up, clean_up);
}
