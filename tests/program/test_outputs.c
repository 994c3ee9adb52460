/* SPDX-License-Identifier: MIT */
/*
 * Files of a command beside each other: no output replaces what the command reads, two outputs never share a name, two
 * processes never write one file, and an output that fails costs no other.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/files.h"
#include "tests/lib/program.h"

static const char tank[] = "world: {size: [40, 30]}\n"
                           "species:\n"
                           "  - {name: fish, agents: 30, groups: 3, attributes: [{role: group, in_turn: [0, 2]}]}\n"
                           "fields: [{name: table, cells: [2, 1], csv: {file: table.csv}}]\n";

static const char study[] = "scenario: tank.yaml\nsteps: 2\nseeds: 1\nparameters: [{path: species.fish.agents, values: "
                            "[10]}]\nmeasure: [{metric: polarization, window: {last: 1}}]\n";

static bool has_mounts;

static int set_up(void **state) {
    if (empty_own_folder(state) != 0) return -1;
    if (mkdir("small", 0777) != 0 || mkdir("fake", 0777) != 0) return -1;
    has_mounts = unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                 mount("none", "small", "tmpfs", 0, "size=512k") == 0;
    write_file("tank.yaml", tank);
    write_file("study.yaml", study);
    write_file("table.csv", "vx,vy\n0.1,0\n0,0.1\n");
    expect_success("run tank.yaml --quiet --steps 2 --final half.csv --metrics metrics.csv --trajectory simulation.h5 "
                   "--picture hill.png --checkpoint saved");
    if (symlink("half.csv", "link.csv") != 0 || link("half.csv", "hard.csv") != 0) return -1;
    return 0;
}

static int clean_up(void **state) {
    umount2("small", MNT_DETACH);
    return empty_own_folder(state);
}

static void expect_refused(const char *arguments, const char *word) {
    char *before = list_folder();
    run(arguments);
    if (status != 1 || !strstr(err, "cannot write ") || !strstr(err, word))
        fail_msg("dunlin %s: exit %d, without '%s': %s", arguments, status, word, err);
    char *after = list_folder();
    if (strcmp(before, after) != 0) fail_msg("dunlin %s has changed files from\n%s\nto\n%s", arguments, before, after);
    free(before);
    free(after);
}

/* ---- options ----------------------------------------------------------------------------------------------------------- */

enum { MOST_OPTIONS = 16, MOST_INPUTS = 6 };

typedef struct output_option {
    char name[40], ending[8]; /* ending: of a file that it takes */
} output_option;

/* A command with all that it reads. */
typedef struct subject {
    const char *name, *arguments;
    const char *inputs[MOST_INPUTS];
    const char *own; /* the input that --checkpoint may replace */
} subject;

static const subject subjects[] = {
    {"run", "run tank.yaml --init half.csv --steps 1 --quiet --measure groups=2", {"tank.yaml", "half.csv", "table.csv"}, ""},
    {"run", "run tank.yaml --init simulation.h5@1 --steps 1 --quiet --measure groups=2", {"simulation.h5"}, ""},
    {"run", "run - --init /dev/stdin --steps 1 --quiet --measure groups=2 <tank.yaml", {"tank.yaml"}, ""},
    {"resume", "resume saved --quiet", {"saved"}, "saved"},
    {"export", "export simulation.h5 --to csv --quiet", {"simulation.h5"}, ""},
    {"plot", "plot metrics.csv", {"metrics.csv"}, ""},
    {"bench frame", "bench frame --agents 10 --steps 1 --repeat 1 --kernel scalar --quiet", {NULL}, ""},
    {"scale", "scale --quick --quiet --agents 500 --threads 1 --steps 1 --repeat 1 --sweep strong --dimensions 2", {NULL}, ""},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static const char *ending_of(const char *name, const char *value) {
    if (strcmp(name, "film") == 0) return ".mp4";
    if (strcmp(value, "FILE") == 0) return strcmp(name, "output") == 0 ? ".svg" : "";
    return strchr(value, '.');
}

/* The options of a command that name a file to write, as its help lists them: so that none is forgotten. */
static int list_outputs(const char *command, output_option options[MOST_OPTIONS]) {
    char arguments[80], name[40], value[40];
    int count = 0;
    snprintf(arguments, sizeof arguments, "%s --help", command);
    expect_success(arguments);
    for (const char *at = out; (at = strstr(at, "\n  --")); at++) {
        if (sscanf(at, "\n  --%39[a-z-]=%39s", name, value) != 2) continue;
        if (strncmp(value, "FILE", 4) != 0 && strncmp(value, "STATE.", 6) != 0) continue;
        assert_true(count < MOST_OPTIONS);
        snprintf(options[count].name, sizeof options->name, "%s", name);
        snprintf(options[count++].ending, sizeof options->ending, "%s", ending_of(name, value));
    }
    return count;
}

/* The option with a link to the file, which has the ending that it wants. */
static void add_option(char *arguments, size_t size, const output_option *option, const char *file) {
    char link[48];
    const size_t length = strlen(arguments);
    snprintf(link, sizeof link, "to-%.20s%s", file, option->ending);
    remove(link);
    assert_int_equal(symlink(file, link), 0);
    snprintf(arguments + length, size - length, " --%.39s %.40s", option->name, link);
}

static void remove_links(void) {
    assert_int_equal(system("rm -f to-*"), 0);
}

TEST(no_output_replaces_an_input) {
    int tested = 0;
    for (int s = 0; s < SUBJECTS; s++) {
        output_option options[MOST_OPTIONS];
        const int count = list_outputs(subjects[s].name, options);
        assert_true(count > 0);
        for (int o = 0; o < count; o++) {
            for (int i = 0; i < MOST_INPUTS && subjects[s].inputs[i]; i++) {
                char arguments[512];
                if (strcmp(subjects[s].own, subjects[s].inputs[i]) == 0 && strcmp(options[o].name, "checkpoint") == 0) continue;
                snprintf(arguments, sizeof arguments, "%.300s", subjects[s].arguments);
                add_option(arguments, sizeof arguments, &options[o], subjects[s].inputs[i]);
                expect_refused(arguments, "which this command reads");
                tested++;
            }
        }
        remove_links();
    }
    assert_true(tested > 40);
}

/* The second name is a link to the first, which is not there yet. */
TEST(no_two_outputs_share_a_name) {
    int tested = 0;
    for (int s = 0; s < SUBJECTS; s++) {
        output_option options[MOST_OPTIONS];
        const int count = list_outputs(subjects[s].name, options);
        for (int a = 0; a < count; a++) {
            for (int b = a + 1; b < count; b++) {
                char arguments[512];
                snprintf(arguments, sizeof arguments, "%.300s --%.39s new%.7s", subjects[s].arguments, options[a].name,
                         options[a].ending);
                const char *file = strrchr(arguments, ' ') + 1;
                char name[16];
                snprintf(name, sizeof name, "%s", file);
                add_option(arguments, sizeof arguments, &options[b], name);
                expect_refused(arguments, "another output has the same file");
                tested++;
            }
        }
        remove_links();
    }
    assert_true(tested > 50);
}

/* ---- two processes ----------------------------------------------------------------------------------------------------- */

/* Until it has taken its first step, by when all its files are open. */
static pid_t begin(const char *const arguments[]) {
    const pid_t child = start(arguments);
    wait_until_watched(child);
    return child;
}

#define ENDLESS "dunlin", "run", "tank.yaml", "--quiet", "--steps", "1000000000"

static void expect_locked(const char *arguments, pid_t by) {
    char word[140], host[80] = "";
    gethostname(host, sizeof host - 1);
    snprintf(word, sizeof word, "process %ld on %s is writing it", (long)by, host);
    run(arguments);
    if (status != 1 || !strstr(err, word)) fail_msg("dunlin %s: exit %d without '%s': %s", arguments, status, word, err);
}

static int count_locks(void) {
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) count += strstr(entry->d_name, ".lock") != NULL;
    closedir(folder);
    return count;
}

/* Every kind of file, by its own name and by a link. The end removes the locks. */
TEST(a_file_has_one_writer) {
    static const char *const mine[] = {ENDLESS,     "--final", "a.csv",        "--metrics", "b.csv",        "--groups", "c.csv",
                                       "--picture", "d.png",   "--trajectory", "e.h5",      "--checkpoint", "f",        NULL};
    static const char *const others[] = {
        "run tank.yaml --quiet --steps 1 --final a.csv",
        "run tank.yaml --quiet --steps 1 --metrics b.csv",
        "run tank.yaml --quiet --steps 1 --metrics link-to-b",
        "run tank.yaml --quiet --steps 1 --final b.csv",
        "run tank.yaml --quiet --steps 1 --metrics c.csv",
        "run tank.yaml --quiet --steps 1 --picture ./d.png",
        "run tank.yaml --quiet --steps 1 --trajectory e.h5",
        "run tank.yaml --quiet --steps 1 --trajectory e.hdf5",
        "run tank.yaml --quiet --steps 1 --checkpoint f",
        "run tank.yaml --quiet --steps 1 --final f.1",
        "resume f --quiet --steps 1",
        "export simulation.h5 --to csv --quiet --output a.csv",
        "plot metrics.csv --output d.png",
        "bench frame --agents 10 --steps 1 --repeat 1 --json a.csv",
    };
    symlink("b.csv", "link-to-b");
    const pid_t child = begin(mine);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) expect_locked(others[i], child);
    assert_true(count_locks() > 5);
    end_by(SIGTERM, child);
    assert_int_equal(count_locks(), 0);
    expect_success("run tank.yaml --quiet --steps 1 --final a.csv");
}

/* What a killed process leaves keeps no other out. */
TEST(a_lock_ends_with_its_process) {
    static const char *const mine[] = {ENDLESS, "--final", "a.csv", "--metrics", "b.csv", NULL};
    const pid_t child = begin(mine);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(count_locks(), 2);
    expect_success("run tank.yaml --quiet --steps 1 --final a.csv");
    assert_int_equal(count_locks(), 1);
    assert_int_equal(remove(".b.csv.lock"), 0);
}

/* A file that stays open is guarded under all of its names. */
TEST(another_name_of_an_open_file_is_no_way_in) {
    static const char *const mine[] = {ENDLESS, "--metrics", "a.csv", "--trajectory", "e.h5", "--checkpoint", "f", NULL};
    expect_success("run tank.yaml --quiet --steps 4 --metrics a.csv --trajectory e.h5 --checkpoint f");
    expect_success("run tank.yaml --quiet --steps 4 --metrics b.csv --trajectory g.h5 --checkpoint h");
    const pid_t child = begin(mine);
    wait_until(child, is_there, "e.h5");
    assert_int_equal(system("cp b.csv saved.csv && ln -f a.csv b.csv"), 0);
    EXPECT_FAILURE(1, "resume h --quiet --steps 5", "b.csv", "another process is writing it");
    assert_int_equal(system("mv saved.csv b.csv && ln -f e.h5 g.h5"), 0);
    EXPECT_FAILURE(1, "resume h --quiet --steps 5", "another process is writing it");
    end_by(SIGTERM, child);
}

/* Many begin at once, and each ends at once or has the file to itself. */
TEST(of_many_that_begin_at_once_one_writes) {
    enum { MANY = 6, ROUNDS = TEST_EFFORT(2, 3, 8) };
    static const char *const mine[] = {"dunlin", "run", "tank.yaml", "--quiet", "--steps", "3", "--final", "a.csv", NULL};
    for (int round = 0; round < ROUNDS; round++) {
        pid_t child[MANY];
        int done = 0, refused = 0, ended;
        for (int i = 0; i < MANY; i++) child[i] = start(mine);
        for (int i = 0; i < MANY; i++) {
            assert_int_equal(waitpid(child[i], &ended, 0), child[i]);
            assert_true(WIFEXITED(ended));
            done += WEXITSTATUS(ended) == 0;
            refused += WEXITSTATUS(ended) == 1;
        }
        assert_true(done >= 1 && done + refused == MANY);
        assert_int_equal(count_locks(), 0);
    }
    static const char *const endless[] = {ENDLESS, "--final", "a.csv", NULL};
    pid_t child[MANY], left = 0;
    int alive = MANY;
    for (int i = 0; i < MANY; i++) child[i] = start(endless);
    for (int waited = 0; alive > 1 && waited < 6000; waited++) {
        if (waitpid(-1, NULL, WNOHANG) > 0) alive--;
        usleep(10000);
    }
    assert_int_equal(alive, 1);
    for (int i = 0; i < MANY; i++)
        if (kill(child[i], 0) == 0) left = child[i];
    wait_until_watched(left);
    assert_int_equal(count_locks(), 1);
    assert_int_equal(kill(left, SIGTERM), 0);
    assert_int_equal(waitpid(left, NULL, 0), left);
    assert_int_equal(count_locks(), 0);
}

/* A folder in which nothing can be made has no locks, and its files are written all the same; what a command may not write it
 * does not lock. */
TEST(without_a_lock_the_run_goes_on) {
    expect_success("run tank.yaml --quiet --steps 1 --final /dev/null --metrics /dev/null --groups /dev/null");
    assert_int_equal(count_locks(), 0);
    assert_int_equal(mkdir(".a.csv.lock", 0777), 0);
    expect_success("run tank.yaml --quiet --steps 1 --final a.csv");
    assert_int_equal(rmdir(".a.csv.lock"), 0);
}

/* ---- failures ---------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *option, *name, *bad; /* bad: a place where it fails */
} all[] = {
    {"final", "s.csv", "/dev/full"},   {"curves", "c.csv", "/dev/full"}, {"picture", "p.png", "/dev/full"},
    {"metrics", "m.csv", "/dev/full"}, {"groups", "g.csv", "/dev/full"}, {"trajectory", "t.h5", "small/t.h5"},
    {"film", "f.mp4", "f.mp4"},
};
enum { ALL = sizeof all / sizeof *all, FILM = ALL - 1, TRAJECTORY = ALL - 2 };

/* ffmpeg ends early, or takes everything. */
static void write_fake(bool fails) {
    write_file("fake/ffmpeg", fails ? "#!/bin/sh\nhead -c 2000000 >/dev/null\nexit 3\n"
                                    : "#!/bin/sh\nls -l /proc/self/fd >fds\ncat >/dev/null\necho film >&3\n");
    assert_int_equal(chmod("fake/ffmpeg", 0755), 0);
}

static uint64_t last_step_of_metrics(void) {
    static char text[OUTPUT];
    uint64_t step = 0;
    read_file("m.csv", text);
    for (const char *line = text; (line = strchr(line, '\n')) && line[1]; line++) step = strtoull(line + 1, NULL, 10);
    return step;
}

static uint64_t step_of_state(void) {
    static char text[OUTPUT];
    read_file("s.csv", text);
    const char *line = strstr(text, "# step ");
    return line ? strtoull(line + 7, NULL, 10) : UINT64_MAX;
}

static void expect_whole(int o) {
    if (!is_there(all[o].name)) fail_msg("%s is missing: %s", all[o].name, err);
    if (strcmp(all[o].option, "trajectory") == 0) expect_success("export t.h5 --to csv --quiet --output t.csv");
    if (strcmp(all[o].option, "final") == 0) expect_success("run tank.yaml --init s.csv --quiet --steps 0");
    if (strcmp(all[o].option, "picture") == 0) assert_int_equal(system("tail -c 8 p.png | grep -q IEND"), 0);
    if (o == FILM) assert_int_equal(system("grep -q pipe: fds && ! grep '[.]lock' fds"), 0);
}

static void fail_one(int bad) {
    char arguments[600] = "run tank.yaml --quiet --steps 150 --measure groups=2 --size 160x120 --picture-size 100";
    assert_int_equal(system("rm -f [sctmgpf].* fds"), 0);
    for (int o = 0; o < ALL; o++) {
        const size_t length = strlen(arguments);
        snprintf(arguments + length, sizeof arguments - length, " --%s %s", all[o].option, o == bad ? all[o].bad : all[o].name);
    }
    write_fake(bad == FILM);
    run_in("PATH=$PWD/fake:$PATH OMP_PROC_BIND=false", arguments);
    if (status != 1 || !strstr(err, all[bad].bad)) fail_msg("dunlin %s: exit %d: %s", arguments, status, err);
    for (int o = 0; o < ALL; o++)
        if (o != bad) expect_whole(o);
    if (bad > 0 && strcmp(all[bad].option, "metrics") != 0) assert_int_equal(step_of_state(), last_step_of_metrics());
}

/* A run whose output fails ends with status 1 after its step, and all others have what they would have after as many. ffmpeg,
 * which may outlive a killed run, keeps no lock. */
TEST(an_output_that_fails_costs_no_other) {
    if (access("/dev/full", W_OK) != 0) skip();
    for (int bad = 0; bad < ALL; bad++)
        if (bad != TRAJECTORY || has_mounts) fail_one(bad);
}

/* An output that checkpoints need leaves the last one from before, which continues to what there would have been. */
TEST(a_failed_output_leaves_the_last_checkpoint) {
    static const struct {
        const char *output;
        int steps, limit; /* limit: of a file, in blocks */
    } failures[] = {{"--metrics m.csv", 900, 60}, {"--groups m.csv", 900, 60}, {"--trajectory t.h5", 100, 5000}};
    char arguments[200], limit[80];
    for (int i = 0; i < 3; i++) {
        const char *output = failures[i].output;
        snprintf(limit, sizeof limit, "trap '' XFSZ; ulimit -f %d; OMP_PROC_BIND=false", failures[i].limit);
        snprintf(arguments, sizeof arguments,
                 "run tank.yaml --quiet --steps %d --measure groups=2 --final s.csv --checkpoint k --checkpoint-every 35 %s",
                 failures[i].steps, output);
        assert_int_equal(system("rm -f [mt].* k k.1 whole.*"), 0);
        expect_success(arguments);
        assert_int_equal(system("for f in [smt].csv t.h5; do test ! -f $f || mv $f whole.$f; done; rm k k.1"), 0);
        run_in(limit, arguments);
        if (status != 1 || !strstr(err, strchr(output, ' ') + 1)) fail_msg("dunlin %s: exit %d: %s", arguments, status, err);
        expect_success("resume k --quiet");
        if (is_there("t.h5")) {
            expect_success("export t.h5 --to csv --quiet --output t.csv");
            expect_success("export whole.t.h5 --to csv --quiet --output whole.t.csv");
        }
        assert_int_equal(system("for f in [smt].csv; do test ! -f $f || cmp $f whole.$f || exit 1; done"), 0);
    }
}

/* Of a run that its own steps end, the files are those of the last one. Here the ids run out. */
TEST(a_step_that_fails_costs_no_output) {
    assert_int_equal(system("rm -f [sctmgpf].* k k.1; sed 's/groups: 3,/& growth: [{per_step: 1}],/' "
                            "tank.yaml >grow.yaml; sed 's/^# step .*/# step 0\\n# next_id 4294967285/' half.csv >late.csv"),
                     0);
    EXPECT_FAILURE(1,
                   "run grow.yaml --init late.csv --quiet --steps 50 --final s.csv --metrics m.csv --trajectory t.h5 "
                   "--curves c.csv --picture p.png --measure groups=2 --groups g.csv --checkpoint k --checkpoint-every 4",
                   "0 ids are left");
    for (int o = 0; o < FILM; o++) expect_whole(o);
    assert_int_equal(step_of_state(), 10);
    assert_int_equal(last_step_of_metrics(), 10);
    EXPECT_FAILURE(1, "resume k --quiet --final s.csv", "0 ids are left");
    assert_int_equal(step_of_state(), 10);
}

/* The files do not depend on signals either. */
TEST(interrupted_calls_go_on) {
    static const char run[] = "run tank.yaml --quiet --steps 20 --final s.csv --metrics m.csv --trajectory t.h5 --checkpoint k "
                              "--checkpoint-every 7";
    static const char environment[] =
        "ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 LD_PRELOAD='" DUNLIN_INTERRUPTING "' OMP_PROC_BIND=false";
    static const char *const commands[] = {run, "resume k --quiet --steps 30", "export t.h5 --to csv --quiet --output t.csv",
                                           "sweep study.yaml --quiet --output swept"};
    assert_int_equal(system("rm -rf [smt].* k k.1 swept whole.*"), 0);
    for (int i = 0; i < 4; i++) expect_success(commands[i]);
    assert_int_equal(system("for f in [smt].csv; do mv $f whole.$f; done; cut -d, -f1-6 swept/means.csv >whole.means; "
                            "rm -r t.h5 k k.1 swept"),
                     0);
    for (int i = 0; i < 4; i++) {
        run_in(environment, commands[i]);
        if (status != 0) fail_msg("dunlin %s: exit %d: %s", commands[i], status, err);
    }
    assert_int_equal(
        system("for f in [smt].csv; do cmp $f whole.$f || exit 1; done; cut -d, -f1-6 swept/means.csv | cmp - whole.means"), 0);
}

TEST_FIXTURE(.before_all = set_up, .after_all = clean_up)
