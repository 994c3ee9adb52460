/* SPDX-License-Identifier: MIT */
/* `dunlin bench`: what it measures, in which order, and what it writes. */
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "harness/measure/baseline.h"
#include "harness/measure/frame_rows.h"
#include "tests/lib/files.h"
#include "tests/lib/program.h"

/* ---- running it -------------------------------------------------------------------------------------------------------- */

static int clean_up(void **state) {
    (void)state;
    static const char *const files[] = {"out.txt", "err.txt", "rows.json", "rows.csv", "other.csv"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) remove(files[i]);
    return 0;
}

/* ---- help and mistakes ------------------------------------------------------------------------------------------------- */

TEST(help_names_everything) {
    static const char *const options[] = {"--dimensions", "--agents",       "--neighbours", "--threads", "--kernel",
                                          "--index",      "--distribution", "--steps",      "--repeat",  "--json",
                                          "--quiet",      "--csv",          "--bounds",     "--output",  NULL};
    static const char *const behaviours_options[] = {"--dimensions", "--agents", "--neighbours",   "--threads",
                                                     "--kernel",     "--index",  "--distribution", "--steps",
                                                     "--repeat",     "--json",   "--quiet",        NULL};
    static const char *const targets_options[] = {"--whole", NULL}, *const lists[] = {"bench", "bench --help"};
    for (int i = 0; i < 2; i++) {
        expect_success(lists[i]);
        assert_non_null(strstr(out, "frame"));
        assert_non_null(strstr(out, "behaviours"));
        assert_non_null(strstr(out, "targets"));
    }
    expect_options("bench frame", options);
    expect_options("bench behaviours", behaviours_options);
    expect_options("bench targets", targets_options);
}

TEST(wrong_flags_exit_with_2) {
    static const char *const wrong[][2] = {
        {"dimensions 4", "2, 3, both"},
        {"dimensions x", "2, 3, both"},
        {"agents 0", "1 .. 4294967294"},
        {"agents -5", "1 .. 4294967294"},
        {"neighbours 0", "0.01 .. 1e+06"},
        {"neighbours many", "0.01 .. 1e+06"},
        {"neighbours nan", "0.01"},
        {"neighbours 1e9", "0.01"},
        {"threads -1", "0 .. 1024"},
        {"threads 1025", "0 .. 1024"},
        {"steps 0", "1 .. 1000000"},
        {"repeat 0", "1 .. 1000"},
        {"repeat 1.5", "1 .. 1000"},
        {"kernel warp", "baseline-aos"},
        {"kernel scalar,,avx2", "baseline-simd"},
        {"kernel ''", "scalar"},
        {"kernel all,scalar", "allowed"},
        {"index oak", "auto, grid, tree, brute"},
        {"distribution flock", "uniform, clumped, flocked, scattered, line"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char arguments[128], name[32];
        snprintf(arguments, sizeof arguments, "bench frame --%s", wrong[i][0]);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(wrong[i][0], " "), wrong[i][0]);
        EXPECT_FAILURE(2, arguments, name, wrong[i][1]);
    }
    EXPECT_FAILURE(2, "bench frame --wings 2", "--wings", "--help");
    EXPECT_FAILURE(2, "bench frame --distribution line --kernel scalar,baseline-aos", "line", "baseline-aos", "open");
    EXPECT_FAILURE(2, "bench frame fast", "too many", "fast");
    EXPECT_FAILURE(1, "bench frame --json - --csv -", "--json", "--csv");
    EXPECT_FAILURE(2, "bench flame", "unknown measure 'flame'; did you mean 'frame'?", "frame, behaviours, targets");
    EXPECT_FAILURE(2, "bench behaviours --agents 0", "--agents", "1 .. 4294967294");
    EXPECT_FAILURE(2, "bench behaviours --agents 400 --kernel baseline-aos", "--kernel", "auto, scalar");
    EXPECT_FAILURE(2, "bench behaviours --agents 400 --kernel scalar,auto", "--kernel", "auto, scalar");
    EXPECT_FAILURE(2, "bench behaviours --csv rows.csv", "--csv", "--help");
    EXPECT_FAILURE(2, "bench behaviours --bounds", "--bounds", "--help");
    EXPECT_FAILURE(2, "bench targets --agents 5", "--agents", "--help");
}

TEST(what_cannot_be_measured_exits_with_1) {
    EXPECT_FAILURE(1, "bench frame --agents 10 --neighbours 20", "agents is 10", "27 are needed");
    EXPECT_FAILURE(1, "bench frame --agents 27 --kernel baseline-aos", "baseline-aos", "side");
    EXPECT_FAILURE(1, "bench frame --agents 1000 --json no_such_folder/a.json", "no_such_folder/a.json", "No such file");
    EXPECT_FAILURE(1, "bench behaviours --agents 10", "agents is 10", "27 are needed");
    EXPECT_FAILURE(1, "bench behaviours --agents 1000 --json no_such_folder/a.json", "no_such_folder/a.json", "No such file");
    EXPECT_FAILURE(1, "bench frame --agents 1000 --csv no_such_folder/a.csv", "no_such_folder/a.csv", "No such file");
    EXPECT_FAILURE(1, "bench frame --agents 1000 --csv .", "cannot write .", "folder");
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        const dunlin_kernel_info kernel = dunlin_kernel_at(i);
        char arguments[128];
        snprintf(arguments, sizeof arguments, "bench frame --agents 1000 --kernel scalar,%s", kernel.name);
        if (!kernel.runs_here) EXPECT_FAILURE(1, arguments, kernel.name, "cannot run on this machine");
        snprintf(arguments, sizeof arguments, "bench behaviours --agents 1000 --kernel %s", kernel.name);
        if (!kernel.runs_here) EXPECT_FAILURE(1, arguments, kernel.name, "cannot run on this machine");
    }
}

/* ---- JSON -------------------------------------------------------------------------------------------------------------- */

static json_t *parse(const char *text) {
    json_error_t problem;
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, &problem);
    if (!document) fail_msg("line %d: %s in: %s", problem.line, problem.text, text);
    return document;
}

static double number_in(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    if (!json_is_number(value)) fail_msg("'%s' is not a number", name);
    return json_number_value(value);
}

static const char *text_in(const json_t *object, const char *name) {
    const char *value = json_string_value(json_object_get(object, name));
    if (!value || !*value) fail_msg("'%s' is not a text", name);
    return value;
}

static void check_machine(const json_t *host) {
    static const char *const texts[] = {"cpu", "os", "compiler", "flags", "commit", "date", "pinning"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) text_in(host, texts[i]);
    assert_true(number_in(host, "cores") >= 1 && number_in(host, "threads") >= number_in(host, "cores"));
    assert_true(number_in(host, "numa_nodes") >= 1 && number_in(host, "memory_bytes") > 1e6);
    const json_t *caches = json_object_get(host, "caches"), *cache;
    size_t i;
    double level = 0.0;
    assert_true(json_is_array(caches));
    json_array_foreach(caches, i, cache) {
        assert_true(number_in(cache, "level") > level && number_in(cache, "bytes") >= 1024);
        assert_true(number_in(cache, "shared_by") >= 1);
        level = number_in(cache, "level");
    }
}

/* Of a row of 400 agents. */
static void check_row(const json_t *row) {
    const double speed = number_in(row, "agent_updates_per_second");
    assert_true(speed > 0 && isfinite(speed));
    assert_true(number_in(row, "agent_updates_per_second_min") <= speed);
    assert_true(number_in(row, "agent_updates_per_second_max") >= speed);
    const double tested = number_in(row, "pairs_tested_per_second"), useful = number_in(row, "pairs_useful_per_second");
    assert_true(useful > 0 && tested >= useful);
    assert_true(fabs(number_in(row, "neighbours_found") * speed - useful) <= 1e-6 * useful);
    const bool is_baseline = strncmp(text_in(row, "kernel"), "baseline", 8) == 0;
    assert_true(number_in(row, "bytes_per_agent") > (is_baseline ? 30 : 40) && number_in(row, "bytes_per_agent") < 10000);
    const json_t *ms = json_object_get(row, "ms");
    const double stages =
        number_in(ms, "snapshot") + number_in(ms, "interact") + number_in(ms, "steer") + number_in(ms, "integrate");
    assert_true(is_baseline ? stages == 0.0 : number_in(ms, "snapshot") > 0 && number_in(ms, "interact") > 0);
    /* The time per frame follows from the speed: both are medians of the same repeats. */
    assert_true(fabs(number_in(ms, "frame") * 1e-3 * speed - 400) < 1);
    if (!is_baseline) assert_int_equal(strlen(text_in(row, "hash")), 16);
    text_in(row, "behaviours");
}

TEST(json_has_every_field) {
    expect_success(
        "bench frame --agents 400 --neighbours 12 --dimensions 3 --threads 2 --kernel all --index grid --steps 4 --repeat "
        "3 --json -");
    json_t *document = parse(out), *row;
    check_machine(json_object_get(document, "machine"));
    const json_t *rows = json_object_get(document, "rows");
    size_t i;
    assert_true(json_array_size(rows) >= 3);
    json_array_foreach(rows, i, row) {
        check_row(row);
        assert_true(number_in(row, "neighbours_found") > 8 && number_in(row, "neighbours_found") < 18);
        assert_string_equal(text_in(row, "behaviours"), "plain");
        assert_int_equal(number_in(row, "agents"), 400);
        assert_int_equal(number_in(row, "dimensions"), 3);
        assert_int_equal(number_in(row, "neighbours"), 12);
        assert_int_equal(number_in(row, "threads"), 2);
        assert_int_equal(number_in(row, "steps"), 4);
        assert_int_equal(number_in(row, "repeats"), 3);
        assert_string_equal(text_in(row, "distribution"), "uniform");
        assert_string_equal(text_in(row, "index"), "grid");
    }
    json_decref(document);
}

/* 2D first, and both by default. The rows name their dimensions. */
TEST(both_dimensions_are_measured) {
    expect_success("bench frame --agents 5e2 --kernel scalar --steps 1 --repeat 1 --json rows.json --quiet");
    assert_string_equal(out, "");
    static char text[OUTPUT];
    read_file("rows.json", text);
    json_t *document = parse(text);
    const json_t *rows = json_object_get(document, "rows");
    assert_int_equal(json_array_size(rows), 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(number_in(json_array_get(rows, i), "dimensions"), 2 + (int)i);
        assert_int_equal(number_in(json_array_get(rows, i), "agents"), 500);
    }
    json_decref(document);
}

/* Every kernel and every baseline that runs here; one state for all kernels. */
TEST(all_measures_every_kernel) {
    int expected = 0;
    for (int i = 0; i < BASELINES; i++) expected += baseline_runs_here((baseline_kind)i);
    for (int k = 0; k < dunlin_kernel_count(); k++) expected += dunlin_kernel_at(k).runs_here;
    expect_success(
        "bench frame --dimensions 2 --threads 1 --agents 400 --kernel all --index grid --steps 2 --repeat 1 --json -");
    json_t *document = parse(out), *row;
    const json_t *rows = json_object_get(document, "rows");
    assert_int_equal(json_array_size(rows), expected);
    assert_string_equal(text_in(json_array_get(rows, 0), "kernel"), "baseline-aos");
    assert_true(json_is_null(json_object_get(json_array_get(rows, 0), "hash")));
    const char *hash = NULL;
    size_t i;
    json_array_foreach(rows, i, row) {
        const char *kernel = text_in(row, "kernel");
        if (baseline_find(kernel) < BASELINES) continue;
        if (!hash) hash = text_in(row, "hash");
        assert_string_equal(text_in(row, "hash"), hash);
    }
    json_decref(document);
    expect_success(
        "bench frame --dimensions 2 --threads 1 --agents 27 --kernel all --index grid --steps 1 --repeat 1 --json -");
    assert_null(strstr(out, "baseline-aos"));
    assert_non_null(strstr(err, "baseline-aos is left out"));
}

/* ---- behaviours -------------------------------------------------------------------------------------------------------- */

static void expect_behaviours(const char *arguments, int dimensions) {
    expect_success(arguments);
    json_t *document = parse(out), *row;
    check_machine(json_object_get(document, "machine"));
    const json_t *rows = json_object_get(document, "rows");
    assert_int_equal(json_array_size(rows), 1 + BENCH_ADDITIONS);
    size_t i;
    json_array_foreach(rows, i, row) {
        check_row(row);
        assert_string_equal(text_in(row, "behaviours"), bench_addition_name(i > 0 ? &bench_additions[i - 1] : NULL));
        assert_int_equal(number_in(row, "dimensions"), dimensions);
        assert_int_equal(number_in(row, "threads"), 2);
        assert_int_equal(number_in(row, "steps"), 2);
        assert_int_equal(number_in(row, "repeats"), 3);
        assert_string_equal(text_in(row, "kernel"), "scalar");
        assert_true(number_in(row, "ratio_min") > 0 && number_in(row, "ratio_min") <= number_in(row, "ratio"));
        assert_true(number_in(row, "ratio") <= number_in(row, "ratio_max") && number_in(row, "ratio_max") < 1e6);
    }
    json_decref(document);
}

TEST(behaviours_have_rows_and_ratios) {
    expect_behaviours("bench behaviours --dimensions 2 --agents 400 --threads 2 --kernel scalar --steps 2 --repeat 3 --json -",
                      2);
    expect_behaviours("bench behaviours --agents 400 --dimensions 3 --threads 2 --kernel scalar --steps 2 --repeat 3 --json -",
                      3);
}

TEST(behaviours_have_a_table) {
    static char text[OUTPUT];
    expect_success("bench behaviours --dimensions 2 --threads 1 --agents 500 --steps 1 --repeat 1 --json rows.json");
    static const char *const words[] = {
        "processor", "2D, 500 agents, 20 neighbours, uniform, 1 thread", "times a plain frame", "plain ", "<= 1.25", "<= 1.1",
        "snapshot"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strstr(out, words[i])) fail_msg("'%s' is not in the table:\n%s", words[i], out);
    for (int i = 0; i < BENCH_ADDITIONS; i++) assert_non_null(strstr(out, bench_additions[i].name));
    read_file("rows.json", text);
    json_decref(parse(text));
}

/* ---- the table, and files beside it ------------------------------------------------------------------------------------ */

TEST(files_are_written_beside_the_table) {
    static const char *const words[] = {
        "processor",    "caches", "system",   "build", "2D, 500 agents, 20 neighbours, clumped, 1 thread",
        "baseline-aos", "scalar", "snapshot", "useful"};
    static char text[OUTPUT];
    expect_success("bench frame --dimensions 2 --threads 1 --agents 500 --distribution clumped --kernel baseline-aos,scalar "
                   "--steps 2 --repeat 2 "
                   "--json rows.json --csv rows.csv");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strstr(out, words[i])) fail_msg("'%s' is not in the table:\n%s", words[i], out);
    read_file("rows.json", text);
    json_t *document = parse(text);
    const json_t *row = json_array_get(json_object_get(document, "rows"), 1);
    assert_string_equal(text_in(row, "distribution"), "clumped");
    assert_string_equal(text_in(row, "kernel"), "scalar");
    json_decref(document);
    read_file("rows.csv", text);
    assert_non_null(strstr(text, ",clumped,"));
    remove("rows.csv");
}

/* ---- CSV --------------------------------------------------------------------------------------------------------------- */

/* Splits a line in place by commas outside quotes, and takes the quotes off. */
static int split(char *line, char *fields[64]) {
    int count = 0;
    char *to = line;
    bool quoted = false;
    fields[count++] = to;
    for (const char *at = line; *at; at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (*at == ',' && !quoted) {
            *to++ = '\0';
            fields[count++] = to;
        } else
            *to++ = *at;
    }
    *to = '\0';
    return count;
}

static const char *field(char *names[64], char *fields[64], int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return fields[i];
    fail_msg("there is no column %s", name);
    return "";
}

TEST(csv_rows_are_appended) {
    static const char *const always[] = {"commit",         "compiler", "flags",  "cpu",      "threads",
                                         "kernel",         "date",     "agents", "ms_frame", "agent_updates_per_second",
                                         "bytes_per_agent"};
    static char text[OUTPUT];
    expect_success(
        "bench frame --dimensions 2 --threads 1 --agents 500 --kernel scalar,baseline-aos --steps 1 --repeat 1 --csv rows.csv");
    expect_success("bench frame --dimensions 2 --agents 600 --kernel scalar --steps 1 --repeat 1 --threads 2 --csv rows.csv");
    read_file("rows.csv", text);
    char *names[64], *fields[64], *line = strtok(text, "\n");
    const int columns = split(line, names);
    int rows = 0;
    while ((line = strtok(NULL, "\n"))) {
        assert_int_equal(split(line, fields), columns);
        for (size_t i = 0; i < sizeof always / sizeof *always; i++) assert_true(*field(names, fields, columns, always[i]));
        assert_string_equal(field(names, fields, columns, "kernel"), rows == 1 ? "baseline-aos" : "scalar");
        assert_string_equal(field(names, fields, columns, "agents"), rows == 2 ? "600" : "500");
        assert_string_equal(field(names, fields, columns, "threads"), rows == 2 ? "2" : "1");
        assert_int_equal(strlen(field(names, fields, columns, "hash")), rows == 1 ? 0 : 16);
        assert_true(atof(field(names, fields, columns, "agent_updates_per_second")) > 0);
        rows++;
    }
    assert_int_equal(rows, 3);
    expect_success("bench frame --dimensions 2 --threads 1 --agents 500 --kernel scalar --steps 1 --repeat 1 --csv -");
    assert_int_equal(strncmp(out, names[0], strlen(names[0])), 0);
}

TEST(other_files_are_left_alone) {
    static char text[OUTPUT];
    write_file("other.csv", "step,species,agents\n0,dunlins,5\n");
    EXPECT_FAILURE(1, "bench frame --agents 1000 --steps 1 --repeat 1 --csv other.csv", "other.csv", "another header");
    read_file("other.csv", text);
    assert_string_equal(text, "step,species,agents\n0,dunlins,5\n");
    expect_success("bench frame --dimensions 2 --threads 1 --agents 500 --kernel scalar --steps 1 --repeat 1 --csv -");
    out[strlen(out) - 1] = '\0';
    write_file("other.csv", out);
    EXPECT_FAILURE(1, "bench frame --agents 1000 --steps 1 --repeat 1 --csv other.csv", "other.csv", "no end");
    write_file("other.csv", ""); /* an empty file counts as none */
    expect_success("bench frame --dimensions 2 --threads 1 --agents 500 --kernel scalar --steps 1 --repeat 1 --csv other.csv");
    read_file("other.csv", text);
    assert_non_null(strstr(text, ",scalar,"));
    remove("other.csv");
}

/* ---- the machine ------------------------------------------------------------------------------------------------------- */

#define TINY "bench frame --dimensions 2 --threads 1 --agents 300 --neighbours 8 --kernel scalar --steps 1 --repeat 1 "
#define FREE "env -u OMP_PLACES -u OMP_PROC_BIND"

static bool worlds_use_openmp(void) {
    const dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world;
    assert_int_equal(dunlin_world_create(&def, &world, NULL), DUNLIN_OK);
    const bool is_openmp = strcmp(dunlin_world_get_def(world).executor, "openmp") == 0;
    dunlin_world_destroy(world);
    return is_openmp;
}

TEST(unbound_threads_are_reported) {
    expect_success(TINY);
    assert_non_null(
        strstr(out, worlds_use_openmp() ? "threads     not bound: OMP_PROC_BIND=false" : "threads     not bound: none"));
    run_in(FREE, TINY);
    assert_non_null(strstr(out, worlds_use_openmp() ? "threads     bound by OMP_PLACES=cores" : "threads     not bound: none"));
}

/* Bound threads have one core each; the machine has as many as before. */
TEST(threads_are_bound) {
    run_in(FREE, TINY "--json -");
    assert_int_equal(status, 0);
    json_t *bound = parse(out);
    run_in("env -u OMP_PLACES OMP_PROC_BIND=false", TINY "--json -");
    json_t *loose = parse(out);
    const json_t *host = json_object_get(bound, "machine"), *same = json_object_get(loose, "machine");
    assert_string_equal(text_in(host, "pinning"), worlds_use_openmp() ? "OMP_PLACES=cores OMP_PROC_BIND=close" : "none");
    assert_string_equal(text_in(same, "pinning"), worlds_use_openmp() ? "OMP_PROC_BIND=false" : "none");
    assert_true(number_in(host, "cores") == number_in(same, "cores"));
    assert_true(number_in(host, "threads") == number_in(same, "threads"));
    json_decref(bound);
    json_decref(loose);
}

/* The processors that threads of the child may run on, all together. */
static cpu_set_t find_processors(pid_t child) {
    char path[40];
    cpu_set_t all;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)child);
    DIR *tasks = opendir(path);
    assert_non_null(tasks);
    CPU_ZERO(&all);
    for (const struct dirent *task; (task = readdir(tasks));) {
        cpu_set_t one;
        if (task->d_name[0] == '.' || sched_getaffinity((pid_t)atol(task->d_name), sizeof one, &one) != 0) continue;
        CPU_OR(&all, &all, &one);
    }
    closedir(tasks);
    return all;
}

/* Those that ask for a binding get a core per thread, and not one core for all of them, whatever worlds run on. */
TEST(workers_do_not_share_a_core) {
    static const char *const arguments[] = {"dunlin", "bench",    "frame",     "--threads", "2",    "--agents",
                                            "5000",   "--kernel", "scalar",    "--steps",   "1000", "--repeat",
                                            "1000",   "--json",   "rows.json", NULL};
    setenv("OMP_PLACES", "cores", 1);
    setenv("OMP_PROC_BIND", "close", 1);
    const pid_t child = start(arguments);
    unsetenv("OMP_PLACES");
    unsetenv("OMP_PROC_BIND");
    wait_until_watched(child);
    cpu_set_t own, one;
    assert_int_equal(sched_getaffinity(0, sizeof own, &own), 0);
    assert_int_equal(sched_getaffinity(child, sizeof one, &one), 0);
    bool is_spread = CPU_EQUAL(&one, &own);
    for (int waited = 0; waited < 1000 && !is_spread; waited++) { /* its threads come one by one */
        const cpu_set_t all = find_processors(child);
        is_spread = CPU_COUNT(&all) > CPU_COUNT(&one);
        usleep(10000);
    }
    end_by(SIGINT, child);
    assert_true(is_spread);
}

/* ---- interrupted ------------------------------------------------------------------------------------------------------- */

/* Interrupts a bench that would take much longer after so many milliseconds, and returns its JSON. */
static json_t *interrupt_bench(const char *what, unsigned milliseconds) {
    static char text[OUTPUT];
    const char *const arguments[] = {"dunlin",   "bench", what,      "--agents", "500",    "--kernel",  "scalar",
                                     "--repeat", "1000",  "--steps", "30",       "--json", "rows.json", NULL};
    const pid_t child = start(arguments);
    wait_until_watched(child);
    usleep(1000 * milliseconds); /* it measures */
    end_by(SIGINT, child);
    assert_non_null(strstr(err, "stopped"));
    read_file("rows.json", text);
    return parse(text);
}

TEST(an_interrupted_bench_keeps_its_rows) {
    static const char *const benches[] = {"frame", "behaviours"};
    for (int i = 0; i < 2; i++) {
        /* On a busy machine the first repeat takes its time, and without one there is no row. */
        json_t *document = interrupt_bench(benches[i], 300);
        for (unsigned wait = 1000; json_array_size(json_object_get(document, "rows")) == 0 && wait < 60000; wait *= 3) {
            json_decref(document);
            document = interrupt_bench(benches[i], wait);
        }
        const json_t *rows = json_object_get(document, "rows");
        assert_int_equal(json_array_size(rows), 1);
        const double repeats = number_in(json_array_get(rows, 0), "repeats");
        assert_true(repeats >= 1 && repeats < 1000);
        json_decref(document);
    }
}

/* It lists what it would have measured. */
TEST(interrupted_targets_are_listed) {
    const char *const arguments[] = {"dunlin", "bench", "targets", NULL};
    const pid_t child = start(arguments);
    static const char *const promises[] = {"2D  best kernel against baseline-simd",
                                           "3D  best kernel against baseline-aos",
                                           "2D  interact against its bound",
                                           "3D  two threads against one",
                                           "2D  auto against the best forced kernel",
                                           "2D  cost per agent at 100 million agents",
                                           "2D  frame of 200 agents",
                                           "2D  field of view: a frame against a plain one",
                                           "a lone thread had its processor for"};
    wait_until(child, has_said, "threads ");
    end_by(SIGINT, child);
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
        if (!strstr(out, promises[i])) fail_msg("'%s' is not listed:\n%s", promises[i], out);
    assert_null(strstr(out, "3D  frame of 200 agents"));
    assert_null(strstr(out, "yes"));
}

TEST_FIXTURE(.before_all = clean_up, .after_all = clean_up)
