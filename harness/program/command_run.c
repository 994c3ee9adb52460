/* SPDX-License-Identifier: MIT */
#include "harness/report/clock.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"
#include "harness/command/progress.h"
#include "harness/program/run_options.h"
#include "harness/program/run_report.h"
#include "harness/program/scenario_find.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct flight {
    const run_options *options;
    dunlin_scenario *scenario;
    dunlin_flight *flight;
    dunlin_world *world;
    uint64_t steps; /* wanted */
    run_totals totals;
    output_file final, metrics, picture;
} flight;

/* ---- before ----------------------------------------------------------------------------------------------------------- */

static void print_warning(void *user, const char *warning) {
    (void)user;
    message_print("warning: %s", warning);
}

static dunlin_result load_scenario(flight *run, dunlin_error *error) {
    char *path;
    dunlin_result result = scenario_find(run->options->scenario, &path, error);
    if (result != DUNLIN_OK) return result;
    result = dunlin_scenario_open(path, &run->options->open, &run->scenario, error);
    free(path);
    if (result != DUNLIN_OK) return result;
    run->steps = run->options->has_steps ? run->options->steps : dunlin_scenario_steps(run->scenario);
    dunlin_flight_def build = run->options->build;
    if (!run->options->quiet) build.warn = print_warning;
    result = dunlin_flight_create(run->scenario, &build, &run->flight, error);
    if (result == DUNLIN_OK) run->world = dunlin_flight_world(run->flight);
    return result;
}

/* Every problem with an output is found before the first step. */
static dunlin_result open_files(flight *run, dunlin_error *error) {
    const run_options *options = run->options;
    dunlin_result result = picture_check(run->world, &options->picture_look, error);
    if (result == DUNLIN_OK) result = output_file_open(&run->final, options->final, error);
    if (result == DUNLIN_OK) result = output_file_open(&run->picture, options->picture, error);
    if (result == DUNLIN_OK) result = output_file_open(&run->metrics, options->metrics, error);
    if (result == DUNLIN_OK && options->metrics) run_metrics_begin(run->metrics.stream);
    return result;
}

/* ---- the steps -------------------------------------------------------------------------------------------------------- */

static dunlin_result write_metrics(flight *run, dunlin_error *error) {
    if (!run->options->metrics) return DUNLIN_OK;
    dunlin_result result = run_metrics_append(run->metrics.stream, run->world, error);
    return result == DUNLIN_OK ? output_file_check(&run->metrics, error) : result;
}

static dunlin_result take_step(flight *run, dunlin_error *error) {
    dunlin_result result = dunlin_flight_step(run->flight, error);
    if (result != DUNLIN_OK) return result;
    run_totals_add(&run->totals, run->world);
    return write_metrics(run, error);
}

static dunlin_result take_steps(flight *run, dunlin_error *error) {
    run_progress progress = progress_begin("step", run->steps, !run->options->quiet);
    dunlin_result result = write_metrics(run, error);
    while (result == DUNLIN_OK && run->totals.steps < run->steps && interrupt_signal() == 0) {
        result = take_step(run, error);
        progress_update(&progress, run->totals.steps, run->totals.agent_updates);
    }
    run->totals.seconds = clock_seconds() - progress.started;
    progress_end(&progress);
    return result;
}

/* ---- after ------------------------------------------------------------------------------------------------------------ */

/* Reports and hashes would mix with data on standard output. */
static bool prints_data(const run_options *options) {
    return output_file_is_stdout(options->final) || output_file_is_stdout(options->metrics) ||
           output_file_is_stdout(options->picture);
}

static dunlin_result report(flight *run, dunlin_error *error) {
    uint64_t hash = dunlin_world_state_hash(run->world);
    bool has_data = prints_data(run->options), is_quiet = run->options->quiet || has_data;
    if (!is_quiet) {
        dunlin_result result = run_report_print(stdout, run->scenario, run->world, &run->totals, run->steps, error);
        if (result != DUNLIN_OK) return result;
    }
    if (run->options->hash || !is_quiet) fprintf(has_data ? stderr : stdout, "state hash: %016" PRIx64 "\n", hash);
    return DUNLIN_OK;
}

/* The library replaces the file itself; this one only claimed its place. */
static dunlin_result finish_final(flight *run, dunlin_error *error) {
    if (!run->options->final) return DUNLIN_OK;
    const char *path = output_file_is_stdout(run->options->final) ? "/dev/stdout" : run->options->final;
    dunlin_result result = dunlin_world_save(run->world, path, error);
    output_file_drop(&run->final);
    return result;
}

static dunlin_result finish_picture(flight *run, dunlin_error *error) {
    if (!run->options->picture) return DUNLIN_OK;
    dunlin_result result = picture_write(run->world, &run->options->picture_look, run->picture.stream, error);
    return result == DUNLIN_OK ? output_file_finish(&run->picture, error) : result;
}

static dunlin_result fly(flight *run, dunlin_error *error) {
    dunlin_result result = load_scenario(run, error);
    if (result == DUNLIN_OK) result = open_files(run, error);
    if (result == DUNLIN_OK) {
        interrupt_watch("step");
        result = take_steps(run, error);
    }
    if (result == DUNLIN_OK) result = finish_final(run, error);
    if (result == DUNLIN_OK) result = output_file_finish(&run->metrics, error);
    if (result == DUNLIN_OK) result = finish_picture(run, error);
    if (result == DUNLIN_OK) result = report(run, error);
    return result;
}

static void clean_up(flight *run) {
    output_file_drop(&run->final);
    output_file_drop(&run->metrics);
    output_file_drop(&run->picture);
    dunlin_flight_destroy(run->flight);
    dunlin_scenario_close(run->scenario);
}

int command_run(int argc, const char **argv) {
    run_options options;
    int status;
    if (run_options_read(&options, argc, argv, &status)) {
        flight run = {.options = &options};
        dunlin_error error;
        status = command_end(fly(&run, &error), &error, NULL);
        clean_up(&run);
    }
    run_options_free(&options);
    return status;
}
