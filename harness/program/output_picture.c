/* SPDX-License-Identifier: MIT */
/* The agents after the last step, drawn; with --picture-every also those of earlier steps. */
#include "harness/program/output.h"

#include <stdlib.h>

static dunlin_result finish(void *state, run_context *run, dunlin_error *error) {
    output_file *file = state;
    const picture_look look = look_of(run);
    dunlin_result result = picture_write(run->world, &look, run_share(run), file->stream, error);
    return result == DUNLIN_OK ? output_file_finish(file, error) : result;
}

static dunlin_result record(void *state, run_context *run, dunlin_error *error) {
    (void)state;
    char *to;
    output_file file;
    dunlin_result result = numbered_path(run, run->options->picture, &to, error);
    if (result == DUNLIN_OK) result = output_file_open(&file, to, error);
    if (result == DUNLIN_OK) {
        result = finish(&file, run, error);
        output_file_drop(&file);
    }
    free(to);
    return result;
}

const output_type output_picture = {.bytes = sizeof(output_file),
                                    .option = "--picture",
                                    .is_numbered = true,
                                    .path = offsetof(run_options, picture),
                                    .every = offsetof(run_options, picture_every),
                                    .record = record,
                                    .finish = finish};
