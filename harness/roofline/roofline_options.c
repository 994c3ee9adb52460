/* SPDX-License-Identifier: MIT */
#include "harness/roofline/roofline_options.h"
#include "harness/command/commands.h"
#include "harness/command/kernel_names.h"

#include <stdio.h>
#include <string.h>

enum {
    OPTION_DIMENSIONS = OPTION_HELP + 1,
    OPTION_AGENTS,
    OPTION_NEIGHBOURS,
    OPTION_KERNEL,
    OPTION_THREADS,
    OPTION_REPEAT,
    OPTION_QUICK,
    OPTION_JSON,
    OPTION_CSV,
    OPTION_OUTPUT
};

static const struct poptOption options_table[] = {
    TEXT_OPTION("dimensions", OPTION_DIMENSIONS, "2, 3 or both; default: both", "N"),
    TEXT_OPTION("agents", OPTION_AGENTS, "fly N agents; default: 1000000, with --quick 250000", "N"),
    TEXT_OPTION("neighbours", OPTION_NEIGHBOURS, "size the world for N neighbours within the radius; default: 20", "N"),
    TEXT_OPTION("kernel", OPTION_KERNEL, "measure this kernel, or all that run here; default: all", "NAME"),
    TEXT_OPTION("threads", OPTION_THREADS, "fly with N threads; default: 1", "N"),
    TEXT_OPTION("repeat", OPTION_REPEAT, "fly N times and take the median; default: 5, with --quick 3", "N"),
    FLAG_OPTION("quick", OPTION_QUICK, "take half a minute: fewer agents, steps and repeats"),
    TEXT_OPTION("json", OPTION_JSON, "write everything as JSON; -: to standard output, in place of the tables", "FILE"),
    TEXT_OPTION("csv", OPTION_CSV, "write bounds and what was reached as CSV; -: to standard output, in place of the tables",
                "FILE"),
    TEXT_OPTION("output", OPTION_OUTPUT, "write a report with plots into this folder, which must be new or empty", "FOLDER"),
    COMMAND_LINE_HELP,
    POPT_TABLEEND};

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

static bool reject_kernel(const char *text) {
    char names[KERNEL_NAMES], allowed[KERNEL_NAMES + 16];
    kernel_list(names, true);
    snprintf(allowed, sizeof allowed, "all, auto, %s", names);
    return command_line_reject("kernel", text, allowed);
}

/* Every kernel that is wanted and runs here; those that don't are told of among the ceilings. */
static bool read_kernel(roofline_options *options) {
    roofline_plan *plan = &options->plan;
    const char *text = options->line.text[OPTION_KERNEL];
    if (!text) text = "all";
    const char *wanted = strcmp(text, "auto") == 0 ? kernel_automatic() : text;
    for (int i = 0; i < dunlin_kernel_count() && plan->kernel_count < ROOFLINE_KERNELS_MOST; i++) {
        const dunlin_kernel_info kernel = dunlin_kernel_at(i);
        if (!kernel.runs_here || (strcmp(wanted, "all") != 0 && strcmp(wanted, kernel.name) != 0)) continue;
        plan->kernels[plan->kernel_count++] = kernel.name;
    }
    return plan->kernel_count > 0 || reject_kernel(text);
}

/* ---- the rest --------------------------------------------------------------------------------------------------------- */

static bool read_dimensions(roofline_options *options) {
    const char *text = options->line.text[OPTION_DIMENSIONS];
    roofline_plan *plan = &options->plan;
    plan->flies[2] = !text || strcmp(text, "both") == 0 || strcmp(text, "2") == 0;
    plan->flies[3] = !text || strcmp(text, "both") == 0 || strcmp(text, "3") == 0;
    return plan->flies[2] || plan->flies[3] || command_line_reject("dimensions", text, "2, 3, both");
}

static bool read_numbers(roofline_options *options) {
    const command_line *line = &options->line;
    roofline_plan *plan = &options->plan;
    uint64_t agents = plan->quick ? 250000 : 1000000, threads = 1, repeats = plan->quick ? 3 : 5;
    bool valid = command_line_number(line, OPTION_AGENTS, "agents", 1, UINT32_MAX - 1, &agents) &&
                 command_line_decimal(line, OPTION_NEIGHBOURS, "neighbours", 0.01, 1e6, &plan->neighbours) &&
                 command_line_number(line, OPTION_THREADS, "threads", 1, 1024, &threads) &&
                 command_line_number(line, OPTION_REPEAT, "repeat", 1, 1000, &repeats);
    plan->agents = (uint32_t)agents;
    plan->threads = (int)threads;
    plan->repeats = (int)repeats;
    return valid;
}

static bool read_files(roofline_options *options) {
    options->json = options->line.text[OPTION_JSON];
    options->csv = options->line.text[OPTION_CSV];
    options->output = options->line.text[OPTION_OUTPUT];
    if (!options->json || !options->csv || strcmp(options->json, options->csv) != 0) return true;
    fputs("dunlin: --json and --csv cannot go to the same place\n", stderr);
    return false;
}

bool roofline_options_read(roofline_options *options, int argc, const char **argv, int *status) {
    *options = (roofline_options){.plan = {.neighbours = 20.0}};
    if (!command_line_read(&options->line, argc, argv, options_table, NULL, status)) return false;
    options->plan.quick = options->line.given[OPTION_QUICK];
    bool valid = read_dimensions(options) && read_numbers(options) && read_files(options) && read_kernel(options);
    *status = valid ? EXIT_OK : EXIT_USAGE;
    return valid;
}

void roofline_options_free(roofline_options *options) {
    command_line_free(&options->line);
}
