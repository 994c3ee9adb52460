/* SPDX-License-Identifier: MIT */
#include "harness/bench/bench_options.h"
#include "harness/report/message.h"
#include "harness/command/commands.h"
#include "harness/command/kernel_names.h"
#include "harness/measure/baseline.h"

#include <stdio.h>
#include <string.h>

enum {
    OPTION_DIMENSIONS = OPTION_HELP + 1,
    OPTION_AGENTS,
    OPTION_NEIGHBOURS,
    OPTION_THREADS,
    OPTION_KERNEL,
    OPTION_INDEX,
    OPTION_DISTRIBUTION,
    OPTION_STEPS,
    OPTION_REPEAT,
    OPTION_JSON,
    OPTION_CSV
};

#define DIMENSIONS TEXT_OPTION("dimensions", OPTION_DIMENSIONS, "2 or 3; default: 2", "N")
#define AGENTS     TEXT_OPTION("agents", OPTION_AGENTS, "fly N agents; default: 1000000", "N")
#define THREADS    TEXT_OPTION("threads", OPTION_THREADS, "use N threads; default: 1", "N")
#define JSON       TEXT_OPTION("json", OPTION_JSON, "write results as JSON; -: to standard output, not the table", "FILE")

static const struct poptOption frame_table[] = {
    DIMENSIONS,
    AGENTS,
    TEXT_OPTION("neighbours", OPTION_NEIGHBOURS, "size the world for N neighbours within the radius; default: 20", "N"),
    THREADS,
    TEXT_OPTION(
        "kernel", OPTION_KERNEL,
        "one, or several with commas between: kernels (dunlin kernels lists them), baseline-aos, baseline-brute; or all; "
        "default: auto",
        "NAME"),
    TEXT_OPTION("index", OPTION_INDEX, "find neighbours by grid, tree or brute; default: auto", "NAME"),
    TEXT_OPTION(
        "distribution", OPTION_DISTRIBUTION,
        "uniform; clumped: all in a hundredth of the world; flocked: uniform, after 500 steps; scattered: a hundred flocks "
        "in an open world; line: one, a long line in an open world; default: uniform",
        "NAME"),
    TEXT_OPTION("steps", OPTION_STEPS, "time N steps, after 3 to warm up; default: 10", "N"),
    TEXT_OPTION("repeat", OPTION_REPEAT, "do it N times and take the median; default: 5", "N"),
    JSON,
    TEXT_OPTION("csv", OPTION_CSV, "append results to a CSV file; -: to standard output, not the table", "FILE"),
    COMMAND_LINE_HELP,
    POPT_TABLEEND};

static const struct poptOption behaviours_table[] = {
    DIMENSIONS,
    AGENTS,
    THREADS,
    TEXT_OPTION("kernel", OPTION_KERNEL, "use this kernel; dunlin kernels lists them; default: auto", "NAME"),
    TEXT_OPTION("steps", OPTION_STEPS, "fly N steps in a turn, after 3 to warm up; default: 2", "N"),
    TEXT_OPTION("repeat", OPTION_REPEAT, "give each flock and the plain one beside it N turns; default: 21", "N"),
    JSON,
    COMMAND_LINE_HELP,
    POPT_TABLEEND};

/* All pairs of more agents take too long for who has not asked for them by name. */
static const uint32_t most_brute_agents = 10000;
/* baseline-aos has no cells for a narrower world: 3 of them. */
static const double fewest_aos_radii = 3.01;

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

static bool add_kernel(bench_options *options, const char *name, size_t length) {
    if (options->kernel_count == BENCH_KERNELS || length >= FRAME_BENCH_NAME) return false;
    char *kernel = options->kernels[options->kernel_count++];
    memcpy(kernel, name, length);
    kernel[length] = '\0';
    return true;
}

static bool is_library_kernel(const char *name) {
    if (strcmp(name, "auto") == 0) return true;
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        if (strcmp(dunlin_kernel_at(i).name, name) == 0) return true;
    }
    return false;
}

static bool is_kernel(const char *name) {
    baseline_kind kind;
    return is_library_kernel(name) || baseline_find(name, &kind);
}

/* What is allowed besides the library's kernels, before them and after. */
static bool reject_kernel(const char *text, const char *before, const char *after) {
    char names[KERNEL_NAMES], allowed[KERNEL_NAMES + 64];
    kernel_list(names, false);
    snprintf(allowed, sizeof allowed, "%s%s%s", before, names, after);
    return command_line_reject("kernel", text, allowed);
}

/* They fly in a periodic world. */
static bool check_baselines(const bench_options *options) {
    for (int i = 0; i < options->kernel_count; i++) {
        baseline_kind kind;
        if (!baseline_find(options->kernels[i], &kind)) continue;
        if (!bench_distribution_is_open(options->workload.distribution)) continue;
        fprintf(stderr, "dunlin: --distribution %s has no %s: baselines know no open world\n",
                bench_distribution_name(options->workload.distribution), options->kernels[i]);
        return false;
    }
    return true;
}

/* "scalar,avx2" */
static bool read_kernel_list(bench_options *options, const char *text) {
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (!add_kernel(options, at, length) || !is_kernel(options->kernels[options->kernel_count - 1])) {
            return reject_kernel(text, "all, auto, ", ", baseline-aos, baseline-brute");
        }
        at += length;
        if (*at == '\0') return true;
    }
}

static void add_baselines(bench_options *options) {
    const char *aos = baseline_name(BASELINE_AOS), *brute = baseline_name(BASELINE_BRUTE);
    if (bench_distribution_is_open(options->workload.distribution)) {
        fprintf(stderr, "%s and %s are left out: they know no open world\n", brute, aos);
        return;
    }
    if (options->workload.agents <= most_brute_agents) {
        add_kernel(options, brute, strlen(brute));
    } else {
        fprintf(stderr, "%s is left out: all pairs of more than %u agents take long; name it to have it\n", brute,
                (unsigned)most_brute_agents);
    }
    if (bench_world_side(&options->workload) >= fewest_aos_radii * (double)bench_radius) {
        add_kernel(options, aos, strlen(aos));
    } else {
        fprintf(stderr, "%s is left out: so small a world has no three cells a row\n", aos);
    }
}

/* Every kernel that runs here, slow before fast. */
static void add_all_kernels(bench_options *options) {
    add_baselines(options);
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        dunlin_kernel_info kernel = dunlin_kernel_at(i);
        if (kernel.runs_here) {
            add_kernel(options, kernel.name, strlen(kernel.name));
        } else {
            fprintf(stderr, "%s is left out: it does not run on this machine\n", kernel.name);
        }
    }
}

static const char *asked_kernel(const bench_options *options) {
    const char *text = options->line.text[OPTION_KERNEL];
    return text ? text : "auto";
}

static bool read_kernels(bench_options *options) {
    const char *text = asked_kernel(options);
    if (strcmp(text, "all") != 0) return read_kernel_list(options, text);
    add_all_kernels(options);
    return true;
}

static bool read_one_kernel(bench_options *options) {
    const char *text = asked_kernel(options);
    if (!is_library_kernel(text)) return reject_kernel(text, "auto, ", "");
    return add_kernel(options, text, strlen(text));
}

dunlin_result bench_options_check_kernels(const bench_options *options, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < options->kernel_count && result == DUNLIN_OK; i++) {
        baseline_kind kind;
        if (baseline_find(options->kernels[i], &kind)) continue;
        dunlin_world_def def = dunlin_world_def_default();
        def.kernel = options->kernels[i];
        dunlin_world *world;
        result = dunlin_world_create(&def, &world, error);
        dunlin_world_destroy(world);
    }
    return result;
}

/* ---- values ----------------------------------------------------------------------------------------------------------- */

static bool read_numbers(bench_options *options) {
    const command_line *line = &options->line;
    uint64_t dimensions = 2, agents = 1000000, threads = 1;
    uint64_t steps = (uint64_t)options->steps, repeats = (uint64_t)options->repeats;
    /* Ids are 32 bits wide, and the largest is taken. */
    bool valid = command_line_number(line, OPTION_DIMENSIONS, "dimensions", 2, 3, &dimensions) &&
                 command_line_number(line, OPTION_AGENTS, "agents", 1, UINT32_MAX - 1, &agents) &&
                 command_line_decimal(line, OPTION_NEIGHBOURS, "neighbours", 0.01, 1e6, &options->workload.neighbours) &&
                 command_line_number(line, OPTION_THREADS, "threads", 1, 1024, &threads) &&
                 command_line_number(line, OPTION_STEPS, "steps", 1, 1000000, &steps) &&
                 command_line_number(line, OPTION_REPEAT, "repeat", 1, 1000, &repeats);
    options->workload.dimensions = (int)dimensions;
    options->workload.agents = (uint32_t)agents;
    options->threads = (int)threads;
    options->steps = (int)steps;
    options->repeats = (int)repeats;
    return valid;
}

static bool read_distribution(bench_options *options) {
    const char *text = options->line.text[OPTION_DISTRIBUTION];
    if (!text || bench_distribution_find(text, &options->workload.distribution)) return true;
    return command_line_reject("distribution", text, "uniform, clumped, flocked, scattered, line");
}

/* Only the library knows its indexes. */
static bool read_index(bench_options *options) {
    const char *text = options->line.text[OPTION_INDEX];
    if (!text) return true;
    dunlin_world_def def = dunlin_world_def_default();
    def.index = text;
    dunlin_world *world;
    dunlin_error error;
    bool is_known = dunlin_world_create(&def, &world, &error) == DUNLIN_OK;
    dunlin_world_destroy(world);
    if (!is_known) message_print("--index: %s", error.message);
    options->index = text;
    return is_known;
}

static bool read_files(bench_options *options) {
    options->json = options->line.text[OPTION_JSON];
    options->csv = options->line.text[OPTION_CSV];
    if (!options->json || !options->csv || strcmp(options->json, options->csv) != 0) return true;
    fputs("dunlin: --json and --csv cannot go to the same place\n", stderr);
    return false;
}

/* What its table of options leaves out keeps its default. */
static bool read_options(bench_options *options, const struct poptOption *table, int steps, int repeats, int argc,
                         const char **argv, int *status) {
    *options = (bench_options){
        .workload = {.neighbours = 20.0, .distribution = BENCH_UNIFORM}, .steps = steps, .repeats = repeats, .index = "auto"};
    if (!command_line_read(&options->line, argc, argv, table, NULL, status)) return false;
    bool valid = read_numbers(options) && read_distribution(options) && read_index(options) && read_files(options);
    *status = valid ? EXIT_OK : EXIT_USAGE;
    return valid;
}

bool bench_options_read_frame(bench_options *options, int argc, const char **argv, int *status) {
    if (!read_options(options, frame_table, 10, 5, argc, argv, status)) return false;
    bool valid = read_kernels(options) && check_baselines(options);
    *status = valid ? EXIT_OK : EXIT_USAGE;
    return valid;
}

bool bench_options_read_behaviours(bench_options *options, int argc, const char **argv, int *status) {
    if (!read_options(options, behaviours_table, 2, 21, argc, argv, status)) return false;
    bool valid = read_one_kernel(options);
    *status = valid ? EXIT_OK : EXIT_USAGE;
    return valid;
}

void bench_options_free(bench_options *options) {
    command_line_free(&options->line);
}
