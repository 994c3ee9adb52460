/* SPDX-License-Identifier: MIT */
/* dunlin scale: what it writes to its folder, and how it ends. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cairo.h>
#include <dunlin/dunlin.h>
#include <jansson.h>

#include "engine/base/processors.h"
#include "harness/measure/baseline.h"
#include "tests/lib/files.h"
#include "tests/lib/program.h"

/* ---- running it -------------------------------------------------------------------------------------------------------- */

static char text[OUTPUT];

/* The output of the set-up's run. */
static char printed[OUTPUT];

static const char *const sweeps[] = {"strong", "weak", "density", "kernels", "distribution", "size"};
enum { SWEEPS = sizeof sweeps / sizeof *sweeps };

/* A few thousand agents and one step: everything that a whole run does, in seconds. */
#define SMALL "scale --quick --agents 1500 --agents-per-thread 1000 --max-agents 2000 --threads 2 --steps 1 --repeat 1 "

static int clean_up(void **state) {
    (void)state;
    if (system("rm -rf small one other bare stopped busy wrong new system out.txt err.txt machine.csv more.csv rows.json") != 0)
        return -1;
    return 0;
}

/* The run that most tests examine. */
static int run_small(void **state) {
    clean_up(state);
    run_in("", SMALL "--output small --csv machine.csv --json rows.json"); /* bound */
    if (status != 0) fprintf(stderr, "exit %d: %s\n", status, err);
    strcpy(printed, out);
    return status == 0 ? 0 : -1;
}

/* ---- CSV --------------------------------------------------------------------------------------------------------------- */

/* Fields of a CSV line. Commas within quotes separate nothing. */
static int count_fields(const char *line) {
    int fields = 1;
    bool quoted = false;
    for (; *line && *line != '\n'; line++) {
        if (*line == '"') quoted = !quoted;
        if (*line == ',' && !quoted) fields++;
    }
    return fields;
}

/* Rows below the header, each with as many fields as the header has. */
static int count_rows(const char *path) {
    read_file(path, text);
    const int fields = count_fields(text);
    int rows = 0;
    for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n'), rows++)
        if (count_fields(line + 1) != fields)
            fail_msg("%s: row %d has %d fields, not %d", path, rows, count_fields(line + 1), fields);
    return rows;
}

/* Kernels, and baselines with a grid. */
static int kernels_here(void) {
    int count = 0;
    for (int kind = BASELINE_AOS; kind < BASELINES; kind++) count += baseline_runs_here((baseline_kind)kind);
    for (int k = 0; k < dunlin_kernel_count(); k++) count += dunlin_kernel_at(k).runs_here;
    return count;
}

TEST(every_sweep_writes_its_rows) {
    const int rows[SWEEPS] = {2 * 2, 2 * 2, 2 * 6, 2 * 2 * kernels_here(), 2 * 3, 2 * 2};
    int all = 0;
    for (int s = 0; s < SWEEPS; s++) {
        char path[64];
        snprintf(path, sizeof path, "small/%s.csv", sweeps[s]);
        assert_int_equal(count_rows(path), rows[s]);
        all += rows[s];
    }
    assert_int_equal(count_rows("machine.csv"), all);
}

TEST(every_row_names_what_it_was_measured_on) {
    static const char *const columns[] = {"commit",
                                          "compiler",
                                          "flags",
                                          "cpu",
                                          "threads",
                                          "kernel",
                                          "pinning",
                                          "agents",
                                          "dimensions",
                                          "neighbours",
                                          "distribution",
                                          "agent_updates_per_second",
                                          "agent_updates_per_second_min",
                                          "agent_updates_per_second_max",
                                          "pairs_useful_per_second",
                                          "bytes_per_agent"};
    read_file("small/kernels.csv", text);
    *strchr(text, '\n') = '\0';
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        char name[64];
        snprintf(name, sizeof name, "%s,", columns[c]);
        const char *at = strstr(text, name);
        while (at && at != text && at[-1] != ',') at = strstr(at + 1, name);
        if (!at) fail_msg("there is no column %s in: %s", columns[c], text);
    }
}

TEST(results_are_appended) {
    assert_int_equal(system("cp machine.csv more.csv"), 0);
    const int before = count_rows("more.csv");
    assert_true(before > 0);
    expect_success(SMALL "--sweep strong --dimensions 2 --no-plots --output one --csv more.csv");
    assert_int_equal(count_rows("more.csv"), before + 2);
    assert_int_equal(count_rows("one/strong.csv"), 2);
    assert_false(is_there("one/weak.csv"));
    assert_null(strstr(out, "3D"));
    read_file("one/report.md", text);
    assert_null(strstr(text, "!["));
    assert_null(strstr(text, "Weak"));
}

/* ---- JSON -------------------------------------------------------------------------------------------------------------- */

static json_t *rows_of(json_t *document, const char *sweep) {
    json_t *row, *rows = json_array();
    size_t i;
    json_array_foreach(json_object_get(document, "rows"), i, row) {
        if (strcmp(json_string_value(json_object_get(row, "sweep")), sweep) == 0) json_array_append(rows, row);
    }
    return rows;
}

static double number_of(const json_t *rows, size_t i, const char *name) {
    const json_t *value = json_object_get(json_array_get(rows, i), name);
    if (!json_is_number(value)) fail_msg("row %zu has no number '%s'", i, name);
    return json_number_value(value);
}

static bool is_null(const json_t *rows, size_t i, const char *name) {
    return json_is_null(json_object_get(json_array_get(rows, i), name));
}

/* The first row of that kernel. */
static size_t find_kernel(const json_t *rows, const char *kernel) {
    size_t i = 0;
    while (i < json_array_size(rows) &&
           strcmp(json_string_value(json_object_get(json_array_get(rows, i), "kernel")), kernel) != 0)
        i++;
    return i;
}

static bool is_about(double got, double wanted) {
    return fabs(got - wanted) <= 1e-6 * fabs(wanted);
}

TEST(json_has_the_figures_of_every_row) {
    read_file("rows.json", text);
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *rows = rows_of(document, "strong");
    assert_string_not_equal(json_string_value(json_object_get(json_object_get(document, "machine"), "commit")), "");
    assert_int_equal(json_array_size(json_object_get(document, "rows")), count_rows("machine.csv"));
    const char *const speed = "agent_updates_per_second";
    assert_true(is_null(rows, 0, "serial_fraction") && number_of(rows, 0, "efficiency") == 1.0);
    assert_true(is_about(number_of(rows, 1, "speed_up"), number_of(rows, 1, speed) / number_of(rows, 0, speed)));
    assert_true(is_about(number_of(rows, 1, "efficiency"), number_of(rows, 1, "speed_up") / 2));
    assert_true(is_about(number_of(rows, 1, "serial_fraction"), 2 / number_of(rows, 1, "speed_up") - 1));
    json_decref(rows);
    rows = rows_of(document, "distribution");
    const char *const pair = "thread_ns_per_useful_pair";
    assert_true(is_about(number_of(rows, 0, pair), 2e9 / number_of(rows, 0, "pairs_useful_per_second")));
    json_decref(rows);
    rows = rows_of(document, "kernels");
    assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 1), "kernel")), "baseline-aos");
    assert_true(number_of(rows, 1, "times_baseline_aos") == 1.0);
    assert_true(is_about(number_of(rows, 3, "times_baseline_aos"), number_of(rows, 3, speed) / number_of(rows, 1, speed)));
    const size_t simd = find_kernel(rows, "baseline-simd128"), kernel = find_kernel(rows, "simd128");
    const double ratio = number_of(rows, kernel, speed) / number_of(rows, simd, speed);
    assert_true(is_about(number_of(rows, kernel, "times_baseline_simd"), ratio) && is_null(rows, simd, "times_baseline_simd"));
    json_decref(rows);
    json_decref(document);
}

TEST(json_goes_to_standard_output) {
    run_in("", SMALL "--sweep weak --dimensions 3 --no-plots --output other --json -");
    assert_int_equal(status, 0);
    json_t *document = json_loads(out, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(document, "rows")), 2);
    json_decref(document);
    assert_true(is_there("other/report.md"));
}

/* ---- the report -------------------------------------------------------------------------------------------------------- */

/* Every "](path)" names a file in the folder. Returns how many of them are pictures. */
static int check_links(const char *folder) {
    int pictures = 0;
    char path[256];
    snprintf(path, sizeof path, "%s/report.md", folder);
    read_file(path, text);
    for (const char *at = text; (at = strstr(at, "](")); at++) {
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(at + 2, ")"), at + 2);
        if (!is_there(path)) fail_msg("the report refers to %s, which is not there", path);
        pictures += !!strstr(path, ".svg");
    }
    return pictures;
}

TEST(the_report_has_every_section) {
    static const char *const titles[] = {"\n## Machine\n",      "\n## Strong scaling\n",
                                         "\n## Weak scaling\n", "\n## Density\n",
                                         "\n## Kernels\n",      "\n## Distribution\n",
                                         "\n## Size\n",         "### Kernels in 2D",
                                         "### Kernels in 3D",   "| threads | million agent-updates/s",
                                         "serial fraction",     "commit",
                                         "bound by OMP_PLACES", "times baseline-aos",
                                         "bit for bit"};
    assert_int_equal(check_links("small"), 9);
    for (size_t t = 0; t < sizeof titles / sizeof *titles; t++)
        if (!strstr(text, titles[t])) fail_msg("'%s' is not in the report:\n%s", titles[t], text);
    assert_null(strstr(text, "cut short"));
    assert_null(strstr(text, "nan"));
    for (int k = 0; k < dunlin_kernel_count(); k++) {
        char row[64];
        snprintf(row, sizeof row, "\n| %s | 2 |", dunlin_kernel_at(k).name);
        assert_true(!!strstr(text, row) == (dunlin_kernel_at(k).runs_here));
    }
}

TEST(tables_are_printed) {
    static const char *const words[] = {"Strong scaling in 2D", "Size in 3D",     "speed-up", "baseline-aos", "flocked",
                                        "bytes per agent",      "small/report.md"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (!strstr(printed, words[w])) fail_msg("'%s' is not printed:\n%s", words[w], printed);
}

/* ---- plots ------------------------------------------------------------------------------------------------------------- */

typedef struct plot_text {
    const char *name, *x, *y;
} plot_text;

static const plot_text plots[] = {
    {"strong_speedup", "threads", "speed-up (times one thread)"},
    {"strong_efficiency", "threads", "efficiency (% of ideal)"},
    {"weak_efficiency", "threads", "efficiency (% of ideal)"},
    {"density", "neighbours within the radius (mean)", "thread time per useful pair (ns)"},
    {"kernels_2d", "baseline-aos", "million agent-updates/s per thread"},
    {"kernels_3d", "scalar", "million agent-updates/s per thread"},
    {"distribution", "clumped 2D", "thread time per useful pair (ns)"},
    {"size_2d", "agents (dashed", "million agent-updates/s"},
    {"size_3d", "agents (dashed", "million agent-updates/s"},
};
enum { PLOTS = sizeof plots / sizeof *plots };

static void check_svg(const plot_text *plot) {
    char path[64];
    snprintf(path, sizeof path, "small/plots/%s.svg", plot->name);
    read_file(path, text);
    const char *svg = strstr(text, "<svg");
    assert_true(svg && strncmp(text, "<?xml", 5) == 0);
    assert_true(strlen(text) > 7 && strcmp(text + strlen(text) - 8, "</svg>\n\n") == 0);
    if (!strstr(svg, plot->x)) fail_msg("%s: '%s' stands at no axis", path, plot->x);
    if (!strstr(svg, plot->y)) fail_msg("%s: '%s' stands at no axis", path, plot->y);
    assert_non_null(strstr(svg, "fill=\"#ffffff\"")); /* its own background, independent of the page's */
    assert_null(strstr(svg, "scale(0.00)"));          /* no renderer accepts that */
}

/* Loads, is not all of one colour, and opaque. */
static void check_png(const plot_text *plot) {
    char path[64];
    snprintf(path, sizeof path, "small/plots/%s.png", plot->name);
    cairo_surface_t *picture = cairo_image_surface_create_from_png(path);
    if (cairo_surface_status(picture) != CAIRO_STATUS_SUCCESS) fail_msg("%s cannot be read", path);
    const int width = cairo_image_surface_get_width(picture), height = cairo_image_surface_get_height(picture);
    const int stride = cairo_image_surface_get_stride(picture);
    const unsigned char *pixels = cairo_image_surface_get_data(picture);
    int drawn = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const unsigned char *pixel = pixels + y * stride + 4 * x;
            drawn += pixel[0] < 200 || pixel[1] < 200 || pixel[2] < 200;
            if (cairo_image_surface_get_format(picture) == CAIRO_FORMAT_ARGB32) assert_int_equal(pixel[3], 255);
        }
    }
    assert_true(width >= 1600 && height >= 1000);
    if (drawn * 200 < width * height) fail_msg("%s: only %d pixels are drawn", path, drawn);
    cairo_surface_destroy(picture);
}

TEST(every_plot_is_drawn) {
    for (int p = 0; p < PLOTS; p++) {
        char script[64];
        snprintf(script, sizeof script, "small/plots/%s.gp", plots[p].name);
        assert_true(is_there(script));
        check_svg(&plots[p]);
        check_png(&plots[p]);
    }
    cairo_debug_reset_static_data();
}

TEST(plots_can_be_drawn_again) {
    assert_int_equal(system("cd small/plots && rm *.svg && gnuplot *.gp"), 0); /* no script inherits another's axes */
    for (int p = 0; p < PLOTS; p++) check_svg(&plots[p]);
}

TEST(without_gnuplot_everything_else_is_written) {
    run_in("PATH=/nowhere OMP_PROC_BIND=false", SMALL "--sweep strong,kernels --dimensions 2 --output bare");
    assert_int_equal(status, 0);
    assert_non_null(strstr(err, "gnuplot-nox"));
    assert_int_equal(count_rows("bare/strong.csv"), 2);
    assert_true(is_there("bare/plots/strong_speedup.gp") && is_there("bare/plots/kernels_2d.gp"));
    assert_int_equal(check_links("bare"), 0);
    assert_non_null(strstr(text, "## Kernels"));
}

/* ---- the machine ------------------------------------------------------------------------------------------------------- */

/* Numbers of things; sockets of as many cores, each with as many threads; nodes of as many cores. */
typedef struct other_machine {
    int sockets, cores, nodes, threads;
} other_machine;

static void put_number(const char *root, int processor, const char *name, int number) {
    char path[128], content[16];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", processor, name);
    snprintf(content, sizeof content, "%d\n", number);
    write_below(root, path, content);
}

/* A mask of `count` processors from this one on. */
static void put_mask(const char *root, const char *folder, int number, const char *name, int first, int count) {
    char path[128], content[32];
    snprintf(path, sizeof path, "/sys/devices/system/%s%d/%s", folder, number, name);
    snprintf(content, sizeof content, "%08x\n", ((1u << count) - 1) << first);
    write_below(root, path, content);
}

static void put_machine(const char *root, other_machine m) {
    const int all = m.sockets * m.cores * m.threads, of_socket = all / m.sockets;
    char path[64], content[64];
    snprintf(content, sizeof content, "0-%d\n", all - 1);
    write_below(root, "/sys/devices/system/cpu/online", content);
    write_below(root, "/sys/devices/system/cpu/possible", content);
    for (int p = 0; p < all; p++) {
        put_number(root, p, "physical_package_id", p / of_socket);
        put_number(root, p, "core_id", p / m.threads % m.cores);
        put_mask(root, "cpu/cpu", p, "topology/thread_siblings", p - p % m.threads, m.threads);
        put_mask(root, "cpu/cpu", p, "topology/core_siblings", p - p % of_socket, of_socket);
    }
    for (int n = 0; n < m.nodes; n++) {
        put_mask(root, "node/node", n, "cpumap", n * all / m.nodes, all / m.nodes);
        snprintf(path, sizeof path, "/sys/devices/system/node/node%d/meminfo", n);
        snprintf(content, sizeof content, "Node %d MemTotal:       1048576 kB\n", n);
        write_below(root, path, content);
    }
    snprintf(content, sizeof content, "0-%d\n", m.nodes - 1);
    write_below(root, "/sys/devices/system/node/online", content);
}

/* What scale says about the machine below that root. */
static void expect_machine(const char *root, const char *const words[]) {
    char environment[64];
    snprintf(environment, sizeof environment, "HWLOC_FSROOT=$PWD/%s OMP_PROC_BIND=false", root);
    assert_int_equal(system("rm -rf other"), 0);
    run_in(environment, SMALL "--sweep weak --dimensions 2 --no-plots --output other");
    assert_int_equal(status, 0);
    read_file("other/report.md", text);
    for (; *words; words++)
        if (!strstr(text, *words) || !strstr(out, *words)) fail_msg("%s: not '%s': %s\n%s", root, *words, text, out);
}
#define EXPECT_MACHINE(root, ...) expect_machine(root, (const char *const[]){__VA_ARGS__, NULL})

TEST(sockets_and_nodes_are_reported) {
    put_machine("system/two", (other_machine){.sockets = 2, .cores = 4, .nodes = 2, .threads = 2});
    EXPECT_MACHINE("system/two", ": 2 sockets, 8 cores, ", ", 2 NUMA nodes\n");
    put_machine("system/parts", (other_machine){.sockets = 1, .cores = 8, .nodes = 4, .threads = 1});
    EXPECT_MACHINE("system/parts", ": 1 socket, 8 cores, ", ", 4 NUMA nodes\n");
    put_machine("system/four", (other_machine){.sockets = 4, .cores = 2, .nodes = 8, .threads = 2});
    EXPECT_MACHINE("system/four", ": 4 sockets, 8 cores, ", ", 8 NUMA nodes\n");
}

TEST(pages_are_reported) {
    static const struct {
        const char *enabled, *word;
    } cases[] = {{"always [madvise] never\n", "madvise"}, {"[always] madvise never\n", "always"},
                 {"always madvise [never]\n", "never"},   {"", "unknown"},
                 {"always madvise never\n", "unknown"},   {"[]\n", "unknown"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[96];
        write_below("system/pages", "/sys/kernel/mm/transparent_hugepage/enabled", cases[i].enabled);
        snprintf(words, sizeof words, " KiB, transparent huge pages: %s, reserved huge pages: 0.0 GiB\n", cases[i].word);
        EXPECT_MACHINE("system/pages", words);
    }
    write_below("system/pages", "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "256\n");
    write_below("system/pages", "/sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", "3\n");
    EXPECT_MACHINE("system/pages", "reserved huge pages: 3.5 GiB\n");
    write_below("system/pages", "/sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", "many\n");
    write_below("system/pages", "/sys/kernel/mm/hugepages/hugepages-x/nr_hugepages", "7\n");
    EXPECT_MACHINE("system/pages", "reserved huge pages: 0.5 GiB\n");
}

/* What cannot be read is not there, and nothing else changes. */
TEST(a_broken_system_is_survived) {
    EXPECT_MACHINE("nowhere", " NUMA node", "transparent huge pages: unknown, reserved huge pages: 0.0 GiB\n");
    put_machine("system/broken", (other_machine){.sockets = 2, .cores = 2, .nodes = 2, .threads = 1});
    write_below("system/broken", "/sys/devices/system/node/node1/cpumap", "all of them\n");
    EXPECT_MACHINE("system/broken", ": 2 sockets, 4 cores, ", " NUMA node");
    write_below("system/broken", "/sys/devices/system/cpu/cpu1/topology/physical_package_id", "\n");
    write_below("system/broken", "/sys/devices/system/cpu/cpu2/topology/core_siblings", "");
    EXPECT_MACHINE("system/broken", " cores, ", " NUMA node");
}

/* The processors of thread `number`, as OpenMP names them: "0,64"; NULL: it has said nothing. */
static const char *places_of(int number) {
    static char places[64];
    char line[16];
    snprintf(line, sizeof line, "thread %d on ", number);
    const char *at = strstr(err, line);
    if (!at) return NULL;
    snprintf(places, sizeof places, "%.*s", (int)strcspn(at + strlen(line), "\n"), at + strlen(line));
    return places;
}

TEST(threads_run_where_the_report_says) {
#define SHOWN "OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT='thread %n on %A' "
#define TWO   SMALL "--sweep strong --dimensions 2 --no-plots --output other"
    assert_int_equal(system("rm -rf other"), 0);
    run_in("env -u OMP_PLACES -u OMP_PROC_BIND " SHOWN, TWO);
    if (!places_of(0)) skip(); /* no OpenMP */
    char first[64];
    strcpy(first, places_of(0));
    const dun_processors here = dun_processors_here();
    if (here.allowed > 1 && !strstr(out, " 1 core,")) assert_string_not_equal(first, places_of(1));
    assert_non_null(strstr(out, "threads     bound by OMP_PLACES=cores OMP_PROC_BIND=close\n"));
    assert_int_equal(system("rm -rf other"), 0);
    run_in("env -u OMP_PLACES OMP_PROC_BIND=false " SHOWN, TWO);
    assert_non_null(strstr(out, "threads     not bound: OMP_PROC_BIND=false\n"));
    strcpy(first, places_of(0));
    assert_string_equal(first, places_of(1));
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------------- */

TEST(wrong_usage_exits_with_2) {
    static const char *const mistakes[][3] = {
        {"--sweep fast", "--sweep is 'fast'", "strong, weak"},
        {"--sweep strong,", "--sweep is 'strong,'", "commas between"},
        {"--sweep ''", "--sweep is ''", "strong, weak"},
        {"--dimensions 4", "--dimensions is '4'", "2, 3, both"},
        {"--agents 0", "--agents is '0'", "1 .. 4294967294"},
        {"--agents-per-thread 1e-6", "--agents-per-thread is '1e-6'", "whole number"},
        {"--max-agents -1", "--max-agents is '-1'", "whole number"},
        {"--threads 2000", "--threads is '2000'", "0 .. 1024"},
        {"--repeat none", "--repeat is 'none'", "1 .. 1000"},
        {"--steps 0", "--steps is '0'", "1 .. 1000000"},
        {"--kernel warp", "--kernel is 'warp'", "scalar"},
        {"--wings", "--wings", "--help"},
        {"all", "too many", "all"},
        {"--quick=yes", "--quick", "--help"},
    };
    for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; m++) {
        char arguments[512]; /* small, so that an accepted mistake is found soon */
        snprintf(arguments, sizeof arguments, SMALL "--no-plots --output wrong %s", mistakes[m][0]);
        EXPECT_FAILURE(2, arguments, mistakes[m][1], mistakes[m][2]);
    }
    assert_false(is_there("wrong"));
}

TEST(failures_exit_with_1) {
    assert_int_equal(mkdir("busy", 0777), 0);
    write_file("busy/notes.txt", "");
    EXPECT_FAILURE(1, SMALL "--no-plots --output wrong --json - --csv -", "--json", "--csv");
    EXPECT_FAILURE(1, SMALL "--output busy", "busy is not empty", "--output");
    EXPECT_FAILURE(1, SMALL "--output busy/notes.txt", "busy/notes.txt", strerror(ENOTDIR));
    EXPECT_FAILURE(1, SMALL "--csv busy/notes.txt/x.csv --output new", "busy/notes.txt/x.csv", strerror(ENOTDIR));
    assert_false(is_there("new"));
}

TEST(help_names_every_option) {
    static const char *const options[] = {"--sweep",      "--dimensions", "--agents", "--agents-per-thread",
                                          "--max-agents", "--threads",    "--kernel", "--steps",
                                          "--repeat",     "--output",     "--json",   "--csv",
                                          "--no-plots",   "--quick",      "--quiet",  NULL};
    expect_options("scale", options);
}

/* ---- interrupted ------------------------------------------------------------------------------------------------------- */

/* Interrupts a run that would take much longer after so many milliseconds. */
static void interrupt_scale(unsigned milliseconds) {
    static const char *const arguments[] = {
        "dunlin", "scale",   "--sweep", "strong,weak", "--dimensions", "2",        "--agents", "500", "--threads",
        "2",      "--steps", "1000",    "--repeat",    "1000",         "--output", "stopped",  NULL};
    const pid_t child = start(arguments);
    wait_until(child, has_said, "results go to");
    usleep(1000 * milliseconds); /* it is measuring */
    end_by(SIGINT, child);
}

static int count_stopped_rows(void) {
    return is_there("stopped/strong.csv") ? count_rows("stopped/strong.csv") : 0;
}

/* Measured rows stay, with the repeats that they have, and the report is made from them. */
TEST(an_interrupted_run_keeps_its_rows) {
    interrupt_scale(1500);
    /* On a busy machine the first repeats take their time, and without one there is no row. */
    for (unsigned wait = 5000; count_stopped_rows() < 2 && wait < 60000; wait *= 3) {
        assert_int_equal(system("rm -rf stopped"), 0);
        interrupt_scale(wait);
    }
    assert_int_equal(count_stopped_rows(), 2);
    assert_null(strstr(text, ",1000,1000,")); /* steps, repeats */
    assert_false(is_there("stopped/weak.csv"));
    assert_int_equal(check_links("stopped"), 2);
    assert_non_null(strstr(text, "cut short"));
    assert_non_null(strstr(text, "2 of 4 rows"));
}

TEST_FIXTURE(.before_all = run_small, .after_all = clean_up)
