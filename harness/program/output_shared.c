/* SPDX-License-Identifier: MIT */
/* What several outputs share: files with the number of a step, and rows that a run which resumes continues. */
#include "harness/program/output.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"

#include <inttypes.h>

dunlin_result numbered_path(const run_context *run, const char *path, char **numbered, dunlin_error *error) {
    const uint64_t step = dunlin_world_stats(run->world).step, last = step - run->totals.steps + run->steps;
    const int digits = snprintf(NULL, 0, "%" PRIu64, last), before = path_length_before_ending(path);
    if (asprintf(numbered, "%.*s-%0*" PRIu64 "%s", before, path, digits, step, path + before) >= 0) return DUNLIN_OK;
    *numbered = NULL;
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
}

dunlin_result rows_open(void *state, run_context *run, const char *path, dunlin_error *error) {
    rows_output *output = state;
    return run->options->checkpoint ? output_file_open_in_place(&output->file, path, 0, error)
                                    : output_file_open(&output->file, path, error);
}

dunlin_result rows_reopen(void *state, run_context *run, const char *path, uint64_t length, dunlin_error *error) {
    rows_output *output = state;
    (void)run;
    output->has_head = true;
    dunlin_result result = output_file_open_in_place(&output->file, path, length, error);
    return result == DUNLIN_OK ? output_file_cut(&output->file, length, error) : result;
}

dunlin_result rows_begin(rows_output *output, run_context *run, void (*write_head)(FILE *, const run_context *),
                         dunlin_error *error) {
    if (output->has_head) return DUNLIN_OK;
    dunlin_result result = run->options->checkpoint ? output_file_cut(&output->file, 0, error) : DUNLIN_OK;
    if (result == DUNLIN_OK) write_head(output->file.stream, run);
    output->has_head = true;
    return result;
}

dunlin_result rows_mark(void *state, run_context *run, uint64_t *length, dunlin_error *error) {
    rows_output *output = state;
    (void)run;
    return output_file_sync(&output->file, length, error);
}
