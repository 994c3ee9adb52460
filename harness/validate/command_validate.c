/* SPDX-License-Identifier: MIT */
/* `dunlin validate`: flies every trial, compares it with what was published, and keeps what it measured. */
#include "harness/report/message.h"
#include "harness/report/machine.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/command/progress.h"
#include "harness/report/output_file.h"
#include "harness/validate/page.h"
#include "harness/validate/plots.h"
#include "harness/validate/validate_options.h"
#include "harness/validate/verdict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct validate_run {
    const validate_options *options;
    machine machine;
    results_stamp stamp;
    char *path; /* of the file of results */
    trial_results *results;

    run_progress progress;
    const trial *at; /* what is being flown */
    double seconds_all, seconds_done;
} validate_run;

static bool is_wanted(const validate_run *run, int number) {
    return run->options->kinds[run->results->list.at[number].kind];
}

/* ---- before ----------------------------------------------------------------------------------------------------------- */

static dunlin_result prepare(validate_run *run, dunlin_error *error) {
    const validate_options *options = run->options;
    run->results = calloc(1, sizeof *run->results);
    run->path = output_folder_path(options->output, "validation.csv");
    if (!run->results || !run->path) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for results");
    trials_make(&run->results->list, options->quick);
    dunlin_result result = options->page ? page_check(options->page, run->results, error) : DUNLIN_OK;
    if (result == DUNLIN_OK) result = output_folder_keep(options->output, error);
    if (result != DUNLIN_OK) return result;
    if (options->fresh && unlink(run->path) != 0 && errno != ENOENT)
        return bench_fail(error, DUNLIN_ERROR_FILE, "cannot remove %s: %s", run->path, strerror(errno));
    return results_read(run->results, run->path, &run->stamp, error);
}

/* Says what has been measured already. */
static void print_present(validate_run *run) {
    int present = 0;
    for (int i = 0; i < run->results->list.count; i++) {
        if (!is_wanted(run, i)) continue;
        present += run->results->of[i].is_there;
        if (!run->results->of[i].is_there) run->seconds_all += run->results->list.at[i].seconds;
    }
    if (present > 0 && !run->options->quiet) {
        message_write(stdout, "%d trials are in %s already", present, run->path);
        putchar('\n');
        fflush(stdout);
    }
}

/* ---- flying ----------------------------------------------------------------------------------------------------------- */

static bool report_progress(void *context, double share) {
    validate_run *run = context;
    char what[96];
    snprintf(what, sizeof what, "%s, %s", trial_kind_name(run->at->kind), run->at->name);
    progress_show(&run->progress, (run->seconds_done + share * run->at->seconds) / run->seconds_all, what);
    return interrupt_signal() == 0;
}

static dunlin_result fly(validate_run *run, int number, dunlin_error *error) {
    trial_result *of = &run->results->of[number];
    run->at = &run->results->list.at[number];
    dunlin_result result = trial_fly(run->at, run->options->threads, report_progress, run, of->samples, &of->is_there, error);
    if (result == DUNLIN_OK && of->is_there) result = results_append(run->path, &run->stamp, run->at, of->samples, error);
    run->seconds_done += run->at->seconds;
    return result;
}

static bool is_last_of_kind(const validate_run *run, int number) {
    const trial_list *list = &run->results->list;
    return number + 1 == list->count || list->at[number + 1].kind != list->at[number].kind;
}

static void print_kind(const validate_run *run, trial_kind kind) {
    if (run->options->quiet) return;
    table t = verdict_table(run->results, kind, false);
    if (t.count > 0) printf("\n%s\n\n", trial_kind_name(kind));
    table_print(stdout, &t);
    fflush(stdout);
    table_free(&t);
}

static dunlin_result fly_all(validate_run *run, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    run->progress = progress_begin("trial", (uint64_t)run->results->list.count, !run->options->quiet);
    for (int i = 0; i < run->results->list.count && result == DUNLIN_OK && interrupt_signal() == 0; i++) {
        if (!is_wanted(run, i)) continue;
        if (!run->results->of[i].is_there) result = fly(run, i, error);
        bool is_last = result != DUNLIN_OK || interrupt_signal() != 0 || is_last_of_kind(run, i);
        if (!is_last) continue;
        progress_end(&run->progress);
        print_kind(run, run->results->list.at[i].kind);
    }
    return result;
}

/* ---- after ------------------------------------------------------------------------------------------------------------ */

/* The number of measured trials that are not as published. */
static int count_off(const validate_run *run) {
    int off = 0;
    for (int i = 0; i < run->results->list.count; i++)
        off += is_wanted(run, i) && run->results->of[i].is_there && !verdict_holds(run->results, i);
    return off;
}

static dunlin_result leave_files(const validate_run *run, dunlin_error *error) {
    char subtitle[128], by[160];
    snprintf(subtitle, sizeof subtitle, "dunlin validate%s, commit %.40s", run->options->quick ? " --quick" : "",
             run->stamp.commit);
    snprintf(by, sizeof by, "Measured by `dunlin validate` at commit %.40s, %.10s.", run->stamp.commit, run->machine.date);
    dunlin_result result = plots_draw(run->options->output, run->results, subtitle, error);
    if (result != DUNLIN_OK || !run->options->page) return result;
    return page_update(run->options->page, run->results, by, error);
}

static dunlin_result validate(validate_run *run, int *off, dunlin_error *error) {
    dunlin_result result = prepare(run, error);
    if (result != DUNLIN_OK) return result;
    print_present(run);
    interrupt_watch("trial");
    result = fly_all(run, error);
    if (result != DUNLIN_OK || interrupt_signal() != 0) return result;
    *off = count_off(run);
    if (*off == 0 && !run->options->quiet)
        puts("\nall as published");
    else if (*off > 0)
        printf("\n%d %s off\n", *off, *off == 1 ? "trial is" : "trials are");
    return leave_files(run, error);
}

int command_validate(int argc, const char **argv) {
    validate_options options;
    int status;
    if (validate_options_read(&options, argc, argv, &status)) {
        validate_run run = {.options = &options, .machine = machine_describe()};
        int off = 0;
        dunlin_error error;
        run.stamp = (results_stamp){run.machine.commit, options.quick ? "quick" : "full"};
        status = command_end(validate(&run, &off, &error), &error, "stopped; the same command continues from here");
        if (status == EXIT_OK && off > 0) status = EXIT_RUNTIME;
        free(run.results);
        free(run.path);
    }
    options_free(&options.read);
    return status;
}
