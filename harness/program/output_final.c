/* SPDX-License-Identifier: MIT */
/* The agents after the last step, as a state file; with --state-every also those of earlier steps. */
#include "harness/program/numbered.h"
#include "harness/report/output_file.h"

#include <stdlib.h>

static const char *path(const run_options *options) {
    return options->final;
}

static uint64_t every(const run_options *options) {
    return options->state_every;
}

static dunlin_result open(void *state, run_context *run, dunlin_error *error) {
    const run_options *options = run->options;
    dunlin_result result = options->state_every > 0 ? numbered_check(run, options->final, error) : DUNLIN_OK;
    return result == DUNLIN_OK ? output_file_open(state, options->final, error) : result;
}

static dunlin_result record(void *state, run_context *run, dunlin_error *error) {
    (void)state;
    char *to;
    dunlin_result result = numbered_path(run, run->options->final, &to, error);
    if (result == DUNLIN_OK) result = dunlin_world_save(run->world, to, error);
    free(to);
    return result;
}

/* The library replaces the file itself; the open one only claimed its place. */
static dunlin_result finish(void *state, run_context *run, dunlin_error *error) {
    const char *to = output_file_is_stdout(run->options->final) ? "/dev/stdout" : run->options->final;
    dunlin_result result = dunlin_world_save(run->world, to, error);
    output_file_drop(state);
    return result;
}

static void drop(void *state) {
    output_file_drop(state);
}

const output_type output_final = {.bytes = sizeof(output_file),
                                  .option = "--final",
                                  .is_numbered = true,
                                  .path = path,
                                  .open = open,
                                  .every = every,
                                  .record = record,
                                  .finish = finish,
                                  .drop = drop};
