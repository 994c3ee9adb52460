/* SPDX-License-Identifier: MIT */
#include "harness/report/message.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/report/output_file.h"
#include "harness/report/gnuplot.h"
#include "harness/roofline/roofline_options.h"
#include "harness/roofline/roofline_plots.h"
#include "harness/roofline/roofline_tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct roofline_run {
    const roofline_options *options;
    roofline *result;
    output_file json;
    char *folder; /* NULL: not wanted */
} roofline_run;

/* ---- before ----------------------------------------------------------------------------------------------------------- */

/* Every problem with a path is found before measuring. */
static dunlin_result open_files(roofline_run *run, dunlin_error *error) {
    const roofline_options *options = run->options;
    dunlin_result result = output_file_open(&run->json, options->json, error);
    if (result == DUNLIN_OK && options->csv) result = roofline_check_csv(options->csv, error);
    if (result != DUNLIN_OK || !options->output) return result;
    return output_folder_make(options->output, &run->folder, error);
}

static dunlin_result measure(roofline_run *run, dunlin_error *error) {
    run->result = calloc(1, sizeof *run->result);
    if (!run->result) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for results");
    interrupt_watch("measurement");
    return roofline_measure(&run->options->plan, run->result, error);
}

/* ---- after ------------------------------------------------------------------------------------------------------------ */

static dunlin_result write_report(const roofline_run *run, const char *const *plots, dunlin_error *error) {
    char *path = output_folder_path(run->folder, REPORT_NAME);
    if (!path) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
    output_file file;
    dunlin_result result = output_file_open(&file, path, error);
    if (result == DUNLIN_OK) {
        roofline_print_markdown(file.stream, run->result, plots);
        result = output_file_finish(&file, error);
    }
    free(path);
    return result;
}

/* Without gnuplot there is a report without pictures, and scripts to draw them with elsewhere. */
static dunlin_result write_folder(const roofline_run *run, dunlin_error *error) {
    const char *plots[ROOFLINE_PLOTS];
    if (!run->folder) return DUNLIN_OK;
    dunlin_result result = roofline_plots_write(run->folder, run->result, plots, error);
    int drawn = 0;
    for (int i = 0; result == DUNLIN_OK && plots[i]; i++)
        if (plot_draw(run->folder, plots[i])) plots[drawn++] = plots[i];
    plots[drawn] = NULL;
    return result == DUNLIN_OK ? write_report(run, plots, error) : result;
}

static dunlin_result report(roofline_run *run, dunlin_error *error) {
    const roofline_options *options = run->options;
    bool is_silent = options->plan.quiet || output_file_is_stdout(options->json) || output_file_is_stdout(options->csv);
    if (!is_silent) roofline_print(stdout, run->result);
    dunlin_result result = roofline_write_json(&run->json, run->result, error);
    if (result == DUNLIN_OK && options->csv) result = roofline_append_csv(options->csv, run->result, error);
    return result == DUNLIN_OK ? write_folder(run, error) : result;
}

static int roofline_all(const roofline_options *options) {
    roofline_run run = {.options = options};
    dunlin_error error;
    dunlin_result result = open_files(&run, &error);
    if (result == DUNLIN_OK) result = measure(&run, &error);
    if (result == DUNLIN_OK) result = report(&run, &error);
    output_file_drop(&run.json);
    free(run.folder);
    free(run.result);
    return command_end(result, &error, "stopped before everything was measured");
}

int command_roofline(int argc, const char **argv) {
    roofline_options options;
    int status;
    if (roofline_options_read(&options, argc, argv, &status)) status = roofline_all(&options);
    options_free(&options.read);
    return status;
}
