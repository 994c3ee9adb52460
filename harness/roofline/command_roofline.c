/* SPDX-License-Identifier: MIT */
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/command/kernel_names.h"
#include "harness/command/options.h"
#include "harness/report/claim.h"
#include "harness/report/gnuplot.h"
#include "harness/report/message.h"
#include "harness/roofline/roofline.h"

#include <stdlib.h>
#include <string.h>

/* What `dunlin roofline` was asked for. Paths are those to write to, "-": standard output; NULL: not wanted. */
typedef struct roofline_options {
    roofline_plan plan;
    const char *kernel;
    const char *json, *csv;
    const char *output; /* folder for the report and its plots */
    option_values read; /* owns the strings */
} roofline_options;

/* ---- before ----------------------------------------------------------------------------------------------------------- */

/* Every wanted kernel that runs here. The table of ceilings names the others. */
static void choose_kernels(roofline_options *options) {
    roofline_plan *plan = &options->plan;
    const char *wanted = strcmp(options->kernel, "auto") == 0 ? kernel_automatic() : options->kernel;
    for (int i = 0; i < dunlin_kernel_count() && plan->kernel_count < ROOFLINE_MAX_KERNELS; i++) {
        const dunlin_kernel_info kernel = dunlin_kernel_at(i);
        if (!kernel.runs_here || (strcmp(wanted, "all") != 0 && strcmp(wanted, kernel.name) != 0)) continue;
        plan->kernels[plan->kernel_count++] = kernel.name;
    }
}

/* Like run_options_read(). */
static bool read_options(roofline_options *options, int argc, const char **argv, int *status) {
    *options = (roofline_options){.plan = {.neighbours = 20.0, .runs = {[2] = true, [3] = true}}, .kernel = "all"};
    roofline_plan *plan = &options->plan;
    const option_row rows[] = {
        ROW_DIMENSIONS(plan->runs),
        ROW_AGENTS(&plan->agents, "run N agents; default: 1 million, with --quick 250 000"),
        ROW_NEIGHBOURS(&plan->neighbours),
        ROW_KERNEL(&options->kernel, "measure this kernel, or all that run here; default: all"),
        ROW_THREADS(&plan->threads),
        ROW_REPEAT(&plan->repeats, "measure N times and take the median; default: 5, with --quick 3"),
        ROW_QUICK(&plan->quick, "take half a minute: fewer agents, steps and repeats"),
        ROW_JSON(&options->json),
        ROW_CSV(&options->csv),
        ROW_OUTPUT(&options->output, "write a report with a plot into this folder, which must be new or empty"),
        ROW_QUIET(&plan->quiet),
    };
    if (!options_read(&options->read, argc, argv, rows, sizeof rows / sizeof *rows, NULL, status)) return false;
    if (plan->agents == 0) plan->agents = plan->quick ? 250000 : 1000000;
    if (plan->repeats == 0) plan->repeats = plan->quick ? 3 : 5;
    choose_kernels(options);
    bool is_valid = plan->kernel_count > 0 || kernel_reject(options->kernel, "all, ");
    *status = is_valid ? EXIT_OK : EXIT_USAGE;
    return is_valid;
}

/* ---- after ------------------------------------------------------------------------------------------------------------ */

static dunlin_result write_report(const char *folder, const roofline *r, bool has_plot, dunlin_error *error) {
    char *path = output_folder_path(folder, REPORT_NAME);
    if (!path) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
    output_file file;
    dunlin_result result = output_file_open(&file, path, error);
    if (result == DUNLIN_OK) {
        fputs("# Roofline\n\nWhat `dunlin roofline` measured on this machine; docs/benchmarking.md says how to read it.\n\n",
              file.stream);
        if (has_plot) fputs("![operations per second over operations per byte](plots/" ROOFLINE_PLOT ".svg)\n\n", file.stream);
        fputs("```text\n", file.stream);
        roofline_print(file.stream, r);
        fputs("```\n", file.stream);
        result = output_file_finish(&file, error);
    }
    free(path);
    return result;
}

/* Without gnuplot the report has no picture, and there is a script to draw it elsewhere. */
static dunlin_result write_folder(const char *folder, const roofline *r, dunlin_error *error) {
    const bool has_rows = r->row_count > 0;
    dunlin_result result = has_rows ? roofline_write_plot(folder, r, error) : DUNLIN_OK;
    return result == DUNLIN_OK ? write_report(folder, r, has_rows && plot_draw(folder, ROOFLINE_PLOT), error) : result;
}

static dunlin_result report(const roofline_options *options, const roofline *r, output_file *json, const char *folder,
                            dunlin_error *error) {
    bool is_silent = options->plan.quiet || output_file_is_stdout(options->json) || output_file_is_stdout(options->csv);
    if (!is_silent) roofline_print(stdout, r);
    dunlin_error own;
    dunlin_result first = roofline_write_json(json, r, error), next = DUNLIN_OK;
    if (options->csv) next = roofline_append_csv(options->csv, r, &own);
    first = first_failure(first, error, next, &own);
    next = folder ? write_folder(folder, r, &own) : DUNLIN_OK;
    return first_failure(first, error, next, &own);
}

/* Every problem with a path is found before measuring. */
static int measure_and_report(const roofline_options *options) {
    output_file json = {.stream = NULL};
    char *folder = NULL;
    dunlin_error error;
    dunlin_result result = options_claim_outputs(options->json, options->csv, &error);
    if (result == DUNLIN_OK) result = claim_folder("--output", options->output, &error);
    if (result == DUNLIN_OK) result = output_file_open(&json, options->json, &error);
    if (result == DUNLIN_OK && options->csv) result = roofline_check_csv(options->csv, &error);
    if (result == DUNLIN_OK && options->output) result = output_folder_make(options->output, &folder, &error);
    roofline *r = calloc(1, sizeof *r);
    if (result == DUNLIN_OK && !r) result = bench_fail(&error, DUNLIN_ERROR_MEMORY, "no memory for results");
    interrupt_watch("measurement");
    if (result == DUNLIN_OK) result = roofline_measure(&options->plan, r, &error);
    if (result == DUNLIN_OK) result = report(options, r, &json, folder, &error);
    output_file_drop(&json);
    free(folder);
    free(r);
    return command_end(result, &error, "stopped before everything was measured");
}

int command_roofline(int argc, const char **argv) {
    roofline_options options;
    int status;
    if (read_options(&options, argc, argv, &status)) status = measure_and_report(&options);
    options_free(&options.read);
    return status;
}
