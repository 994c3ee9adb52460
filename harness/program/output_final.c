/* SPDX-License-Identifier: MIT */
/* The agents after the last step, as a state file. */
#include "harness/program/output.h"
#include "harness/report/output_file.h"

static const char *path(const run_options *options) {
    return options->final;
}

static dunlin_result open(void *state, run_context *run, dunlin_error *error) {
    return output_file_open(state, run->options->final, error);
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

const output_type output_final = {.bytes = sizeof(output_file), .path = path, .open = open, .finish = finish, .drop = drop};
