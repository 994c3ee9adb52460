/* SPDX-License-Identifier: MIT */
/* The dunlin program: what it prints, what it writes, and how it ends. */
#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/contract/kernel.h"
#include "tests/lib/files.h"
#include "tests/lib/program.h"
#include "tests/lib/worlds.h"

/* ---- running it -------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const char *arguments) {
    char all[1024];
    snprintf(all, sizeof all, "run %s --quiet --hash", arguments);
    expect_success(all);
    return hash_printed();
}

/* The number of names here that contain `part`. */
static int files_with(const char *part) {
    int count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) count += !!strstr(entry->d_name, part);
    closedir(folder);
    return count;
}

/* ---- help and mistakes ------------------------------------------------------------------------------------------------- */

TEST(the_version_is_printed) {
    char want[64];
    snprintf(want, sizeof want, "dunlin %s\n", dunlin_version());
    expect_success("--version");
    assert_string_equal(out, want);
}

/* Everything that quotes the command line, with what turns text, ends lines or is no UTF-8. */
TEST(what_turns_text_is_escaped) {
    static const char *const hostile[][2] = {{"\342\200\256", "\\xe2\\x80\\xae"},
                                             {"\342\201\246", "\\xe2\\x81\\xa6"},
                                             {"\342\201\251", "\\xe2\\x81\\xa9"},
                                             {"\342\200\216", "\\xe2\\x80\\x8e"},
                                             {"\342\200\217", "\\xe2\\x80\\x8f"},
                                             {"\330\234", "\\xd8\\x9c"},
                                             {"\342\200\250", "\\xe2\\x80\\xa8"},
                                             {"\303", "\\xc3"},
                                             {"\377", "\\xff"},
                                             {"\300\257", "\\xc0\\xaf"},
                                             {"\355\240\200", "\\xed\\xa0\\x80"}};
    static const struct {
        int code;
        const char *arguments;
    } quoting[] = {{1, "run 'a%sb'"},
                   {1, "run noc_5_09_flock --final 'a%sb/such'"},
                   {1, "run noc_5_09_flock --init 'a%sb.csv'"},
                   {1, "run noc_5_09_flock --colour 'a%sb'"},
                   {1, "run noc_5_09_flock --kernel 'a%sb'"},
                   {2, "run noc_5_09_flock --steps 'a%sb'"},
                   {2, "run noc_5_09_flock --set 'a%sb'"},
                   {1, "run noc_5_09_flock --set 'a%sb=1'"},
                   {1, "run noc_5_09_flock --set 'world.boundary=a%sb'"},
                   {1, "sweep 'a%sb'"},
                   {1, "resume 'a%sb'"},
                   {1, "export 'a%sb.h5' --to csv"},
                   {2, "run noc_5_09_flock 'a%sb'"},
                   {2, "run noc_5_09_flock '--a%sb'"},
                   {2, "'a%sb'"}};
    for (size_t q = 0; q < sizeof quoting / sizeof *quoting; q++) {
        for (size_t h = 0; h < sizeof hostile / sizeof *hostile; h++) {
            if (!TEST_NIGHTLY && q > 0 && (q + h) % 5 != 0) continue; /* all of them in one place, and each place with some */
            char arguments[200];
            snprintf(arguments, sizeof arguments, quoting[q].arguments, hostile[h][0]);
            EXPECT_FAILURE(quoting[q].code, arguments, hostile[h][1]);
        }
    }
}

/* ---- what is printed --------------------------------------------------------------------------------------------------- */

TEST(the_hash_has_sixteen_digits) {
    expect_success("run noc_5_09_flock --steps 5 --quiet --hash");
    assert_int_equal(strlen(out), strlen("state hash: ") + 16 + 1);
    assert_int_equal(strncmp(out, "state hash: ", 12), 0);
    for (int i = 12; i < 28; i++) assert_true(isdigit((unsigned char)out[i]) || (out[i] >= 'a' && out[i] <= 'f'));
    assert_string_equal(err, "");
}

/* The stages of a frame, as printed, are at most the frame, also in flocks of a few tiles. What was not counted is left out:
 * the pairs of a scenario that tests none, and how many are useful where only a callback knows that. */
static void expect_report(const char *scenario) {
    double frame = 0.0, stages = 0.0;
    const char *at = strstr(out, "  frame  ");
    assert_non_null(at);
    at += strcspn(at, "0123456789");
    frame = strtod(at, NULL);
    at = strchr(at, '=');
    for (int stage = 0; stage < 5; stage++) {
        char *end;
        at += strcspn(at, "0123456789");
        stages += strtod(at, &end);
        at = end;
    }
    if (fabs(stages - frame) > 0.0031) fail_msg("%s: the stages take %.3f of %.3f ms:\n%s", scenario, stages, frame, out);
    assert_null(strstr(out, "  pairs        0 tested"));
    if (strcmp(scenario, "couzin") == 0) assert_true(strstr(out, " tested/s\n") && !strstr(out, "useful"));
}

static void expect_report_of(const char *name, const char *options) {
    char all[256];
    snprintf(all, sizeof all, "run %s %s", name, options);
    expect_success(all);
    expect_report(name);
}

/* Of every shipped scenario, by turns with few agents on two threads and with more on one. */
TEST(reports_have_what_was_counted) {
    static char listed[OUTPUT];
    static const char *const options[] = {"--agents 60 --steps 24 --threads 2",
                                          "--agents 700 --steps 12 --threads 1 --kernel scalar"};
    int number = 0;
    expect_success("scenarios");
    strcpy(listed, out);
    for (const char *line = listed; *line; line = strchr(line, '\n') + 1, number++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " "), line);
        if (TEST_SLOW && number % 5 != 0) continue;
        for (int o = 0; o < 2; o++)
            if (TEST_NIGHTLY || o == number % 2) expect_report_of(name, options[o]);
    }
    assert_true(number > 30);
}

static bool has_shown(const char *words) {
    read_file("err.txt", err);
    return strstr(err, words);
}

TEST(a_long_run_prints_progress) {
    static const char *const arguments[] = {"dunlin",    "run", "million", "--agents", "1000",
                                            "--threads", "1",   "--steps", "1000000",  NULL};
    const pid_t child = start(arguments);
    wait_until(child, has_shown, " left\n");
    end_by(SIGINT, child);
    assert_non_null(strstr(err, " of 1 000 000   "));
    assert_non_null(strstr(err, " agent-updates/s   "));
    assert_null(strchr(err, '\r'));
}

/* Wider than 50 columns: the texts at the left stand beside both halves. */
TEST(tables_fold_at_the_terminals_width) {
    run_in("COLUMNS=50", "kernels");
    const char *second = strstr(out, "\n\nkernel");
    assert_non_null(second);
    assert_non_null(strstr(second, dunlin_kernel_at(0).description));
    assert_null(strstr(second, "lanes"));
    run_in("COLUMNS=1000", "kernels");
    assert_null(strstr(out, "\n\n"));
}

TEST(a_closed_output_is_a_failure) {
    if (access("/dev/full", W_OK) != 0) skip();
    char command[1024];
    snprintf(command, sizeof command, "'%s' kernels >/dev/full 2>err.txt", program_path());
    const int ended = system(command);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 1);
    read_file("err.txt", err);
    assert_non_null(strstr(err, "standard output"));
}

/* The exit status of `dunlin arguments`, whose end is for the shell: what it says on standard error is left in err. */
static int shell(const char *arguments) {
    char command[1024];
    write_file("err.txt", "");
    snprintf(command, sizeof command, "OMP_PROC_BIND=false '%s' %s", program_path(), arguments);
    const int ended = system(command);
    assert_true(WIFEXITED(ended));
    read_file("err.txt", err);
    return WEXITSTATUS(ended);
}

/* A file that is opened must not get a closed stream's number: progress would be written into it. */
TEST(streams_may_be_closed) {
    static char want[OUTPUT], got[OUTPUT];
    static const char *const closed[] = {"2>&-", "<&- 2>err.txt", "<&- >&- 2>&-", ">&- 2>err.txt"};
    char arguments[256];
    expect_success("run noc_5_09_flock --steps 500 --quiet --metrics metrics.csv");
    read_file("metrics.csv", want);
    for (int c = 0; c < 4; c++) {
        remove("metrics.csv");
        snprintf(arguments, sizeof arguments, "run noc_5_09_flock --steps 500 --metrics metrics.csv %s%s",
                 c < 2 ? ">out.txt " : "", closed[c]);
        assert_int_equal(shell(arguments), c < 2 ? 0 : 1); /* the summary cannot be printed */
        read_file("metrics.csv", got);
        assert_string_equal(got, want);
    }
    assert_non_null(strstr(err, "cannot write to standard output"));
    assert_int_equal(shell("run noc_5_09_flock --steps 5 --quiet >&- 2>err.txt"), 0);
    assert_int_equal(shell("run noc_5_09_flock --steps 5 --quiet --final /dev/stdout >&- 2>err.txt"), 1);
    assert_int_equal(shell("bench frame --agents 10 --steps 1 --repeat 1 --kernel scalar --json - >&- 2>err.txt"), 1);
}

/* As head does it: this is not worth a word, but what is wrong besides is. */
TEST(a_reader_may_close_its_pipe) {
    static const char *const printing[] = {"--help",
                                           "--version",
                                           "run --help",
                                           "man run",
                                           "scenarios",
                                           "kernels",
                                           "schema",
                                           "show predators",
                                           "check predators",
                                           "run default --steps 1 --quiet --hash",
                                           "run default --steps 1 --metrics -",
                                           "run default --steps 1 --final - --quiet",
                                           "run default --steps 1 --metrics m.csv",
                                           "plot m.csv --output -",
                                           "bench frame --agents 100 --steps 1 --repeat 1"};
    enum { WRITING_END = 9 }; /* dash has descriptors of one digit */
    char arguments[256];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    assert_int_equal(dup2(ends[1], WRITING_END), WRITING_END);
    for (size_t i = 0; i < sizeof printing / sizeof *printing; i++) {
        snprintf(arguments, sizeof arguments, "%s >&%d 2>err.txt", printing[i], WRITING_END);
        const int ended = shell(arguments);
        if (ended != 128 + SIGPIPE || *err) fail_msg("dunlin %s: exit %d: %s", printing[i], ended, err);
    }
    assert_int_equal(shell("run nowhere.yaml >&9 2>err.txt"), 1);
    assert_non_null(strstr(err, "nowhere.yaml"));
    close(ends[1]);
    close(WRITING_END);
}

/* ---- what runs -------------------------------------------------------------------------------------------------------- */

TEST(the_hash_does_not_depend_on_the_machine) {
    const uint64_t hash = hash_of("default --agents 3000 --steps 5 --threads 1 --kernel scalar");
    for (int v = 0; v < world_variant_count(); v++) {
        const world_variant variant = world_variant_at(v);
        if (strcmp(variant.index, "grid") != 0) continue;
        char arguments[256];
        snprintf(arguments, sizeof arguments, "default --agents 3000 --steps 5 --threads %d --kernel %s --index grid", v + 2,
                 variant.kernel);
        assert_true(hash_of(arguments) == hash);
    }
}

/* Twenty steps are ten, saved, and ten more. */
TEST(a_saved_simulation_continues_with_the_same_bits) {
    static const char *const scenarios[] = {"noc_5_07_separation", "noc_5_09_flock",        "cc124_flock",
                                            "doherty_boids",       "default --agents 2000", "starlings --agents 2000"};
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        char whole[256], first[256], second[256], name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(scenarios[i], " "), scenarios[i]);
        snprintf(whole, sizeof whole, "%s --steps 20 --final final.csv", scenarios[i]);
        snprintf(first, sizeof first, "%s --steps 10 --final half.csv", scenarios[i]);
        snprintf(second, sizeof second, "%s --steps 10 --init half.csv --final other.csv", name);
        const uint64_t hash = hash_of(whole);
        assert_true(hash_of(first) != hash);
        assert_true(hash_of(second) == hash);
        static char a[OUTPUT], b[OUTPUT];
        read_file("final.csv", a);
        read_file("other.csv", b);
        assert_string_equal(a, b); /* storage order included */
    }
}

/* ---- what is written --------------------------------------------------------------------------------------------------- */

TEST(metrics_have_a_row_per_step_and_species) {
    expect_success("run default --agents 5000 --steps 12 --metrics metrics.csv --quiet");
    read_file("metrics.csv", out);
    char *line = strtok(out, "\n");
    assert_string_equal(
        line, "step,species,agents,polarization,rotation,mean_speed,mean_neighbours,neighbour_radius,mean_nearest,outside,"
              "angular_momentum_x,angular_momentum_y,angular_momentum_z");
    int rows = 0;
    for (; (line = strtok(NULL, "\n")); rows++) {
        unsigned step, agents, outside;
        char species[64];
        double number[6];
        const int fields = sscanf(line, "%u,%63[^,],%u,%lf,%lf,%lf,%lf,%lf,%lf,%u", &step, species, &agents, &number[0],
                                  &number[1], &number[2], &number[3], &number[4], &number[5], &outside);
        if (fields != 10) fail_msg("metrics row %d: %s", rows, line);
        assert_int_equal(step, rows / 2);
        assert_string_equal(species, rows % 2 ? "peregrines" : "dunlins");
        assert_int_equal(agents, rows % 2 ? 3 : 4997);
        for (int i = 0; i < 6; i++) assert_true(isfinite(number[i]) && number[i] >= 0);
        assert_true(number[0] <= 1 && number[1] <= 1 && outside == 0);
    }
    assert_int_equal(rows, 2 * 13); /* the start and every step */
}

/* ---- interrupted ------------------------------------------------------------------------------------------------------- */

/* It stops after the current step, writes the requested files, and its exit status says that it was stopped. */
TEST(an_interrupted_simulation_is_saved) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    static const char *const arguments[] = {"dunlin", "run",     "noc_5_09_flock", "--steps",   "1000000000",
                                            "--hash", "--quiet", "--final",        "final.csv", NULL};
    for (int i = 0; i < 3; i++) {
        remove("final.csv");
        const pid_t child = start(arguments);
        wait_until_watched(child);
        usleep(200000); /* it is running */
        end_by(signals[i], child);
        const uint64_t hash = hash_printed();
        assert_true(hash_of("noc_5_09_flock --init final.csv --steps 0") == hash);
        assert_int_equal(files_with(".dunlin-"), 0);
    }
}

TEST_FIXTURE(.before_all = empty_own_folder, .after_all = empty_own_folder)
