/* SPDX-License-Identifier: MIT */
#include "harness/report/message.h"
#include "harness/measure/frame_rows.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/report/numbers.h"
#include "harness/report/output_file.h"
#include "harness/command/progress.h"
#include "harness/scale/findings.h"
#include "harness/report/gnuplot.h"
#include "harness/scale/measure.h"
#include "harness/scale/report.h"
#include "harness/scale/sweep_table.h"

#include <stdlib.h>
#include <string.h>

typedef struct scale_run {
    const scale_options *options;
    const char *command;
    machine machine;
    double load; /* of the system before measuring */
    char *folder;
    scale_plan plan;
    scale_results *results;

    run_progress progress;
    const plan_batch *at;                 /* what is being measured */
    double seconds_planned, seconds_done; /* as the plan estimates */
    int rows_planned, rows_measured;
} scale_run;

static bool is_silent(const scale_run *run) {
    return run->options->quiet || output_file_is_stdout(run->options->csv);
}

/* ---- before ----------------------------------------------------------------------------------------------------------- */

static dunlin_result make_plan(scale_run *run, dunlin_error *error) {
    plan_limits limits = {0};
    run->results = calloc(1, sizeof *run->results);
    if (!run->results) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for results");
    dunlin_result result = measure_limits(run->options, &limits, error);
    if (result == DUNLIN_OK) result = scale_plan_make(&run->plan, run->options, &run->machine, &limits, error);
    for (int i = 0; i < run->plan.count; i++) {
        run->rows_planned += run->plan.batches[i].count;
        run->seconds_planned += plan_batch_seconds(&run->plan.batches[i]);
    }
    return result;
}

static dunlin_result prepare(scale_run *run, dunlin_error *error) {
    if (run->options->csv) {
        dunlin_result result = frame_rows_check_csv(run->options->csv, error);
        if (result != DUNLIN_OK) return result;
    }
    dunlin_result result = output_folder_make(run->options->output, &run->folder, error);
    return result == DUNLIN_OK ? make_plan(run, error) : result;
}

/* ---- measuring -------------------------------------------------------------------------------------------------------- */

static bool report_progress(void *context, double seconds_done) {
    scale_run *run = context;
    char what[80];
    snprintf(what, sizeof what, "%s in %dD", sweep_title(run->at->sweep), run->at->dimensions);
    progress_show(&run->progress, (run->seconds_done + seconds_done) / run->seconds_planned, what);
    return interrupt_signal() == 0;
}

/* Rows are written to disk as soon as they are measured. */
static dunlin_result keep_rows(const scale_run *run, sweep_kind sweep, const frame_row *rows, int count, dunlin_error *error) {
    char *path = output_folder_path(run->folder, "%s.csv", sweep_name(sweep));
    if (!path) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
    dunlin_result result = frame_rows_append_csv(path, &run->machine, rows, count, error);
    free(path);
    if (result != DUNLIN_OK || !run->options->csv) return result;
    return frame_rows_append_csv(run->options->csv, &run->machine, rows, count, error);
}

/* After the sweep's last batch in 2D or in 3D. */
static void print_sweep(const scale_run *run, const plan_batch *batch) {
    const sweep_rows *rows = &run->results->of[batch->sweep][batch->dimensions];
    if (rows->count == 0 || is_silent(run)) return;
    table t = sweep_table(batch->sweep, rows);
    printf("\n%s in %dD\n\n", sweep_title(batch->sweep), batch->dimensions);
    table_print(stdout, &t);
    putchar('\n');
    findings_write(stdout, &run->machine, batch->sweep, rows);
    fflush(stdout);
    table_free(&t);
}

static bool is_last_of_sweep(const scale_run *run, int batch) {
    const plan_batch *one = &run->plan.batches[batch], *next = one + 1;
    return batch + 1 == run->plan.count || next->sweep != one->sweep || next->dimensions != one->dimensions;
}

static dunlin_result measure_one(scale_run *run, const plan_batch *batch, dunlin_error *error) {
    sweep_rows *rows = &run->results->of[batch->sweep][batch->dimensions];
    int before = rows->count;
    run->at = batch;
    dunlin_result result = measure_batch(batch, rows, report_progress, run, error);
    int added = rows->count - before;
    if (result == DUNLIN_OK && added > 0) result = keep_rows(run, batch->sweep, rows->row + before, added, error);
    run->rows_measured += added;
    run->seconds_done += plan_batch_seconds(batch);
    return result;
}

static dunlin_result measure_all(scale_run *run, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    run->progress = progress_begin("row", (uint64_t)run->rows_planned, !run->options->quiet);
    for (int i = 0; i < run->plan.count && result == DUNLIN_OK && interrupt_signal() == 0; i++) {
        result = measure_one(run, &run->plan.batches[i], error);
        bool last = result != DUNLIN_OK || interrupt_signal() != 0 || is_last_of_sweep(run, i);
        if (!last) continue;
        progress_end(&run->progress);
        print_sweep(run, &run->plan.batches[i]);
    }
    progress_end(&run->progress);
    return result;
}

/* ---- after ------------------------------------------------------------------------------------------------------------ */

static dunlin_result make_plots(const scale_run *run, plot_list drawn[SWEEPS], dunlin_error *error) {
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        plot_list wanted;
        dunlin_result result = plots_write(run->folder, &run->machine, (sweep_kind)sweep, run->results, &wanted, error);
        if (result != DUNLIN_OK) return result;
        for (int i = 0; i < wanted.count; i++)
            if (plot_draw(run->folder, wanted.name[i]))
                memcpy(drawn[sweep].name[drawn[sweep].count++], wanted.name[i], PLOT_NAME);
    }
    return DUNLIN_OK;
}

/* What was measured is reported even after a failure, which `problem` describes. */
static dunlin_result finish(const scale_run *run, const char *problem, dunlin_error *error) {
    scale_report report = {.folder = run->folder,
                           .command = run->command,
                           .host = &run->machine,
                           .load = run->load,
                           .results = run->results,
                           .quick = run->options->quick,
                           .problem = problem,
                           .rows_planned = run->rows_planned,
                           .rows_measured = run->rows_measured};
    dunlin_result result = DUNLIN_OK;
    if (!run->options->no_plots) result = make_plots(run, report.drawn, error);
    if (result == DUNLIN_OK) result = scale_report_write(&report, error);
    if (result != DUNLIN_OK) return result;
    if (is_silent(run)) return result;
    fputs("\nreport: ", stdout);
    message_write(stdout, "%s/%s", run->folder, REPORT_NAME);
    putchar('\n');
    return result;
}

static void print_head(const scale_run *run) {
    char time[NUMBER_LENGTH];
    if (is_silent(run)) return;
    number_duration(run->seconds_planned, time);
    machine_print(stdout, &run->machine);
    report_print_load(stdout, run->load);
    printf("\n%d rows, roughly %s; results go to ", run->rows_planned, time);
    message_write(stdout, "%s", run->folder);
    putchar('\n');
    fflush(stdout);
}

static dunlin_result scale(scale_run *run, dunlin_error *error) {
    dunlin_result result = prepare(run, error);
    if (result != DUNLIN_OK) return result;
    print_head(run);
    interrupt_watch("repeat");
    result = measure_all(run, error);
    if (result == DUNLIN_OK) return finish(run, NULL, error);
    dunlin_error later;
    if (run->rows_measured > 0 && finish(run, error->message, &later) != DUNLIN_OK) {
        message_print("%s", later.message);
    }
    return result;
}

static void clean_up(scale_run *run) {
    scale_plan_free(&run->plan);
    free(run->results);
    free(run->folder);
}

/* "dunlin scale --quick"; truncated if it is too long. */
static void join(int argc, const char **argv, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < argc && length < size; i++) {
        length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? " " : "", argv[i]);
    }
}

int command_scale(int argc, const char **argv) {
    scale_options options;
    char command[512];
    int status;
    join(argc, argv, command, sizeof command);
    if (scale_options_read(&options, argc, argv, &status)) {
        scale_run run = {.options = &options, .command = command, .machine = machine_describe()};
        if (getloadavg(&run.load, 1) != 1) run.load = 0.0;
        dunlin_error error;
        status = command_end(scale(&run, &error), &error, NULL);
        clean_up(&run);
    }
    options_free(&options.read);
    return status;
}
