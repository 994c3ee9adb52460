/* SPDX-License-Identifier: MIT */
/* The agents after the last step, as a state file; with --state-every also those of earlier steps. */
#include "harness/program/output.h"

#include <stdlib.h>

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

const output_type output_final = {.bytes = sizeof(output_file),
                                  .option = "--final",
                                  .is_numbered = true,
                                  .path = offsetof(run_options, final),
                                  .every = offsetof(run_options, state_every),
                                  .record = record,
                                  .finish = finish};
