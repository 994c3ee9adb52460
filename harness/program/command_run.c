/* SPDX-License-Identifier: MIT */
#include "harness/report/clock.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/report/message.h"
#include "harness/command/progress.h"
#include "harness/program/init_frame.h"
#include "harness/program/output.h"
#include "harness/program/run.h"
#include "harness/command/scenario_find.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- before ----------------------------------------------------------------------------------------------------------- */

static void print_warning(void *user, const char *warning) {
    (void)user;
    message_print("warning: %s", warning);
}

static dunlin_result create_flight(run_context *run, dunlin_error *error) {
    dunlin_flight_def build = run->options->build;
    if (!run->options->quiet) build.warn = print_warning;
    init_frame frame;
    dunlin_result result = init_frame_open(&frame, build.init, error);
    if (frame.state) build.init = frame.path;
    if (result == DUNLIN_OK) result = dunlin_flight_create(run->scenario, &build, &run->flight, error);
    if (result != DUNLIN_OK) {
        init_frame_rename(&frame, error);
    } else {
        run->world = dunlin_flight_world(run->flight);
        result = init_frame_check(&frame, run->world, error);
    }
    init_frame_close(&frame);
    return result;
}

static dunlin_result load_scenario(run_context *run, dunlin_error *error) {
    char *path;
    dunlin_result result = scenario_find(run->options->scenario, &path, error);
    if (result != DUNLIN_OK) return result;
    result = dunlin_scenario_open(path, &run->options->open, &run->scenario, error);
    free(path);
    if (result == DUNLIN_OK) result = settings_apply(&run->options->set, run->scenario, error);
    if (result != DUNLIN_OK) return result;
    run->steps = run->options->has_steps ? run->options->steps : dunlin_scenario_steps(run->scenario);
    return create_flight(run, error);
}

/* A length that does not suit the world shows when something is measured with it. */
static dunlin_result check_meter(run_context *run, dunlin_error *error) {
    metrics_row row;
    dunlin_result result = metrics_follow(&run->meter, run->world, error);
    for (int species = 0; run->options->measure && species < dunlin_world_species_count(run->world) && !result; species++)
        result = metrics_measure(&run->meter, run->world, species, &row, error);
    return result;
}

/* ---- the steps -------------------------------------------------------------------------------------------------------- */

/* All that a run leaves behind. */
typedef struct run_files {
    run_outputs outputs;
    checkpoints checkpoints;
} run_files;

static dunlin_result open_files(run_context *run, run_files *files, dunlin_error *error) {
    dunlin_result result = outputs_open(&files->outputs, run, error);
    return result == DUNLIN_OK ? checkpoints_open(&files->checkpoints, run, error) : result;
}

/* A run that resumes has recorded the state that it begins with. */
static dunlin_result record(run_context *run, run_files *files, dunlin_error *error) {
    dunlin_result result = outputs_record(&files->outputs, run, error);
    return result == DUNLIN_OK ? checkpoints_record(&files->checkpoints, run, &files->outputs, error) : result;
}

static dunlin_result take_step(run_context *run, run_files *files, dunlin_error *error) {
    dunlin_result result = dunlin_flight_step(run->flight, error);
    if (result != DUNLIN_OK) return result;
    run_totals_add(&run->totals, run->world);
    result = metrics_follow(&run->meter, run->world, error);
    return result == DUNLIN_OK ? record(run, files, error) : result;
}

static dunlin_result take_steps(run_context *run, run_files *files, dunlin_error *error) {
    run_progress progress = progress_begin("step", run->steps, !run->options->quiet && !run->options->watch);
    progress_skip(&progress, run->totals.steps, run->totals.agent_updates);
    const double before = run->totals.seconds;
    dunlin_result result = run->marks.texts ? DUNLIN_OK : record(run, files, error);
    while (result == DUNLIN_OK && run->totals.steps < run->steps && interrupt_signal() == 0) {
        result = take_step(run, files, error);
        run->totals.seconds = before + clock_seconds() - progress.started;
        progress_update(&progress, run->totals.steps, run->totals.agent_updates);
    }
    progress_end(&progress);
    return result == DUNLIN_OK ? checkpoints_finish(&files->checkpoints, run, &files->outputs, error) : result;
}

/* ---- after ------------------------------------------------------------------------------------------------------------ */

static dunlin_result report(run_context *run, dunlin_error *error) {
    uint64_t hash = dunlin_world_state_hash(run->world);
    bool has_data = outputs_use_stdout(run->options), is_quiet = run->options->quiet || has_data;
    if (!is_quiet) {
        dunlin_result result = run_report_print(stdout, run->scenario, run->world, &run->meter, &run->totals, run->steps,
                                                run->options->build.kernel, error);
        if (result != DUNLIN_OK) return result;
    }
    if (run->options->hash || !is_quiet) fprintf(has_data ? stderr : stdout, "state hash: %016" PRIx64 "\n", hash);
    return DUNLIN_OK;
}

static dunlin_result fly(run_context *run, checkpoint_source *from, run_files *files, dunlin_error *error) {
    dunlin_result result = from ? checkpoint_restore(from, run, error) : load_scenario(run, error);
    if (result == DUNLIN_OK) result = picture_check(run->world, &run->options->picture_look, error);
    if (result == DUNLIN_OK) result = check_meter(run, error);
    if (result == DUNLIN_OK) result = open_files(run, files, error);
    if (result == DUNLIN_OK) {
        interrupt_watch("step");
        result = take_steps(run, files, error);
    }
    if (result == DUNLIN_OK) result = outputs_finish(&files->outputs, run, error);
    if (result == DUNLIN_OK) result = report(run, error);
    return result;
}

int run_fly(const run_options *options, checkpoint_source *from) {
    run_context run = {.options = options, .meter = options->meter};
    run_files files = {.outputs = {.states = {NULL}}};
    dunlin_error error;
    char *stopped = NULL;
    const dunlin_result result = fly(&run, from, &files, &error);
    if (options->checkpoint && !options->quiet && run.totals.steps < run.steps &&
        asprintf(&stopped, "to go on: dunlin resume %s", options->checkpoint) < 0)
        stopped = NULL;
    const int status = command_end(result, &error, stopped);
    free(stopped);
    outputs_drop(&files.outputs);
    checkpoints_drop(&files.checkpoints);
    metrics_meter_free(&run.meter);
    dunlin_flight_destroy(run.flight);
    dunlin_scenario_close(run.scenario);
    return status;
}

int command_run(int argc, const char **argv) {
    run_options options;
    int status;
    if (run_options_read(&options, argc, argv, &status)) status = run_fly(&options, NULL);
    run_options_free(&options);
    return status;
}
