/* SPDX-License-Identifier: MIT */
/* `dunlin sweep`: runs a study, and leaves its rows, means and plots in a folder. */
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/command/options.h"
#include "harness/command/scenario_find.h"
#include "harness/report/claim.h"
#include "harness/report/machine.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/report/output_file.h"
#include "harness/sweep/crew.h"
#include "harness/sweep/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TABLE_MOST_ROWS = 200 };

typedef struct sweep_options {
    const char *output;
    int jobs;
    bool quick, fresh, no_plots, quiet;
    option_values read;
} sweep_options;

typedef struct sweep {
    sweep_options options;
    machine machine;
    char *folder;
    sweep_plan plan;
    sweep_results results;
} sweep;

static bool read_options(sweep_options *options, int argc, const char **argv, int *status) {
    *options = (sweep_options){0};
    const option_row rows[] = {
        ROW_OUTPUT(&options->output, "leave runs.csv, means.csv and plots here, and continue what the same study left there; "
                                     "default: a folder with the study's name"),
        ROW_NUMBER("jobs", OPTION_INT, &options->jobs, 0, 1024,
                   "use N cores: small worlds run on one each, large ones on all; default: 0, all there are"),
        ROW_QUICK(&options->quick, "to try a study: three values per parameter, two seeds, a tenth of the steps"),
        ROW("fresh", OPTION_FLAG, &options->fresh, NULL, "start over, discarding the folder's runs.csv"),
        ROW("no-plots", OPTION_FLAG, &options->no_plots, NULL, "do not draw the plots"),
        ROW_QUIET(&options->quiet),
    };
    return options_read(&options->read, argc, argv, rows, sizeof rows / sizeof *rows, "STUDY", status);
}

static void print_warning(void *user, const char *warning) {
    (void)user;
    message_print("warning: %s", warning);
}

/* ---- before ----------------------------------------------------------------------------------------------------------- */

static dunlin_result make_folder(sweep *s, dunlin_error *error) {
    const char *wanted = s->options.output, *stem = s->plan.study.stem;
    if (asprintf(&s->folder, "%s%s", wanted ? wanted : stem, !wanted && s->options.quick ? "-quick" : "") < 0) s->folder = NULL;
    if (!s->folder) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a folder");
    return output_folder_keep(s->folder, error);
}

/* The rows stand for the whole folder. */
static dunlin_result claim_outputs(const sweep *s, dunlin_error *error) {
    static const char *const others[] = {"means.csv", "expected.md", PLOTS_NAME, "trajectories"};
    char *rows = output_folder_path(s->folder, "runs.csv");
    dunlin_result result = rows ? claim_output("--output", rows, error)
                                : bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
    for (size_t i = 0; i < sizeof others / sizeof *others && result == DUNLIN_OK; i++)
        result = claim_inside("--output", s->folder, others[i], error);
    free(rows);
    return result;
}

static dunlin_result make_trajectories(sweep *s, dunlin_error *error) {
    if (s->plan.study.trajectory.every == 0) return DUNLIN_OK;
    s->plan.trajectories = output_folder_path(s->folder, "trajectories");
    if (!s->plan.trajectories) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a folder");
    if (mkdir(s->plan.trajectories, 0777) == 0 || errno == EEXIST) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot make %s: %s", s->plan.trajectories, strerror(errno));
}

static dunlin_result prepare(sweep *s, dunlin_error *error) {
    const sweep_options *options = &s->options;
    char *path;
    dunlin_result result = study_find(options->read.argument, &path, error);
    if (result != DUNLIN_OK) return result;
    result = sweep_plan_make(&s->plan, path, options->quick, options->quiet ? NULL : print_warning, error);
    free(path);
    if (result == DUNLIN_OK) result = make_folder(s, error);
    if (result == DUNLIN_OK) result = claim_outputs(s, error);
    if (result == DUNLIN_OK) result = make_trajectories(s, error);
    if (result == DUNLIN_OK) result = results_open(&s->results, &s->plan, s->folder, s->machine.commit, options->fresh, error);
    return result;
}

/* "Vicsek's transition: 65 runs of vicsek: noise (13) x seeds (5)" */
static void announce(const sweep *s) {
    const study *in = &s->plan.study;
    char runs[NUMBER_LENGTH];
    if (s->options.quiet) return;
    number_group(s->plan.runs, runs);
    message_write(stdout, "%s: %s run%s", in->name, runs, s->plan.runs == 1 ? "" : "s");
    for (uint32_t i = 0; i < in->parameters; i++)
        message_write(stdout, "%s%" PRIu32 " of %s", i > 0 ? " x " : " = ", in->parameter[i].count, in->parameter[i].name);
    message_write(stdout, "%s%" PRIu32 " seed%s", in->parameters > 0 ? " x " : " = ", in->seeds, in->seeds == 1 ? "" : "s");
    putchar('\n');
    if (s->results.present > 0) {
        number_group(s->results.present, runs);
        message_write(stdout, "%s of them %s in %s already", runs, s->results.present == 1 ? "is" : "are", s->results.path);
        putchar('\n');
    }
    if (s->results.failed > 0) {
        number_group(s->results.failed, runs);
        message_write(stdout, "%s failed before, and %s run again", runs, s->results.failed == 1 ? "is" : "are");
        putchar('\n');
    }
    fflush(stdout);
}

/* ---- after ------------------------------------------------------------------------------------------------------------ */

static void print_table(const sweep *s) {
    if (s->plan.points > TABLE_MOST_ROWS) return;
    table t = summary_table(&s->results);
    if (s->plan.study.seeds > 1) puts("\nmean +- standard deviation of the seeds");
    putchar('\n');
    table_print(stdout, &t);
    table_free(&t);
}

static void print_expected(const sweep *s) {
    int off;
    table t = summary_expected(&s->results, &off);
    if (t.count > 0) puts("\nwhat is expected: mean ± standard error of the seeds\n");
    table_print(stdout, &t);
    table_free(&t);
}

static dunlin_result leave_files(sweep *s, dunlin_error *error) {
    int drawn = 0;
    dunlin_result result = results_finish(&s->results, error);
    if (result == DUNLIN_OK) result = summary_write(&s->results, s->folder, error);
    if (result == DUNLIN_OK && !s->options.no_plots) result = plots_draw_sweep(&s->results, s->folder, &drawn, error);
    if (result != DUNLIN_OK || s->options.quiet) return result;
    print_table(s);
    print_expected(s);
    putchar('\n');
    message_write(stdout, "%s/runs.csv, %s/means.csv", s->folder, s->folder);
    if (drawn > 0) message_write(stdout, ", %d plot%s in %s/plots", drawn, drawn == 1 ? "" : "s", s->folder);
    putchar('\n');
    return DUNLIN_OK;
}

/* Says how many runs have failed, and what the first says. */
static dunlin_result count_failures(const sweep *s, dunlin_error *error) {
    const sweep_results *results = &s->results;
    char failed[NUMBER_LENGTH], runs[NUMBER_LENGTH], what[160];
    uint32_t first = 0;
    if (results->failed == 0) return DUNLIN_OK;
    while (!results->problem[first]) first++;
    number_group(results->failed, failed);
    number_group(s->plan.runs, runs);
    sweep_plan_describe(&s->plan, first, what, sizeof what);
    return bench_fail(error, DUNLIN_ERROR_VALUE,
                      "%s of %s runs failed, and the same command tries them again; %.80s says why: the run with %s: %.150s",
                      failed, runs, results->path, what, results->problem[first]);
}

static dunlin_result judge(const sweep *s, dunlin_error *error) {
    int off;
    table t = summary_expected(&s->results, &off);
    const int all = t.count;
    table_free(&t);
    return off == 0 ? DUNLIN_OK
                    : bench_fail(error, DUNLIN_ERROR_VALUE,
                                 "%d of %d means are not as the study expects them: see %s/expected.md", off, all, s->folder);
}

static dunlin_result run(sweep *s, dunlin_error *error) {
    s->machine = machine_describe();
    const int jobs = s->options.jobs > 0 ? s->options.jobs : s->machine.threads;
    dunlin_result result = prepare(s, error);
    if (result != DUNLIN_OK) return result;
    announce(s);
    dun_place_leave(); /* or all runs would share one core */
    interrupt_watch("step");
    result = crew_run(&s->results, jobs, !s->options.quiet, error);
    if (result != DUNLIN_OK || interrupt_signal() != 0) return result;
    result = leave_files(s, error);
    if (result == DUNLIN_OK) result = count_failures(s, error);
    return result == DUNLIN_OK ? judge(s, error) : result;
}

int command_sweep(int argc, const char **argv) {
    sweep s = {.results = {.file = -1}};
    int status;
    if (read_options(&s.options, argc, argv, &status)) {
        dunlin_error error;
        status = command_end(run(&s, &error), &error, "stopped; the same command continues from here");
        results_close(&s.results);
        sweep_plan_free(&s.plan);
        free(s.folder);
    }
    options_free(&s.options.read);
    return status;
}
