/* SPDX-License-Identifier: MIT */
#include "../bench/fail.h"
#include "../commands.h"
#include "../interrupt.h"
#include "../output_file.h"
#include "../scale/gnuplot.h"
#include "../scale/output_folder.h"
#include "roofline_options.h"
#include "roofline_plots.h"
#include "roofline_tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct roofline_run {
    const roofline_options *options;
    roofline *result;
    output_file json, csv;
    char *folder; /* NULL: not wanted */
} roofline_run;

static bool to_stdout(const char *path) {
    return path != NULL && strcmp(path, "-") == 0;
}

/* ---- before ----------------------------------------------------------------------------------------------------------- */

/* Everything that can be wrong with a path is found before measuring. */
static dunlin_result open_files(roofline_run *run, dunlin_error *error) {
    const roofline_options *options = run->options;
    dunlin_result result = DUNLIN_OK;
    if (!to_stdout(options->json)) result = output_file_open(&run->json, options->json, error);
    if (result == DUNLIN_OK && !to_stdout(options->csv)) result = output_file_open(&run->csv, options->csv, error);
    if (result != DUNLIN_OK || options->output == NULL) return result;
    return output_folder_make(options->output, &run->folder, error);
}

static dunlin_result measure(roofline_run *run, dunlin_error *error) {
    run->result = calloc(1, sizeof *run->result);
    if (run->result == NULL) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for results");
    interrupt_watch();
    return roofline_measure(&run->options->plan, run->result, error);
}

/* ---- after ------------------------------------------------------------------------------------------------------------ */

static dunlin_result write_json(roofline_run *run, dunlin_error *error) {
    const char *path = to_stdout(run->options->json) ? "-" : run->json.work_path;
    if (path == NULL) return DUNLIN_OK;
    dunlin_result result = roofline_write_json(path, run->result, error);
    return result == DUNLIN_OK ? output_file_finish(&run->json, error) : result;
}

static dunlin_result write_csv(roofline_run *run, dunlin_error *error) {
    const char *path = to_stdout(run->options->csv) ? "-" : run->csv.work_path;
    if (path == NULL) return DUNLIN_OK;
    dunlin_result result = roofline_write_csv(path, run->result, error);
    return result == DUNLIN_OK ? output_file_finish(&run->csv, error) : result;
}

static dunlin_result write_report(const roofline_run *run, const char *const *plots, dunlin_error *error) {
    char *path = output_folder_path(run->folder, REPORT_NAME);
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    bool written = file != NULL;
    if (file != NULL) {
        roofline_print_markdown(file, run->result, plots);
        written = !ferror(file);
        written = fclose(file) == 0 && written;
    }
    free(path);
    if (written) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot write %s/%s: %s", run->folder, REPORT_NAME, strerror(errno));
}

/* Without gnuplot there is a report without pictures, and scripts to draw them with elsewhere. */
static dunlin_result write_folder(const roofline_run *run, dunlin_error *error) {
    const char *plots[ROOFLINE_PLOTS], *none[] = {NULL};
    if (run->folder == NULL) return DUNLIN_OK;
    dunlin_result result = roofline_plots_write(run->folder, run->result, plots, error);
    bool drawn = gnuplot_is_there();
    if (!drawn) fputs("dunlin: there is no gnuplot here, so plots are left as scripts\n", stderr);
    for (int i = 0; result == DUNLIN_OK && drawn && plots[i] != NULL; ++i) {
        if (!gnuplot_run(run->folder, plots[i])) {
            result =
                bench_fail(error, DUNLIN_ERROR_FILE, "gnuplot could not draw %s/%s/%s.gp", run->folder, PLOTS_NAME, plots[i]);
        }
    }
    return result == DUNLIN_OK ? write_report(run, drawn ? plots : none, error) : result;
}

static dunlin_result report(roofline_run *run, dunlin_error *error) {
    const roofline_options *options = run->options;
    if (!to_stdout(options->json) && !to_stdout(options->csv)) roofline_print(stdout, run->result);
    dunlin_result result = write_json(run, error);
    if (result == DUNLIN_OK) result = write_csv(run, error);
    return result == DUNLIN_OK ? write_folder(run, error) : result;
}

static int roofline_all(const roofline_options *options) {
    roofline_run run = {.options = options};
    dunlin_error error;
    dunlin_result result = open_files(&run, &error);
    if (result == DUNLIN_OK) result = measure(&run, &error);
    if (result == DUNLIN_OK) result = report(&run, &error);
    output_file_drop(&run.json);
    output_file_drop(&run.csv);
    free(run.folder);
    free(run.result);
    return command_end(result, &error, "stopped before everything was measured");
}

int command_roofline(int argc, const char **argv) {
    roofline_options options;
    int status;
    if (roofline_options_read(&options, argc, argv, &status)) status = roofline_all(&options);
    roofline_options_free(&options);
    return status;
}
