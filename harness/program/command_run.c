/* SPDX-License-Identifier: MIT */
#include "harness/report/clock.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/report/message.h"
#include "harness/command/progress.h"
#include "harness/command/ranks.h"
#include "harness/command/scenario_open.h"
#include "harness/program/checkpoint.h"
#include "harness/program/init_frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- before ----------------------------------------------------------------------------------------------------------- */

static void print_warning(void *user, const char *warning) {
    (void)user;
    message_print("warning: %s", warning);
}

static dunlin_result create_simulation(run_context *run, dunlin_error *error) {
    dunlin_simulation_def build = run->options->build;
    if (!run->options->quiet) build.warn = print_warning;
    build.transport = &run->transport;
    init_frame frame = {.state = NULL};
    dunlin_result result = run->transport.rank == 0 ? init_frame_open(&frame, build.init, error) : DUNLIN_OK;
    if (*frame.path) build.init = frame.path;
    build.init_traces = frame.traces;
    build.init_trace_count = frame.trace_count;
    result = dunlin_agree(&run->transport, result, error);
    if (result == DUNLIN_OK) result = dunlin_simulation_create(run->scenario, &build, &run->simulation, error);
    if (result != DUNLIN_OK) {
        init_frame_rename(&frame, error);
    } else {
        run->world = dunlin_simulation_world(run->simulation);
        if (build.init) result = init_frame_check(&frame, dunlin_world_state_hash(run->world), error);
        result = dunlin_agree(&run->transport, result, error);
    }
    init_frame_close(&frame);
    return result;
}

/* What the options change is in the scenario then, so that its text is what runs. */
static dunlin_result open_scenario(run_context *run, dunlin_error *error) {
    const run_options *options = run->options;
    dunlin_result result = scenario_open(options->scenario, &options->open, &run->transport, &run->scenario, error);
    if (result == DUNLIN_OK) result = settings_apply(&options->set, run->scenario, error);
    if (result == DUNLIN_OK) result = run_set_steps(run, error);
    if (result == DUNLIN_OK) result = dunlin_scenario_resolve(run->scenario, &options->build, error);
    return result == DUNLIN_OK && run->transport.rank == 0 ? scenario_claim_files(run->scenario, error) : result;
}

static dunlin_result load_scenario(run_context *run, dunlin_error *error) {
    const dunlin_result result = dunlin_agree(&run->transport, open_scenario(run, error), error);
    if (result != DUNLIN_OK) return result;
    return create_simulation(run, error);
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
    const run_context *run;
    run_outputs outputs;
    checkpoints checkpoints;
    dunlin_result failure; /* of one of them, or of a step, which ends the run; on all ranks */
    dunlin_error error;
} run_files;

/* Whether there is work for rank 0 that needs all agents. */
static bool needs_agents(const run_options *options) {
    return outputs_are_wanted(options) || options->measure;
}

static dunlin_result claim_files(run_context *run, void *context, dunlin_error *error) {
    (void)context;
    const dunlin_result result = outputs_claim(run->options, error);
    return result == DUNLIN_OK ? checkpoints_claim(run->options, error) : result;
}

static dunlin_result open_files(run_context *run, void *context, dunlin_error *error) {
    run_files *files = context;
    dunlin_result result = picture_check(run->world, &run->options->picture_look, error);
    if (result == DUNLIN_OK) result = check_meter(run, error);
    if (result == DUNLIN_OK) result = outputs_open(&files->outputs, run, error);
    return result == DUNLIN_OK ? checkpoints_open(&files->checkpoints, run, error) : result;
}

static dunlin_result record_files(run_context *run, void *context, dunlin_error *error) {
    run_files *files = context;
    dunlin_result result = metrics_follow(&run->meter, run->world, error);
    return result == DUNLIN_OK ? outputs_record(&files->outputs, run, error) : result;
}

/* A run that resumes has recorded the state that it begins with. */
static void record(run_context *run, run_files *files) {
    const bool whole = run->meter.measures[METRICS_DISPLACEMENT] || outputs_are_due(run);
    if (needs_agents(run->options)) files->failure = on_first(run, whole, record_files, files, &files->error);
    if (files->failure == DUNLIN_OK)
        files->failure = checkpoints_record(&files->checkpoints, run, &files->outputs, &files->error);
}

/* The last checkpoint stays if the step fails: the simulation may have agents of that step already. */
static void take_step(run_context *run, run_files *files) {
    files->failure = dunlin_simulation_step(run->simulation, &files->error);
    files->checkpoints.has_failed = files->checkpoints.has_failed || files->failure != DUNLIN_OK;
    if (files->failure != DUNLIN_OK) return;
    run_totals_add(&run->totals, run->world);
    run_ranks_add(&run->ranks, run->world);
    record(run, files);
}

/* What ranks add up in a step: a signal may reach any of them, and rank 0 has the clock. */
enum { SIGNALS = 3, LATE = SIGNALS, NUMBERS };
_Static_assert(NUMBERS <= DUNLIN_STEP_SUMS, "a step adds them up");

static void bring_signs(void *context, uint64_t numbers[DUNLIN_STEP_SUMS]) {
    const run_files *files = context;
    for (int i = 0; i < SIGNALS; i++) numbers[i] = interrupt_signal() == interrupt_signals[i];
    numbers[LATE] = checkpoints_are_late(&files->checkpoints, files->run);
}

/* Whether there is another step to take. Where the last one wrote a checkpoint, it was late until then. */
static bool goes_on(run_context *run, const uint64_t numbers[]) {
    run->is_time = !run->is_time && numbers[LATE] > 0;
    for (int i = 0; i < SIGNALS; i++) {
        if (numbers[i] == 0) continue;
        if (interrupt_signal() == 0 && run->transport.rank == 0)
            message_print("another rank received a signal; stopping after this step");
        interrupt_take(interrupt_signals[i]);
        return false;
    }
    return run->totals.steps < run->steps;
}

/* A file that fails ends the run as a signal does: after its step, with all other files. So does a step, after the one before.
 */
static void take_steps(run_context *run, run_files *files) {
    const dunlin_transport *t = &run->transport;
    uint64_t numbers[DUNLIN_STEP_SUMS] = {0};
    run_progress progress = progress_begin("step", run->steps, !run->options->quiet && !run->options->watch);
    progress_skip(&progress, run->totals.steps, run->totals.agent_updates);
    const double before = run->totals.seconds;
    files->failure = dunlin_world_sum_in_step(run->world, bring_signs, files, &files->error);
    if (files->failure == DUNLIN_OK && !run->marks.texts) record(run, files);
    bring_signs(files, numbers);
    if (t->ranks > 1) t->all_reduce(t->context, numbers, NUMBERS);
    while (files->failure == DUNLIN_OK && goes_on(run, numbers)) {
        take_step(run, files);
        if (t->ranks > 1)
            memcpy(numbers, dunlin_world_traffic(run->world).sums, sizeof numbers);
        else
            bring_signs(files, numbers);
        run->totals.seconds = before + clock_seconds() - progress.started;
        progress_update(&progress, run->totals.steps, run->totals.agent_updates);
    }
    progress_end(&progress);
}

/* ---- after ------------------------------------------------------------------------------------------------------------ */

static bool is_quiet(const run_context *run) {
    return run->options->quiet || run->uses_stdout;
}

static dunlin_result finish_files(run_context *run, void *context, dunlin_error *error) {
    run_files *files = context;
    dunlin_error own;
    dunlin_result first = files->failure, next;
    *error = files->error;
    next = outputs_finish(&files->outputs, run, &own);
    first = first_failure(first, error, next, &own);
    if (is_quiet(run)) return first;
    next = run_report_print(stdout, run->scenario, run->world, &run->meter, &run->totals, &run->ranks, run->steps,
                            run->options->build.kernel, &own);
    return first_failure(first, error, next, &own);
}

/* A file that fails leaves the others to be finished. */
static void finish_checkpoints(run_context *run, run_files *files) {
    dunlin_error own;
    const dunlin_result next = checkpoints_finish(&files->checkpoints, run, &files->outputs, &own);
    files->failure = first_failure(files->failure, &files->error, next, &own);
}

static dunlin_result finish(run_context *run, run_files *files, dunlin_error *error) {
    const dunlin_transport *t = &run->transport;
    const uint64_t hash = dunlin_world_state_hash(run->world);
    run->ranks.memory = dunlin_world_bytes(run->world);
    if (t->ranks > 1) t->all_reduce(t->context, &run->ranks.memory, 1);
    finish_checkpoints(run, files);
    const bool whole = needs_agents(run->options) || !is_quiet(run);
    const dunlin_result result = on_first(run, whole, finish_files, files, error);
    if (t->rank == 0 && (run->options->hash || !is_quiet(run)))
        fprintf(run->uses_stdout ? stderr : stdout, "state hash: %016" PRIx64 "\n", hash);
    return result;
}

static dunlin_result simulate(run_context *run, checkpoint_source *from, run_files *files, dunlin_error *error) {
    dunlin_result result = on_first(run, false, claim_files, files, error);
    if (result == DUNLIN_OK) result = from ? checkpoint_restore(from, run, error) : load_scenario(run, error);
    if (result == DUNLIN_OK) result = on_first(run, needs_agents(run->options), open_files, files, error);
    if (result != DUNLIN_OK) return result;
    interrupt_watch("step");
    take_steps(run, files);
    return finish(run, files, error);
}

int run_advance(const run_options *options, checkpoint_source *from) {
    const command_ranks *all = ranks_here();
    run_context run = {
        .options = options, .meter = options->meter, .ranks.count = all->ranks, .uses_stdout = outputs_use_stdout(options)};
    run_files files = {.run = &run, .failure = DUNLIN_OK};
    dunlin_error error;
    char *stopped = NULL;
    run.transport = all->lowest(all->context, all->ranks);
    run.meter.at_once = all->ranks > 1;
    const dunlin_result result = simulate(&run, from, &files, &error);
    if (options->checkpoint && !options->quiet && run.totals.steps < run.steps &&
        asprintf(&stopped, "to continue: dunlin resume %s", options->checkpoint) < 0)
        stopped = NULL;
    const int status = command_end(result, &error, stopped);
    free(stopped);
    outputs_drop(&files.outputs);
    checkpoints_drop(&files.checkpoints);
    metrics_meter_free(&run.meter);
    dunlin_simulation_destroy(run.simulation);
    dunlin_scenario_close(run.scenario);
    return status;
}

int command_run(int argc, const char **argv) {
    run_options options;
    int status;
    if (run_options_read(&options, argc, argv, &status)) status = run_advance(&options, NULL);
    run_options_free(&options);
    return status;
}
