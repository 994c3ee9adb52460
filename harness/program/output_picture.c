/* SPDX-License-Identifier: MIT */
/* The agents after the last step, drawn. */
#include "harness/program/output.h"
#include "harness/report/output_file.h"

static const char *path(const run_options *options) {
    return options->picture;
}

static dunlin_result open(void *state, run_context *run, dunlin_error *error) {
    return output_file_open(state, run->options->picture, error);
}

static dunlin_result finish(void *state, run_context *run, dunlin_error *error) {
    output_file *file = state;
    dunlin_result result = picture_write(run->world, &run->options->picture_look, file->stream, error);
    return result == DUNLIN_OK ? output_file_finish(file, error) : result;
}

static void drop(void *state) {
    output_file_drop(state);
}

const output_type output_picture = {.bytes = sizeof(output_file), .path = path, .open = open, .finish = finish, .drop = drop};
