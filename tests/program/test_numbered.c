/* SPDX-License-Identifier: MIT */
/* dunlin run --state-every, --metrics-every and --picture-every: the files of a step are those of a run that ends there. */
#include <unistd.h>

#include "tests/lib/files.h"
#include "tests/lib/program.h"

#define SIMULATION "run noc_5_09_flock --quiet "

static char want[OUTPUT], got[OUTPUT];

static int clean_up(void **state) {
    (void)state;
    return system("rm -rf numbered && mkdir numbered") == 0 ? 0 : -1;
}

static void expect_same(const char *path, const char *other) {
    const size_t length = read_text_file(path, want, sizeof want);
    assert_true(length > 100 && length + 1 < sizeof want);
    if (read_text_file(other, got, sizeof got) != length || memcmp(want, got, length) != 0)
        fail_msg("%s is not %s", other, path);
}

/* The files of a folder in order, in `out`. */
static void list(const char *folder) {
    char command[128];
    snprintf(command, sizeof command, "ls %s >out.txt", folder);
    assert_int_equal(system(command), 0);
    read_file("out.txt", out);
}

TEST(numbered_files_are_those_of_shorter_runs) {
    char arguments[256], path[64];
    expect_success(SIMULATION "--steps 100 --final numbered/s.csv --state-every 50 --picture numbered/p --picture-every 40 "
                              "--picture-size 90");
    list("numbered");
    assert_string_equal(out, "p\np-000\np-040\np-080\ns-000.csv\ns-050.csv\ns-100.csv\ns.csv\n");
    expect_same("numbered/s.csv", "numbered/s-100.csv");
    for (int step = 0; step <= 50; step += 50) {
        snprintf(arguments, sizeof arguments, SIMULATION "--steps %d --final numbered/short.csv", step);
        snprintf(path, sizeof path, "numbered/s-%03d.csv", step);
        expect_success(arguments);
        expect_same("numbered/short.csv", path);
    }
    expect_success(SIMULATION "--steps 40 --picture numbered/short.png --picture-size 90");
    expect_same("numbered/short.png", "numbered/p-040");
}

/* A simulation that continues from a state keeps counting. */
TEST(numbers_are_those_of_the_simulations_steps) {
    expect_success(SIMULATION "--steps 7 --final numbered/half.csv");
    expect_success(SIMULATION "--steps 5 --init numbered/half.csv --final numbered/s --state-every 4");
    list("numbered");
    assert_string_equal(out, "half.csv\ns\ns-08\ns-12\n");
    expect_same("numbered/s", "numbered/s-12");
}

TEST(metrics_of_every_nth_step_are_some_of_all) {
    expect_success(SIMULATION "--steps 25 --metrics numbered/all.csv");
    expect_success(SIMULATION "--steps 25 --metrics numbered/some.csv --metrics-every 10");
    read_file("numbered/all.csv", want);
    read_file("numbered/some.csv", got);
    char *at = want, *to = out;
    for (int line = 0; *at != '\0'; line++) { /* the heads, then a row per step */
        char *end = strchr(at, '\n') + 1;
        if (line == 0 || (line - 1) % 10 == 0) to = mempcpy(to, at, (size_t)(end - at));
        at = end;
    }
    *to = '\0';
    assert_string_equal(got, out);
    assert_non_null(strstr(got, "\n20,"));
}

/* The rows of the fish: their mean velocity is their bodies'. A run that continues from a checkpoint continues the table. */
TEST(groups_are_tables) {
    const char *const run = "run fish_of_fish --quiet --threads 1 --agents 600 --groups numbered/g.csv --groups-every 2 ";
    char arguments[256];
    snprintf(arguments, sizeof arguments, "%s--steps 4 --final numbered/s.csv", run);
    expect_success(arguments);
    const size_t length = read_text_file("numbered/g.csv", want, sizeof want);
    assert_true(length > 0 && length + 1 < sizeof want);
    assert_non_null(strstr(want, "step,species,group,agents,leader,x,y,vx,vy,spread,polarization\n0,minnows,0,10,0,"));
    assert_non_null(strstr(want, "\n2,minnows,59,10,59,"));
    assert_non_null(strstr(want, "\n4,fish,3,15,"));
    assert_null(strstr(want, "\n1,"));
    assert_null(strstr(want, "whales"));
    snprintf(arguments, sizeof arguments, "%s--steps 4 --checkpoint numbered/c --checkpoint-every 3", run);
    expect_success(arguments);
    expect_success("resume numbered/c.1 --quiet");
    read_text_file("numbered/g.csv", got, sizeof got);
    assert_string_equal(got, want);
}

TEST_FIXTURE(.before_each = clean_up, .after_each = clean_up)
