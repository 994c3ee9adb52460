/* SPDX-License-Identifier: MIT */
/* dunlin plot: which columns it draws, what is in its scripts, and what it says of files that it cannot draw. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/files.h"
#include "tests/lib/program.h"

static int clean_up(void **state) {
    (void)state;
    static const char *const files[] = {"out.txt",   "err.txt",  "metrics.csv", "metrics.svg",
                                        "flock.png", "flock.gp", "flock.svg"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) remove(files[i]);
    return 0;
}

static void has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("'%s' is not in:\n%.3000s", part, text);
}

static void has_not(const char *text, const char *part) {
    if (strstr(text, part)) fail_msg("'%s' is in the plot", part);
}

/* The script that draws these metrics. */
static const char *script_of(const char *metrics, const char *options) {
    static char script[OUTPUT];
    char arguments[200];
    write_file("metrics.csv", metrics);
    snprintf(arguments, sizeof arguments, "plot metrics.csv --output flock.gp %s", options);
    expect_success(arguments);
    read_file("flock.gp", script);
    return script;
}

static void a_run_is_drawn(void **state) {
    (void)state;
    static char picture[OUTPUT];
    expect_success("run predators --agents 3000 --steps 30 --metrics metrics.csv --quiet");
    expect_success("plot metrics.csv");
    assert_string_equal(out, "");
    assert_string_equal(err, "");
    read_file("metrics.svg", picture);
    assert_int_equal(strncmp(picture, "<?xml", 5), 0);
    has(picture, ">● starlings<");
    has(picture, ">● hawks<");
    has(picture, ">polarization<");
    has(picture, ">mean speed (world units/time)<");
    has(picture, ">steps 0 to 30<");
    has_not(picture, "neighbour radius"); /* a constant */
    has_not(picture, ">agents<");
    expect_success("plot metrics.csv --output - --title 'A <flock>'");
    assert_int_equal(strncmp(out, "<?xml", 5), 0);
    has(out, "A &lt;flock");
    expect_success("plot --output flock.png --columns polarization metrics.csv");
    read_file("flock.png", picture);
    assert_memory_equal(picture, "\x89PNG\r\n\x1a\n", 8);
}

static void scripts_hold_the_data(void **state) {
    (void)state;
    const char *script = script_of(
        "step,species,agents,a,b,c\n0,x,5,1,7,\n0,y,3,3,7,\n10,x,5,,7,\n10,y,3,4,7,\n20,x,5,2.5,7,\n20,\"y\",3,5,7,\n", "");
    has(script, "$column2_0 << EOD\n0 1\n10 nan\n20 2.5\nEOD\n");
    has(script, "$column2_1 << EOD\n0 3\n10 4\n20 5\nEOD\n");
    has(script, "'● y'");
    has_not(script, "$column1_0"); /* agents, b and c do not change */
    has_not(script, "$column3_0");
    has_not(script, "$column4_0");
    assert_int_equal(system("gnuplot flock.gp >flock.svg"), 0);
    script = script_of("step,agents,b\n0,5,1\n1,5,1\n", ""); /* nothing changes */
    has(script, "$column1_0 << EOD\n0 5\n1 5\nEOD\n");
    has(script, "$column2_0 << EOD\n0 1\n1 1\nEOD\n");
    script = script_of("step,agents,b\n0,5,1\n1,5,9\n2,5,7", ""); /* the last row may be half of what it will be */
    has(script, "$column2_0 << EOD\n0 1\n1 9\nEOD\n");
    script = script_of("step,agents,b\n0,5,1\n1,5,2\n", "--columns agents");
    has(script, "$column1_0");
    has_not(script, "$column2_0");
}

/* A spike of one step among a hundred thousand is seen, and the script stays small. */
static void long_runs_keep_their_extremes(void **state) {
    (void)state;
    FILE *file = fopen("metrics.csv", "w");
    assert_non_null(file);
    fputs("step,a\n", file);
    for (int i = 0; i < 100000; i++) fprintf(file, "%d,%d\n", i, i == 77777 ? 513 : i == 33333 ? -517 : i % 7);
    fclose(file);
    static char script[OUTPUT];
    expect_success("plot metrics.csv --output flock.gp");
    read_file("flock.gp", script);
    has(script, " 513\n");
    has(script, " -517\n");
    assert_in_range(strlen(script), 5000, 40000);
}

/* Curves of very different size get a logarithmic axis, and shares all of theirs. */
static void axes_fit(void **state) {
    (void)state;
    const char *script = script_of("step,species,a,polarization\n0,x,1,0.5\n0,y,300,0.5\n1,x,2,0.4\n1,y,400,0.4\n", "");
    has(script, "\nset logscale y\n");
    has(script, "set yrange [0:1]\n");
    has_not(script_of("step,species,a\n0,x,0\n0,y,300\n1,x,2\n1,y,400\n", ""), "\nset logscale"); /* 0 has no logarithm */
    script = script_of("step,species,a\n0,x,1\n0,y,9\n1,x,2\n1,y,8\n", "");
    has_not(script, "\nset logscale");
    script = script_of("step,a\n0,1\n4000000,2\n", "");
    has(script, "'step (millions)'");
    has(script, "\n4 2\n");
}

static void mistakes_are_explained(void **state) {
    (void)state;
    remove("metrics.svg");
    EXPECT_FAILURE(1, "plot nowhere.csv", "nowhere.csv", "No such file");
    EXPECT_FAILURE(2, "plot", "METRICS.csv is missing");
    write_file("metrics.csv", "step,a\n0,1\n1,x\n");
    EXPECT_FAILURE(2, "plot metrics.csv --output flock.jpg", "--output is 'flock.jpg'", "FILE.svg", "FILE.png");
    EXPECT_FAILURE(1, "plot metrics.csv", "metrics.csv:3: ", "a is 'x'", "a number");
    write_file("metrics.csv", "step,a\n0,1\n1,2,3\n");
    EXPECT_FAILURE(1, "plot metrics.csv", "metrics.csv:3: ", "not as many fields");
    write_file("metrics.csv", "step,a\n0,1\n1\n");
    EXPECT_FAILURE(1, "plot metrics.csv", "metrics.csv:3: ", "not as many fields");
    write_file("metrics.csv", "id,x\n0,1\n");
    EXPECT_FAILURE(1, "plot metrics.csv", "metrics.csv:1: ", "first column is not step", "dunlin run --metrics");
    write_file("metrics.csv", "step,a\n");
    EXPECT_FAILURE(1, "plot metrics.csv", "no metrics");
    EXPECT_FAILURE(1, "plot /dev/null", "/dev/null:1: it has no metrics");
    write_file("metrics.csv", "step,a,b\n0,1,\n1,2,\n");
    EXPECT_FAILURE(1, "plot metrics.csv --columns a,c", "--columns is 'c'", "allowed: some of a, b");
    EXPECT_FAILURE(1, "plot metrics.csv --columns b", "'b'", "no numbers");
    assert_int_not_equal(access("metrics.svg", F_OK), 0);
}

/* What is missing is named, and what was there stays. */
static void gnuplot_may_be_missing(void **state) {
    (void)state;
    static char picture[OUTPUT];
    write_file("metrics.csv", "step,a\n0,1\n1,2\n");
    write_file("metrics.svg", "old");
    run_in("PATH=/nowhere", "plot metrics.csv");
    assert_int_equal(status, 1);
    has(err, "gnuplot is not installed; on Debian: apt-get install gnuplot-nox");
    read_file("metrics.svg", picture);
    assert_string_equal(picture, "old");
    run_in("PATH=/nowhere", "plot metrics.csv --output flock.gp"); /* needs none */
    assert_int_equal(status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_drawn),
        cmocka_unit_test(scripts_hold_the_data),
        cmocka_unit_test(long_runs_keep_their_extremes),
        cmocka_unit_test(axes_fit),
        cmocka_unit_test(mistakes_are_explained),
        cmocka_unit_test(gnuplot_may_be_missing),
    };
    clean_up(NULL);
    return cmocka_run_group_tests_name("plot", tests, NULL, clean_up);
}
