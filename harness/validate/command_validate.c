/* SPDX-License-Identifier: MIT */
/* `dunlin validate`: flies every trial, compares it with what was published, and keeps what it measured. */
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/command/options.h"
#include "harness/command/progress.h"
#include "harness/report/claim.h"
#include "harness/report/csv.h"
#include "harness/report/json.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/validate/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct validate_options {
    bool kinds[TRIAL_KINDS];
    int threads;
    const char *output; /* folder */
    const char *page, *json, *csv;
    bool quick, fresh, quiet;
    option_values read;
} validate_options;

typedef struct validate_run {
    validate_options options;
    machine machine;
    results_stamp stamp;
    char *path; /* of the file of results */
    trial_results *results;
    output_file json;

    run_progress progress;
    const trial *at; /* what is being flown */
    double seconds_all, seconds_done;
} validate_run;

static bool read_options(validate_options *options, int argc, const char **argv, int *status) {
    *options = (validate_options){.output = "validation"};
    memset(options->kinds, true, sizeof options->kinds);
    const option_row rows[] = {
        ROW_NAMES("only", options->kinds, trial_kind_names, TRIAL_KINDS,
                  "only these, with commas between: circles, vicsek, couzin, topological, matching"),
        ROW_THREADS(&options->threads),
        ROW_OUTPUT(&options->output,
                   "leave validation.csv and plots here, and continue what the same commit left there; default: validation"),
        ROW_JSON(&options->json),
        ROW_CSV(&options->csv),
        ROW("page", OPTION_TEXT, &options->page, "FILE.md", "rewrite the tables of this page, docs/validation.md"),
        ROW("fresh", OPTION_FLAG, &options->fresh, NULL, "begin anew: forget the folder's validation.csv"),
        ROW_QUICK(&options->quick, "everything small and with wider ranges: seconds instead of minutes"),
        ROW_QUIET(&options->quiet),
    };
    if (!options_read(&options->read, argc, argv, rows, sizeof rows / sizeof *rows, NULL, status)) return false;
    bool is_valid = true;
    /* The page has figures that are compared with what was published. */
    if (options->page && options->quick)
        is_valid = option_reject("page", options->page, "none with --quick, whose figures are not for the page");
    *status = is_valid ? EXIT_OK : EXIT_USAGE;
    return is_valid;
}

/* Whether standard output has no tables. */
static bool is_silent(const validate_run *run) {
    const validate_options *options = &run->options;
    return options->quiet || output_file_is_stdout(options->json) || output_file_is_stdout(options->csv);
}

/* ---- before ----------------------------------------------------------------------------------------------------------- */

static dunlin_result claim_outputs(const validate_options *options, dunlin_error *error) {
    const dunlin_result result = options_claim_outputs(options->json, options->csv, error);
    return result == DUNLIN_OK ? claim_output("--page", options->page, error) : result;
}

/* Every problem with a path is found before the first step. */
static dunlin_result prepare(validate_run *run, dunlin_error *error) {
    const validate_options *options = &run->options;
    run->results = calloc(1, sizeof *run->results);
    run->path = output_folder_path(options->output, "validation.csv");
    if (!run->results || !run->path) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for results");
    trials_make(&run->results->list, options->quick);
    dunlin_result result = claim_outputs(options, error);
    if (result == DUNLIN_OK && options->page) result = page_update(options->page, run->results, NULL, error);
    if (result == DUNLIN_OK) result = output_file_open(&run->json, options->json, error);
    if (result == DUNLIN_OK && options->csv) result = csv_check(options->csv, verdict_csv_header, error);
    if (result == DUNLIN_OK) result = output_folder_keep(options->output, error);
    if (result == DUNLIN_OK) result = claim_output("--output", run->path, error);
    if (result == DUNLIN_OK) result = claim_inside("--output", options->output, PLOTS_NAME, error);
    if (result != DUNLIN_OK) return result;
    if (options->fresh && unlink(run->path) != 0 && errno != ENOENT)
        return bench_fail(error, DUNLIN_ERROR_FILE, "cannot remove %s: %s", run->path, strerror(errno));
    return results_read(run->results, run->path, &run->stamp, error);
}

static bool is_wanted(const validate_run *run, int number) {
    return run->options.kinds[run->results->list.at[number].kind];
}

static bool is_missing(const validate_run *run, int number) {
    return is_wanted(run, number) && !run->results->of[number].is_there;
}

/* Says what has been measured already, and how long the rest will take. */
static void announce(validate_run *run) {
    int present = 0, missing = 0;
    char time[NUMBER_LENGTH];
    for (int i = 0; i < run->results->list.count; i++) {
        present += is_wanted(run, i) && !is_missing(run, i);
        missing += is_missing(run, i);
        if (is_missing(run, i)) run->seconds_all += trial_seconds(&run->results->list.at[i], run->options.threads);
    }
    if (present > 0 && !is_silent(run)) {
        message_write(stdout, "%d trials are in %s already", present, run->path);
        putchar('\n');
        fflush(stdout);
    }
    if (missing == 0 || run->options.quiet) return;
    number_duration(run->seconds_all, time);
    fprintf(stderr, "flying %d trial%s, about %s with %d thread%s of an idle machine%s\n", missing, missing == 1 ? "" : "s",
            time, run->options.threads, run->options.threads == 1 ? "" : "s",
            run->options.quick ? "" : "; --quick takes seconds");
}

/* ---- flying ----------------------------------------------------------------------------------------------------------- */

static bool report_progress(void *context, double share) {
    validate_run *run = context;
    char what[96];
    const double seconds = share * trial_seconds(run->at, run->options.threads);
    snprintf(what, sizeof what, "%s, %s", trial_kind_names[run->at->kind], run->at->name);
    progress_show(&run->progress, (run->seconds_done + seconds) / run->seconds_all, what);
    return interrupt_signal() == 0;
}

static dunlin_result fly(validate_run *run, int number, dunlin_error *error) {
    trial_result *of = &run->results->of[number];
    run->at = &run->results->list.at[number];
    trial_flight flight = {run->at, run->options.threads, report_progress, run, error, DUNLIN_OK, false, 0, 0};
    of->is_there = trial_fly(&flight, of->samples);
    run->seconds_done += trial_seconds(run->at, run->options.threads);
    return of->is_there ? results_append(run->path, &run->stamp, run->at, of->samples, error) : flight.result;
}

static void print_kind(validate_run *run, trial_kind kind) {
    progress_end(&run->progress);
    if (is_silent(run)) return;
    table t = verdict_table(run->results, kind, false);
    if (t.count > 0) printf("\n%s\n\n", trial_kind_names[kind]);
    table_print(stdout, &t);
    fflush(stdout);
    table_free(&t);
}

static dunlin_result fly_all(validate_run *run, dunlin_error *error) {
    const trial_list *list = &run->results->list;
    dunlin_result result = DUNLIN_OK;
    run->progress = progress_begin("trial", (uint64_t)list->count, !run->options.quiet);
    run->progress.expected = run->seconds_all;
    for (int kind = 0; kind < TRIAL_KINDS && result == DUNLIN_OK && interrupt_signal() == 0; kind++) {
        for (int i = 0; i < list->count && result == DUNLIN_OK && interrupt_signal() == 0; i++)
            if (list->at[i].kind == (trial_kind)kind && is_missing(run, i)) result = fly(run, i, error);
        if (run->options.kinds[kind]) print_kind(run, (trial_kind)kind);
    }
    return result;
}

/* ---- after ------------------------------------------------------------------------------------------------------------ */

/* The number of measured trials that are not as published. */
static int count_off(const validate_run *run) {
    int off = 0;
    for (int i = 0; i < run->results->list.count; i++)
        off += is_wanted(run, i) && run->results->of[i].is_there && !verdict_holds(run->results, i);
    if (off > 0 && !output_file_is_stdout(run->options.json) && !output_file_is_stdout(run->options.csv))
        printf("\n%d %s off\n", off, off == 1 ? "trial is" : "trials are");
    else if (!is_silent(run))
        puts("\nall as published");
    return off;
}

/* One that cannot be written costs no other. */
static dunlin_result leave_files(validate_run *run, dunlin_error *error) {
    const validate_options *options = &run->options;
    char subtitle[128], by[160];
    snprintf(subtitle, sizeof subtitle, "dunlin validate%s, commit %.40s", options->quick ? " --quick" : "", run->stamp.commit);
    snprintf(by, sizeof by, "Measured by `dunlin validate` at commit %.40s, %.10s.", run->stamp.commit, run->machine.date);
    dunlin_error own;
    dunlin_result first = plots_draw(options->output, run->results, subtitle, error), next;
    next = json_write_rows(&run->json, &run->machine, verdict_json(run->results, options->kinds), &own);
    first = first_failure(first, error, next, &own);
    next = DUNLIN_OK;
    if (options->csv)
        next =
            json_append_csv(options->csv, verdict_csv_header, &run->machine, verdict_json(run->results, options->kinds), &own);
    first = first_failure(first, error, next, &own);
    next = options->page ? page_update(options->page, run->results, by, &own) : DUNLIN_OK;
    return first_failure(first, error, next, &own);
}

static dunlin_result validate(validate_run *run, int *off, dunlin_error *error) {
    run->machine = machine_describe();
    run->stamp = (results_stamp){run->machine.commit, run->options.quick ? "quick" : "full"};
    if (run->options.threads == 0) run->options.threads = run->machine.threads;
    dunlin_result result = prepare(run, error);
    if (result != DUNLIN_OK) return result;
    announce(run);
    interrupt_watch("trial");
    result = fly_all(run, error);
    if (result != DUNLIN_OK || interrupt_signal() != 0) return result;
    *off = count_off(run);
    return leave_files(run, error);
}

int command_validate(int argc, const char **argv) {
    validate_run run = {0};
    int status;
    if (read_options(&run.options, argc, argv, &status)) {
        int off = 0;
        dunlin_error error;
        status = command_end(validate(&run, &off, &error), &error, "stopped; the same command continues from here");
        if (status == EXIT_OK && off > 0) status = EXIT_RUNTIME;
        output_file_drop(&run.json);
        free(run.results);
        free(run.path);
    }
    options_free(&run.options.read);
    return status;
}
