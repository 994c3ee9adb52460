/* SPDX-License-Identifier: MIT */
/* dunlin plot: which columns it draws, what is in its scripts, and what it says of files that it cannot draw. */
#include <unistd.h>

#include "tests/lib/files.h"
#include "tests/lib/program.h"

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

TEST(a_run_is_drawn) {
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

TEST(scripts_hold_the_data) {
    const char *script = script_of(
        "step,species,agents,a,b,c\n0,x,5,1,7,\n0,y,3,3,7,\n10,x,5,,7,\n10,y,3,4,7,\n20,x,5,2.5,7,\n20,\"y\",3,5,7,\n", "");
    has(script, "$column2_0 << EOD\n0 1\n10 nan\n20 2.5\nEOD\n");
    has(script, "$column2_1 << EOD\n0 3\n10 4\n20 5\nEOD\n");
    has(script, "Metrics of x, y");
    has(script, "'● y'");
    has_not(script, "$column1_0"); /* agents, b and c do not change */
    has_not(script, "$column3_0");
    has_not(script, "$column4_0");
    assert_int_equal(system("gnuplot flock.gp >flock.svg"), 0);
    script = script_of("step,agents,b\n0,5,1\n1,5,1\n", ""); /* nothing changes */
    has(script, "'Metrics'");
    has(script, "$column1_0 << EOD\n0 5\n1 5\nEOD\n");
    has(script, "$column2_0 << EOD\n0 1\n1 1\nEOD\n");
    script = script_of("step,agents,b\n0,5,1\n1,5,9\n2,5,7", ""); /* the last row may be half of what it will be */
    has(script, "$column2_0 << EOD\n0 1\n1 9\nEOD\n");
    script = script_of("step,agents,b\n0,5,1\n1,5,2\n", "--columns agents");
    has(script, "$column1_0");
    has_not(script, "$column2_0");
}

/* A spike of one step among a hundred thousand is seen, and the script stays small. */
TEST(long_runs_keep_their_extremes) {
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
TEST(axes_fit) {
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

/* Fails unless the steps of every curve ascend. Returns how many curves there are. */
static int count_curves(const char *script) {
    int curves = 0;
    for (const char *at = script; (at = strstr(at, "<< EOD\n")); curves++) {
        double last = -1.0;
        for (at += strlen("<< EOD\n"); strncmp(at, "EOD", 3) != 0; at = strchr(at, '\n') + 1) {
            const double step = strtod(at, NULL);
            if (step <= last) fail_msg("step %g comes after step %g in:\n%.2000s", step, last, script);
            last = step;
        }
    }
    return curves;
}

/* How many times the script has these words. */
static int count(const char *script, const char *words) {
    int found = 0;
    for (const char *at = script; (at = strstr(at, words)); at++) found++;
    return found;
}

/* A curve per group; a few have colours of their own, and of more, each species has one. */
TEST(groups_are_drawn_one_by_one) {
    static char script[OUTPUT], tank[400];
    static const struct {
        int of_fish, of_crabs, curves;
        const char *names[3];
    } cases[] = {{3, 0, 3, {"'● fish 0'", "'● fish 1'", "'● fish 2'"}},
                 {4, 2, 6, {"'● fish 3'", "'● crabs 0'", "'● crabs 1'"}},
                 {9, 5, 14, {"'● fish, 9 groups'", "'● crabs, 5 groups'", "rgb '#d55e00'"}}};
    for (int i = 0; i < 3; i++) {
        char of_crabs[40] = "";
        if (cases[i].of_crabs > 0) snprintf(of_crabs, sizeof of_crabs, "groups: %d, ", cases[i].of_crabs);
        snprintf(tank, sizeof tank,
                 "world: {size: [40, 30]}\nspecies:\n"
                 "  - {name: fish, agents: 60, groups: %d, attributes: [{role: group, in_turn: [0, %d]}]}\n"
                 "  - {name: crabs, agents: 60, %sattributes: [{role: %s, in_turn: [0, %d]}]}\n",
                 cases[i].of_fish, cases[i].of_fish - 1, of_crabs, cases[i].of_crabs > 0 ? "group" : "value, name: shell",
                 cases[i].of_crabs > 0 ? cases[i].of_crabs - 1 : 1);
        write_file("tank.yaml", tank);
        expect_success("run tank.yaml --steps 50 --quiet --groups metrics.csv");
        expect_success("plot metrics.csv --output flock.gp --columns x");
        read_file("flock.gp", script);
        assert_int_equal(count_curves(script), cases[i].curves);
        for (int n = 0; n < 3; n++) has(script, cases[i].names[n]);
        assert_int_equal(count(script, "'● "), cases[i].curves > 10 ? 2 : cases[i].curves);
        has(script, "'x (world units)'");
    }
    expect_success("plot metrics.csv --output flock.gp");
    read_file("flock.gp", script);
    has(script, "'spread (world units)'");
    has_not(script, "'leader'");
    assert_int_equal(system("gnuplot flock.gp >flock.svg"), 0);
}

/* Where a group had no agents, its curve has a gap; a place has no size. */
TEST(groups_come_and_go) {
    const char *script = script_of("step,species,group,x\n0,a,0,1\n0,a,1,300\n5,a,0,2\n10,a,0,3\n15,a,0,4\n15,a,1,302\n"
                                   "20,a,0,5\n20,a,1,303\n",
                                   "");
    has(script, "$column1_0 << EOD\n0 1\n5 2\n10 3\n15 4\n20 5\nEOD\n");
    has(script, "$column1_1 << EOD\n0 300\n10 nan\n15 302\n20 303\nEOD\n");
    has_not(script, "\nset logscale");
    has(script, "'Groups of a'");
}

/* Names that do not fit end with a mark. */
TEST(names_stay_within_the_picture) {
    static char table[4000];
    size_t length = (size_t)snprintf(table, sizeof table, "step,species,a\n");
    for (int step = 0; step < 2; step++)
        for (int s = 0; s < 30; s++)
            length +=
                (size_t)snprintf(table + length, sizeof table - length, "%d,species_of_number_%d,%d\n", step, s, s + step);
    const char *script = script_of(table, "");
    assert_int_equal(count(script, "'…'"), 1);
    for (const char *at = script; (at = strstr(at, " at screen "));) {
        at += strlen(" at screen ");
        assert_true(strtod(at, NULL) < 0.99);
    }
    assert_int_equal(count_curves(script), 30);
}

/* What is missing is named, and what was there stays. */
TEST(gnuplot_may_be_missing) {
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

TEST_FIXTURE(.after_all = empty_own_folder)

int main(void) {
    empty_own_folder(NULL);
    return run_all_tests();
}
