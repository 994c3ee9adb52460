/* SPDX-License-Identifier: MIT */
/*
 * Runs that continue from a checkpoint end as if nothing had stopped them: with the same hash, metrics and trajectory.
 * test_killed.c kills runs.
 */
#include <dunlin/dunlin.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/report/clock.h"
#include "tests/lib/files.h"
#include "tests/lib/program.h"

#define EVERYTHING DUNLIN_TESTS_DIR "/files/everything.yaml"
#define SIMULATION EVERYTHING " --threads 1 --quiet --hash --metrics m.csv --measure displacement,groups "
#define CHECKPOINT "--checkpoint f.ckpt --checkpoint-every "

static bool has_mounts;

/* A file system on which syncing is quick, and a small one. They vanish with this process. */
static int set_up(void **state) {
    if (empty_own_folder(state) != 0) return -1;
    if (mkdir("quick", 0777) != 0 || mkdir("small", 0777) != 0) return -1;
    has_mounts = unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                 mount("none", "quick", "tmpfs", 0, "size=64m") == 0 && mount("none", "small", "tmpfs", 0, "size=96k") == 0;
    if (!has_mounts) puts("this process may not mount anything: full disks are not tested");
    return chdir("quick");
}

static int clean_up(void **state) {
    if (chdir("..") != 0) return -1;
    umount2("quick", MNT_DETACH);
    umount2("small", MNT_DETACH);
    return empty_own_folder(state);
}

static int remove_files(void **state) {
    (void)state;
    return system(EMPTY_OWN_FOLDER("/quick"));
}

/* ---- whole runs -------------------------------------------------------------------------------------------------------- */

static char whole_metrics[OUTPUT];

/* Keeps its metrics, too. */
static uint64_t run_whole(const char *arguments) {
    char all[512];
    snprintf(all, sizeof all, "run %s", arguments);
    expect_success(all);
    read_file("m.csv", whole_metrics);
    remove("m.csv");
    return hash_printed();
}

static void expect_the_same(uint64_t hash, const char *what) {
    static char metrics[OUTPUT];
    read_file("m.csv", metrics);
    if (hash_printed() != hash) fail_msg("%s: another state", what);
    if (strcmp(metrics, whole_metrics) != 0) fail_msg("%s: other metrics", what);
}

/* ---- resuming ---------------------------------------------------------------------------------------------------------- */

TEST(a_run_resumes_with_other_kernels_and_threads) {
    char narrow[64];
    snprintf(narrow, sizeof narrow, "--kernel %s --threads 2", dunlin_kernel_at(1).name);
    const char *const ways[] = {"", "--kernel scalar", "--threads 3", narrow};
    const uint64_t hash = run_whole(SIMULATION "--steps 120");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char arguments[200];
        expect_success("run " SIMULATION "--steps 70 " CHECKPOINT "25");
        snprintf(arguments, sizeof arguments, "resume f.ckpt --steps 120 %s", ways[i]);
        expect_success(arguments);
        expect_the_same(hash, ways[i]);
    }
}

/* FILE.1 is the one before, and what was recorded after it is cut off. */
TEST(the_last_two_checkpoints_are_kept) {
    const uint64_t hash = run_whole(SIMULATION "--steps 90");
    expect_success("run " SIMULATION "--steps 60 " CHECKPOINT "25");
    expect_success("resume f.ckpt.1 --steps 90"); /* of step 50 */
    expect_the_same(hash, "the last but one");
    assert_int_equal(rename("f.ckpt", "f.ckpt.1"), 0);
    expect_success("resume f.ckpt --hash");
    expect_the_same(hash, "the only one");
    if (!strstr(err, "f.ckpt is missing; continuing from f.ckpt.1")) fail_msg("%s", err);
}

/* Nothing is left of rows behind the checkpoint that no row is written over. */
TEST(a_run_may_end_earlier) {
    const uint64_t hash = run_whole(SIMULATION "--steps 52");
    expect_success("run " SIMULATION "--steps 60 " CHECKPOINT "25");
    expect_success("resume f.ckpt.1 --steps 52");
    expect_the_same(hash, "an earlier end");
}

TEST(a_finished_run_only_reports) {
    const uint64_t hash = run_whole(SIMULATION "--steps 30");
    expect_success("run " SIMULATION "--steps 30 " CHECKPOINT "1h");
    expect_success("resume f.ckpt --final s.csv");
    expect_the_same(hash, "a finished run");
    assert_true(is_there("s.csv"));
}

TEST(numbered_files_go_on) {
    static char first[OUTPUT], again[OUTPUT];
    expect_success("run " SIMULATION "--steps 40 --final s.csv --state-every 10");
    read_file("s-30.csv", first);
    remove("s-30.csv");
    expect_success("run " SIMULATION "--steps 25 --final s.csv --state-every 10 " CHECKPOINT "20");
    expect_success("resume f.ckpt --steps 40");
    read_file("s-30.csv", again);
    assert_string_equal(first, again);
}

/* They begin where the whole run began. */
TEST(displacements_go_on) {
    const uint64_t hash = run_whole(SIMULATION "--steps 40 --measure displacement");
    assert_non_null(strstr(whole_metrics, ",mean_squared_displacement\n"));
    expect_success("run " SIMULATION "--steps 25 --measure displacement " CHECKPOINT "10");
    expect_success("resume f.ckpt --steps 40 --threads 2");
    expect_the_same(hash, "displacements");
}

TEST(a_signal_leaves_a_checkpoint) {
    static const char *const arguments[] = {
        "dunlin",  "run",          EVERYTHING,  "--threads",          "1",     "--hash",
        "--quiet", "--steps",      "100000000", "--metrics",          "m.csv", "--metrics-every",
        "7",       "--checkpoint", "f.ckpt",    "--checkpoint-every", "1h",    NULL};
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        const pid_t child = start(arguments);
        wait_until_watched(child);
        usleep(100000);
        end_by(signals[i], child);
        const uint64_t hash = hash_printed();
        read_file("m.csv", whole_metrics);
        expect_success("resume f.ckpt --steps 1");
        expect_the_same(hash, "after a signal");
    }
}

/* What was recorded after the checkpoint is cut off, as after a run that was killed. */
TEST(trajectories_go_on) {
    static const char *const scenarios[] = {EVERYTHING, "ecosystem"};
    for (int i = 0; i < 2; i++) {
        char arguments[300];
        snprintf(arguments, sizeof arguments, "run %s --quiet --threads 1 --steps 40 --trajectory whole.h5", scenarios[i]);
        expect_success(arguments);
        snprintf(arguments, sizeof arguments, "run %s --quiet --threads 1 --steps 20 --trajectory t.h5 --checkpoint f.ckpt",
                 scenarios[i]);
        expect_success(arguments);
        assert_int_equal(system("cp f.ckpt early.ckpt"), 0);
        expect_success("resume f.ckpt --quiet --steps 30");
        assert_int_equal(rename("early.ckpt", "f.ckpt"), 0);
        expect_success("resume f.ckpt --quiet --steps 40");
        expect_success("export whole.h5 --quiet --to csv --output whole.csv");
        expect_success("export t.h5 --quiet --to csv --output t.csv");
        assert_int_equal(system("cmp whole.csv t.csv"), 0);
    }
}

/* ---- what is refused --------------------------------------------------------------------------------------------------- */

TEST(metrics_that_do_not_fit_are_refused) {
    expect_success("run " SIMULATION "--steps 20 " CHECKPOINT "10");
    assert_int_equal(truncate("m.csv", 500), 0);
    EXPECT_FAILURE(1, "resume f.ckpt --steps 30", "m.csv", "shorter than at the checkpoint");
    remove("m.csv");
    EXPECT_FAILURE(1, "resume f.ckpt --steps 30", "m.csv", "shorter than at the checkpoint");
    assert_false(is_there("m.csv"));
    EXPECT_FAILURE(2, "resume f.ckpt --kernel abacus --steps x", "--steps is 'x'");
}

TEST(any_flipped_or_missing_byte_is_refused) {
    static char bytes[OUTPUT];
    expect_success("run default --agents 2 --steps 2 --quiet --threads 1 --checkpoint f.ckpt");
    FILE *file = fopen("f.ckpt", "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, sizeof bytes, file), every = TEST_EFFORT(331, 97, 1);
    fclose(file);
    assert_true(count > 1000 && count < 10000);
    for (size_t at = 0; at < count; at += every) {
        bytes[at] ^= 0x10;
        write_bytes("bad.ckpt", bytes, count);
        bytes[at] ^= 0x10;
        EXPECT_FAILURE(1, "resume bad.ckpt", "bad.ckpt: the ");
        write_bytes("bad.ckpt", bytes, at);
        EXPECT_FAILURE(1, "resume bad.ckpt",
                       at < 8 ? "bad.ckpt: the file is no checkpoint" : "bad.ckpt: the checkpoint is cut short");
    }
    bytes[count] = 'x';
    write_bytes("bad.ckpt", bytes, count + 1);
    EXPECT_FAILURE(1, "resume bad.ckpt", "bad.ckpt: the checkpoint");
}

/* ---- full disks -------------------------------------------------------------------------------------------------------- */

/* The checkpoint grows with the flock until it no longer fits. */
TEST(a_full_disk_ends_the_run_at_once) {
    if (!has_mounts) skip();
    write_file("growing.yaml", "species: [{name: knots, agents: 100, growth: [{per_step: 20}]}]\n");
    run("run growing.yaml --steps 100000 --threads 1 --quiet --checkpoint ../small/f.ckpt --checkpoint-every 1");
    assert_int_equal(status, 1);
    if (!strstr(err, "cannot write ../small/f.ckpt: No space left on device")) fail_msg("%s", err);
    expect_success("resume ../small/f.ckpt --steps 1 --checkpoint other.ckpt --hash");
    assert_int_equal(system("rm -rf '" DUNLIN_TEST_FOLDER "/small/'*"), 0);
}

/* The metrics are on the full disk; the checkpoint is not. */
TEST(metrics_on_a_full_disk_end_the_run_at_once) {
    if (!has_mounts) skip();
    run("run " EVERYTHING " --steps 400 --threads 1 --quiet --metrics ../small/m.csv " CHECKPOINT "10");
    assert_int_equal(status, 1);
    if (!strstr(err, "cannot write ../small/m.csv: No space left on device")) fail_msg("%s", err);
    expect_success("resume f.ckpt --steps 1 --hash");
    assert_int_equal(system("rm -rf '" DUNLIN_TEST_FOLDER "/small/'*"), 0);
}

TEST_FIXTURE(.before_all = set_up, .after_all = clean_up, .after_each = remove_files)
