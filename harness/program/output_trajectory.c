/* SPDX-License-Identifier: MIT */
/* The agents of every step, or of every so many, in one file: harness/trajectory/layout.h. */
#include "harness/program/output.h"
#include "harness/command/scenario_open.h"
#include "harness/report/message.h"
#include "harness/trajectory/trajectory.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct trajectory_output {
    trajectory *trajectory;
    char *scenario_text;
} trajectory_output;

static dunlin_result describe(trajectory_output *output, run_context *run, const char *path, trajectory_def *def,
                              dunlin_error *error) {
    const run_options *options = run->options;
    output->scenario_text = scenario_text(run->scenario, error);
    if (!output->scenario_text) return error->code;
    *def = (trajectory_def){.path = path,
                            .fields = options->fields,
                            .species = options->species,
                            .precision = options->precision,
                            .compression = options->compression,
                            .every = options->every,
                            .scenario = dunlin_scenario_name(run->scenario),
                            .scenario_path = dunlin_scenario_path(run->scenario),
                            .scenario_text = output->scenario_text,
                            .meter = &run->meter};
    return DUNLIN_OK;
}

/* Frames too far apart to count crossings of edges are written without. */
static void warn(const trajectory *t, const run_context *run) {
    const uint64_t most = trajectory_max_every(t, run->world);
    if (run->options->quiet || run->options->every <= most) return;
    message_print("warning: within --every %" PRIu64
                  " steps agents may move half of the world's shortest side, so the trajectory "
                  "cannot count how often they cross its edges (image); it can with --every up to %" PRIu64,
                  run->options->every, most);
}

static dunlin_result open(void *state, run_context *run, const char *path, dunlin_error *error) {
    trajectory_output *output = state;
    trajectory_def def;
    dunlin_result result = describe(output, run, path, &def, error);
    if (result == DUNLIN_OK) result = trajectory_create(&output->trajectory, &def, run->world, error);
    if (result == DUNLIN_OK) warn(output->trajectory, run);
    return result;
}

/* The mark is the number of frames. */
static dunlin_result reopen(void *state, run_context *run, const char *path, uint64_t mark, dunlin_error *error) {
    trajectory_output *output = state;
    trajectory_def def;
    dunlin_result result = describe(output, run, path, &def, error);
    return result == DUNLIN_OK ? trajectory_reopen(&output->trajectory, &def, run->world, mark, error) : result;
}

static dunlin_result record(void *state, run_context *run, dunlin_error *error) {
    trajectory_output *output = state;
    return trajectory_record(output->trajectory, run->world, error);
}

static dunlin_result check(void *state, run_context *run, dunlin_error *error) {
    trajectory_output *output = state;
    return trajectory_check(output->trajectory, run->world, error);
}

static dunlin_result mark(void *state, run_context *run, uint64_t *frames, dunlin_error *error) {
    trajectory_output *output = state;
    return trajectory_sync(output->trajectory, run->world, frames, error);
}

static dunlin_result finish(void *state, run_context *run, dunlin_error *error) {
    trajectory_output *output = state;
    return trajectory_finish(output->trajectory, run->world, error);
}

static void drop(void *state) {
    trajectory_output *output = state;
    trajectory_drop(output->trajectory);
    free(output->scenario_text);
}

const output_type output_trajectory = {.bytes = sizeof(trajectory_output),
                                       .option = "--trajectory",
                                       .path = offsetof(run_options, trajectory),
                                       .open = open,
                                       .every = offsetof(run_options, every),
                                       .record = record,
                                       .check = check,
                                       .mark = mark,
                                       .reopen = reopen,
                                       .finish = finish,
                                       .drop = drop};
