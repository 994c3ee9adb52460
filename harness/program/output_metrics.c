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

/* With checkpoints in place: a run that goes on from one needs the rows that were written before it. */
static dunlin_result open(void *state, run_context *run, dunlin_error *error) {
    metrics_output *output = state;
    return run->options->checkpoint ? output_file_open_in_place(&output->file, run->options->metrics, 0, error)
                                    : output_file_open(&output->file, run->options->metrics, error);
}

/* The mark is the length of the file. */
static dunlin_result mark(void *state, run_context *run, uint64_t *length, dunlin_error *error) {
    (void)run;
    metrics_output *output = state;
    return output_file_sync(&output->file, length, error);
}

static dunlin_result reopen(void *state, run_context *run, uint64_t length, dunlin_error *error) {
    metrics_output *output = state;
    output->has_head = true;
    dunlin_result result = output_file_open_in_place(&output->file, run->options->metrics, length, error);
    return result == DUNLIN_OK ? output_file_cut(&output->file, length, error) : result;
}

static dunlin_result begin(metrics_output *output, run_context *run, dunlin_error *error) {
    dunlin_result result = run->options->checkpoint ? output_file_cut(&output->file, 0, error) : DUNLIN_OK;
    if (result == DUNLIN_OK) run_metrics_begin(output->file.stream, &run->meter);
    output->has_head = true;
    return result;
}

static dunlin_result record(void *state, run_context *run, dunlin_error *error) {
    metrics_output *output = state;
    dunlin_result result = output->has_head ? DUNLIN_OK : begin(output, run, error);
    if (result != DUNLIN_OK || !numbered_is_due(run, run->options->metrics_every)) return result;
    result = run_metrics_append(output->file.stream, &run->meter, run->world, error);
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

const output_type output_metrics = {.bytes = sizeof(metrics_output),
                                    .path = path,
                                    .open = open,
                                    .record = record,
                                    .finish = finish,
                                    .mark = mark,
                                    .reopen = reopen,
                                    .drop = drop};
