/* SPDX-License-Identifier: MIT */
/*
 * Files in case of failure: full disks, read-only folders, limits, signals. Each file that the program writes then has its old
 * content or all of the new one, and no other file is left. test_killed.c has what kill -9 leaves.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/files.h"
#include "tests/lib/program.h"

/* ---- files ------------------------------------------------------------------------------------------------------------- */

static void expect_text(const char *path, const char *want) {
    static char text[OUTPUT];
    read_file(path, text);
    if (strcmp(text, want) != 0) fail_msg("%s is no longer what it was", path);
}

/* The name of a temporary file in the folder, of this version or an older one, or NULL; and their number. */
static const char *find_stray(const char *folder, int *count) {
    static char name[256];
    DIR *listed = opendir(folder);
    assert_non_null(listed);
    *count = 0;
    for (struct dirent *entry; (entry = readdir(listed));) {
        if (strncmp(entry->d_name, ".dunlin-", 8) != 0 && !strstr(entry->d_name, ".part")) continue;
        snprintf(name, sizeof name, "%s", entry->d_name);
        ++*count;
    }
    closedir(listed);
    return *count > 0 ? name : NULL;
}

static void expect_no_strays(const char *folder) {
    int count;
    const char *stray = find_stray(folder, &count);
    if (stray) fail_msg("%s is left in %s", stray, folder);
}

static void expect_words(int code, const char *arguments, const char *word, const char *other) {
    if (status != code || !strstr(err, word) || !strstr(err, other))
        fail_msg("dunlin %s: exit %d, not %d with '%s' and '%s': %s", arguments, status, code, word, other, err);
}

/* ---- file systems of our own ------------------------------------------------------------------------------------------- */

/* One file system is small, one is read-only, and on one writing does not wait for a disk. */

#define SIMULATION "run noc_5_09_flock --steps 2 --quiet "

static bool has_mounts;

static bool mount_here(const char *folder, unsigned long flags, const char *options) {
    return mount("none", folder, "tmpfs", flags, options) == 0;
}

/* They belong to this process and its children, and vanish with them. */
static int set_up(void **state) {
    if (empty_own_folder(state) != 0) return -1;
    if (mkdir("small", 0777) != 0 || mkdir("fixed", 0777) != 0 || mkdir("quick", 0777) != 0) return -1;
    has_mounts = unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                 mount_here("small", 0, "size=96k") && mount_here("fixed", 0, "size=64k") && mount_here("quick", 0, "size=16m");
    run(SIMULATION "--trajectory simulation.h5"); /* to be exported */
    if (!has_mounts) puts("this process may not mount anything: full disks and read-only file systems are not tested");
    return 0;
}

static int remove_all(void **state) {
    /* Detached, not unmounted: a simulation that was killed may still hold its folder for a moment. */
    umount2("small", MNT_DETACH);
    umount2("fixed", MNT_DETACH);
    umount2("quick", MNT_DETACH);
    return empty_own_folder(state);
}

/* Until not a byte fits any more. */
static void fill_disk(const char *path) {
    static const char block[4096];
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(file >= 0);
    while (write(file, block, sizeof block) > 0) continue;
    while (write(file, block, 1) > 0) continue;
    close(file);
}

/* ---- every file -------------------------------------------------------------------------------------------------------- */

typedef struct output {
    const char *arguments; /* %s stands for the path */
    const char *name;
    bool is_table; /* to which rows are appended */
} output;

#define BENCH  "bench frame --agents 100 --steps 1 --repeat 1 --kernel scalar,auto "
#define SCALE  "scale --quick --sweep strong --dimensions 2 --agents 500 --threads 1 --steps 1 --repeat 1 "
#define BOUNDS "bench frame --agents 300 --steps 1 --repeat 1 --kernel scalar --dimensions 2 "

static const output outputs[] = {
    {SIMULATION "--final %s", "state.csv", false},
    {SIMULATION "--metrics %s", "metrics.csv", false},
    {"run default --agents 2000 --steps 1 --quiet --picture %s --picture-size 200", "picture.png", false},
    {BENCH "--json %s", "rows.json", false},
    {BENCH "--csv %s", "rows.csv", true},
    {"export simulation.h5 --to csv --output %s", "simulation.csv", false},
    {"export simulation.h5 --to gsd --output %s", "simulation.gsd", false},
    {"bench behaviours --agents 100 --steps 1 --repeat 1 --kernel scalar --json %s", "behaviours.json", false},
};
enum { OUTPUTS = sizeof outputs / sizeof *outputs };

static const char *arguments_of(const output *o, const char *path) {
    static char arguments[512];
    char before[256];
    const char *at = strstr(o->arguments, "%s");
    snprintf(before, sizeof before, "%.*s", (int)(at - o->arguments), o->arguments);
    snprintf(arguments, sizeof arguments, "%s%s%s", before, path, at + 2);
    return arguments;
}

/* What is there before: a table must be one, to be appended to. */
static void write_old(const output *o, const char *path) {
    if (o->is_table)
        expect_success(arguments_of(o, path));
    else
        write_file(path, "old\n");
}

TEST(a_full_device_is_reported) {
    if (access("/dev/full", W_OK) != 0) skip();
    for (int i = 0; i < OUTPUTS; i++) {
        const char *arguments = arguments_of(&outputs[i], "/dev/full");
        run(arguments);
        expect_words(1, arguments, "/dev/full", strerror(ENOSPC));
    }
}

TEST(a_full_disk_leaves_every_file_as_it_was) {
    static char text[OUTPUT];
    char path[64], *before[OUTPUTS];
    if (!has_mounts) skip();
    for (int i = 0; i < OUTPUTS; i++) {
        snprintf(path, sizeof path, "small/%s", outputs[i].name);
        write_old(&outputs[i], path);
        read_file(path, text);
        before[i] = strdup(text);
        assert_non_null(before[i]);
    }
    fill_disk("small/filler");
    for (int i = 0; i < OUTPUTS; i++) {
        snprintf(path, sizeof path, "small/%s", outputs[i].name);
        const char *arguments = arguments_of(&outputs[i], path);
        run(arguments);
        expect_words(1, arguments, path, strerror(ENOSPC));
        expect_text(path, before[i]);
        free(before[i]);
        expect_no_strays("small");
    }
    remove("small/filler");
}

/* Disks that fill while something is measured, and have room again later. */
TEST(a_full_disk_is_reported_by_commands_that_write_a_folder) {
    if (!has_mounts) skip();
    assert_int_equal(system("rm -rf '" DUNLIN_TEST_FOLDER "/small/'*"), 0);
    static const char *const arguments[] = {
        SCALE "--no-plots --output small/scale",
        BOUNDS "--output small/roofline",
    };
    for (int i = 0; i < 2; i++) {
        fill_disk("small/filler");
        run(arguments[i]);
        expect_words(1, arguments[i], "small/", strerror(ENOSPC));
        remove("small/filler");
    }
}

/* Gnuplot, on a disk that gets full, leaves the beginning of a picture and says nothing. */
TEST(half_a_picture_is_not_kept) {
    if (!has_mounts || system("gnuplot --version >out.txt 2>&1") != 0) skip();
    assert_int_equal(system("rm -rf '" DUNLIN_TEST_FOLDER "/small/'* && head -c 61440 /dev/zero >small/filler"), 0);
    run(SCALE "--output small/scale");
    assert_non_null(strstr(err, "gnuplot could not draw small/scale/plots/strong_speedup.gp"));
    assert_int_equal(system("cd small/scale/plots && for f in *.svg; do tail -c 16 $f | grep -q '</svg>' || exit 1; done"), 0);
    assert_int_equal(system("cd small/scale/plots && test ! -e strong_speedup.png"), 0);
    assert_int_equal(system("rm -rf '" DUNLIN_TEST_FOLDER "/small/'*"), 0);
}

/* Beyond the largest size that a file may have: SIGXFSZ would end the program. */
TEST(a_limit_on_sizes_is_reported) {
    for (int i = 0; i < OUTPUTS; i++) {
        if (strcmp(outputs[i].name, "metrics.csv") == 0) continue; /* see below */
        if (!outputs[i].is_table) write_old(&outputs[i], outputs[i].name);
        const char *arguments = arguments_of(&outputs[i], outputs[i].name);
        run_in("ulimit -f 2; OMP_PROC_BIND=false", arguments); /* 1024 or 2048 bytes: LLVM's OpenMP has a file of 1024 */
        expect_words(1, arguments, outputs[i].name, strerror(EFBIG));
        if (!outputs[i].is_table)
            expect_text(outputs[i].name, "old\n");
        else
            assert_int_not_equal(access(outputs[i].name, F_OK), 0);
        expect_no_strays(".");
    }
}

/* It ends long before the last of these steps. */
TEST(metrics_that_do_not_fit_end_the_simulation) {
    const char *arguments = "run noc_5_09_flock --steps 1000000000 --quiet --metrics metrics.csv";
    write_file("metrics.csv", "old\n");
    run_in("ulimit -f 100; OMP_PROC_BIND=false", arguments);
    expect_words(1, arguments, "metrics.csv", strerror(EFBIG));
    expect_text("metrics.csv", "old\n");
}

/* Far too many steps to wait for. */
TEST(read_only_outputs_are_found_before_the_first_step) {
    char arguments[256];
    static const char *const options[] = {"run noc_5_09_flock --steps 1000000000 --final",
                                          "run default --steps 1000000000 --metrics",
                                          "run default --steps 1000000000 --picture",
                                          "bench frame --repeat 1000 --json",
                                          "bench frame --repeat 1000 --csv",
                                          "bench behaviours --json",
                                          "bench frame --repeat 1000 --output",
                                          "scale --output",
                                          "scale --csv"};
    if (!has_mounts) skip();
    write_file("fixed/old", "old\n");
    assert_int_equal(mount("none", "fixed", NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        snprintf(arguments, sizeof arguments, "%s fixed/new", options[i]);
        run(arguments);
        expect_words(1, arguments, "fixed/new", strerror(EROFS));
    }
    for (int i = 0; i < 6; i++) {
        snprintf(arguments, sizeof arguments, "%s fixed/old", options[i]);
        run(arguments);
        expect_words(1, arguments, "fixed/old", strerror(EROFS));
    }
}

/* ---- names and links ----------------------------------------------------------------------------------------------------- */

/* Left by an earlier process that was killed and had the same id: in a container that is always 1. */
TEST(files_of_a_killed_run_block_nothing) {
    int ended;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char name[64];
        snprintf(name, sizeof name, "state.csv.%ld.part", (long)getpid());
        write_file(name, "");
        execl(DUNLIN_PROGRAM, "dunlin", "run", "noc_5_09_flock", "--steps", "1", "--quiet", "--final", "state.csv", NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
    assert_int_equal(system("rm -f state.csv.*.part"), 0);
}

TEST(names_may_be_long) {
    static const char *const options[] = {"final", "metrics", "picture"};
    char name[251], arguments[512];
    for (int i = 0; i < 3; i++) {
        memset(name, 'a' + i, 250);
        name[250] = '\0';
        snprintf(arguments, sizeof arguments, SIMULATION "--%s %s", options[i], name);
        expect_success(arguments);
        expect_success(arguments);
        assert_int_equal(access(name, F_OK), 0);
    }
}

TEST(links_and_modes_stay) {
    struct stat kept;
    write_file("real.csv", "old\n");
    assert_int_equal(chmod("real.csv", 0604), 0);
    assert_int_equal(symlink("real.csv", "link.csv"), 0);
    expect_success(SIMULATION "--metrics link.csv");
    assert_int_equal(lstat("link.csv", &kept), 0);
    assert_true(S_ISLNK(kept.st_mode));
    assert_int_equal(lstat("real.csv", &kept), 0);
    assert_int_equal(kept.st_mode, S_IFREG | 0604);
    assert_int_not_equal(kept.st_size, 4);
}

/* ---- signals ----------------------------------------------------------------------------------------------------------- */

static const char *const endless[] = {"dunlin",  "run",       "noc_5_09_flock", "--steps",     "1000000000", "--quiet",
                                      "--final", "state.csv", "--metrics",      "metrics.csv", NULL};

/* As nohup expects, and a shell that starts a program in the background of a script. */
TEST(ignored_signals_stay_ignored) {
    static const int signals[] = {SIGHUP, SIGINT};
    for (int i = 0; i < 2; i++) {
        signal(signals[i], SIG_IGN);
        const pid_t child = start(endless);
        signal(signals[i], SIG_DFL);
        wait_until_watched(child);
        assert_int_equal(kill(child, signals[i]), 0);
        usleep(100000);
        assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
        end_by(SIGTERM, child);
    }
}

/* timeout(1) sends its signal twice. That does not ask to end at once, and the simulation is saved. */
TEST(an_echo_of_a_signal_saves_the_simulation) {
    for (int i = 0; i < 10; i++) {
        remove("state.csv");
        const pid_t child = start(endless);
        wait_until_watched(child);
        assert_int_equal(kill(child, SIGTERM), 0);
        usleep((useconds_t)(20 * i));
        assert_true(kill(child, SIGTERM) == 0);
        end_by(SIGTERM, child);
        assert_int_equal(access("state.csv", F_OK), 0);
    }
}

static void wait_until_said(const char *word) {
    for (int waited = 0; waited < 3000; waited++) {
        read_file("err.txt", err);
        if (strstr(err, word)) return;
        usleep(10000);
    }
    fail_msg("'%s' is not said by: %s", word, err);
}

/* A closing terminal sends more than one SIGHUP. The program waits here for a reader, so that the second one finds it at work.
 */
TEST(more_hangups_save_the_simulation) {
    static const char *const slow[] = {"dunlin",  "run",       "noc_5_09_flock", "--steps",   "1000000000",
                                       "--final", "state.csv", "--metrics",      "slow.fifo", NULL};
    char bytes[4096];
    int held = 0, before = -1;
    remove("state.csv");
    write_file("err.txt", "");
    assert_int_equal(mkfifo("slow.fifo", 0600), 0);
    const int reader = open("slow.fifo", O_RDONLY | O_NONBLOCK);
    const pid_t child = start(slow);
    for (int waited = 0; (held == 0 || held != before) && waited < 3000; waited++) {
        before = held;
        usleep(200000);
        assert_int_equal(ioctl(reader, FIONREAD, &held), 0);
    }
    assert_int_equal(kill(child, SIGHUP), 0);
    wait_until_said("stopping after this step");
    usleep(300000); /* earlier, it would count as an echo */
    assert_int_equal(kill(child, SIGHUP), 0);
    assert_int_equal(fcntl(reader, F_SETFL, 0), 0);
    while (read(reader, bytes, sizeof bytes) > 0) continue;
    close(reader);
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 128 + SIGHUP);
    expect_success("run noc_5_09_flock --init state.csv --steps 1 --quiet");
}

#define INTO_THE_STEP                                                                                                          \
    1 /* seconds on processors: before the first step it takes a fifth of that, and the step itself takes many */

/* A signal before the first step would end the run in order. */
static void wait_until_it_steps(pid_t child) {
    clockid_t clock;
    struct timespec used = {0, 0};
    for (int waited = 0; waited < 6000 && used.tv_sec < INTO_THE_STEP; waited++) {
        usleep(10000);
        assert_int_equal(clock_getcpuclockid(child, &clock), 0);
        assert_int_equal(clock_gettime(clock, &used), 0);
    }
    assert_true(used.tv_sec >= INTO_THE_STEP);
}

/* All agents begin at one point: every agent sees every other, and the first step takes seconds. */
static const char *const crowd[] = {"dunlin",    "run",         DUNLIN_SCENARIOS_DIR "/noc_5_09_flock.yaml",
                                    "--agents",  "300000",      "--steps",
                                    "1000000",   "--quiet",     "--final",
                                    "state.csv", "--metrics",   "metrics.csv",
                                    "--picture", "picture.png", NULL};

/* Returns the signal by which it ended, or 0. */
static int end_twice(pid_t child, int first, int second) {
    int ended;
    wait_until_it_steps(child);
    assert_int_equal(kill(child, first), 0);
    wait_until_said("stopping after this step; a second signal stops it at once");
    usleep(300000); /* earlier, it would count as an echo */
    assert_int_equal(kill(child, second), 0);
    assert_int_equal(waitpid(child, &ended, 0), child);
    return WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
}

TEST(a_second_signal_ends_a_long_step) {
    static const int signals[][2] = {{SIGINT, SIGINT}, {SIGTERM, SIGINT}, {SIGHUP, SIGTERM}, {SIGINT, SIGQUIT}};
    static const char *const files[] = {"state.csv", "metrics.csv", "picture.png"};
    for (int i = 0; i < 3; i++) write_file(files[i], "old\n");
    for (int i = 0; i < 4; i++) {
        write_file("err.txt", "");
        assert_int_equal(end_twice(start(crowd), signals[i][0], signals[i][1]), signals[i][1]);
    }
    for (int i = 0; i < 3; i++) expect_text(files[i], "old\n");
    expect_no_strays(".");
}

/* Where files cannot be without a name, as without /proc, the handler removes temporary files. */
TEST(a_second_signal_removes_files_with_names) {
    int ended, count = 0;
    if (!has_mounts) skip();
    write_file("err.txt", "");
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const bool is_ready = unshare(CLONE_NEWNS) == 0 && mount_here("/proc", 0, "size=4k") && freopen("err.txt", "w", stderr);
        setenv("OMP_PROC_BIND", "false", 1);
        if (is_ready) execv(DUNLIN_PROGRAM, (char *const *)crowd);
        _exit(127);
    }
    for (int waited = 0; count < 3; waited++) {
        find_stray(".", &count);
        if (waitpid(child, &ended, WNOHANG) != 0 || waited > 3000) fail_msg("there are %d temporary files", count);
        usleep(10000);
    }
    assert_int_equal(end_twice(child, SIGINT, SIGINT), SIGINT);
    expect_no_strays(".");
}

/* A reader that goes away ends a run as it ends other programs; files are still written. */
TEST(a_closed_pipe_ends_a_run_without_a_message) {
    int ends[2], ended;
    remove("metrics.csv");
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (dup2(ends[1], STDOUT_FILENO) >= 0 && freopen("err.txt", "w", stderr))
            execl(DUNLIN_PROGRAM, "dunlin", "run", "noc_5_09_flock", "--steps", "2", "--metrics", "metrics.csv", NULL);
        _exit(127);
    }
    close(ends[1]);
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 128 + SIGPIPE);
    read_file("err.txt", err);
    assert_null(strstr(err, "standard output"));
    assert_int_equal(access("metrics.csv", F_OK), 0);
}

TEST_FIXTURE(.before_all = set_up, .after_all = remove_all)
