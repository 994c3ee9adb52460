/* SPDX-License-Identifier: MIT */
/* The metrics of every step, or of every so many, as CSV. */
#include "harness/program/numbered.h"
#include "harness/report/output_file.h"

typedef struct metrics_output {
    output_file file;
    bool has_head; /* not before all outputs are open: an error must leave nothing behind */
} metrics_output;

static const char *path(const run_options *options) {
    return options->metrics;
}

static dunlin_result open(void *state, run_context *run, dunlin_error *error) {
    metrics_output *output = state;
    return output_file_open(&output->file, run->options->metrics, error);
}

static dunlin_result record(void *state, run_context *run, dunlin_error *error) {
    metrics_output *output = state;
    if (!output->has_head) run_metrics_begin(output->file.stream, &run->meter);
    output->has_head = true;
    if (!numbered_is_due(run, run->options->metrics_every)) return DUNLIN_OK;
    dunlin_result result = run_metrics_append(output->file.stream, &run->meter, run->world, error);
    return result == DUNLIN_OK ? output_file_check(&output->file, error) : result;
}

static dunlin_result finish(void *state, run_context *run, dunlin_error *error) {
    (void)run;
    metrics_output *output = state;
    return output_file_finish(&output->file, error);
}

static void drop(void *state) {
    metrics_output *output = state;
    output_file_drop(&output->file);
}

const output_type output_metrics = {
    .bytes = sizeof(metrics_output), .path = path, .open = open, .record = record, .finish = finish, .drop = drop};
