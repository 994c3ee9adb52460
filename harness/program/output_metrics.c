/* SPDX-License-Identifier: MIT */
/* The metrics of every step, or of every so many, as CSV. */
#include "harness/program/output.h"
#include "harness/report/output_file.h"

/* A step measures the state that it begins with in passing, so a row is written after the next step. */
typedef struct metrics_output {
    output_file file;
    bool has_head;         /* not before all outputs are open: an error must leave nothing behind */
    bool waits;            /* the rows of this step are still to be written */
    uint64_t waiting_step; /* … */
} metrics_output;

static const char *path(const run_options *options) {
    return options->metrics;
}

static uint64_t every(const run_options *options) {
    return options->metrics_every;
}

/* With checkpoints in place: a run that continues from one needs the rows that were written before it. */
static dunlin_result open(void *state, run_context *run, dunlin_error *error) {
    metrics_output *output = state;
    return run->options->checkpoint ? output_file_open_in_place(&output->file, run->options->metrics, 0, error)
                                    : output_file_open(&output->file, run->options->metrics, error);
}

/* If no step has come since, this measures now. */
static dunlin_result write_waiting(metrics_output *output, run_context *run, dunlin_error *error) {
    if (!output->waits) return DUNLIN_OK;
    output->waits = false;
    return run_metrics_append_measured(output->file.stream, &run->meter, run->world, output->waiting_step, error);
}

/* The mark is the length of the file. */
static dunlin_result mark(void *state, run_context *run, uint64_t *length, dunlin_error *error) {
    metrics_output *output = state;
    dunlin_result result = write_waiting(output, run, error);
    return result == DUNLIN_OK ? output_file_sync(&output->file, length, error) : result;
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

static dunlin_result measure(metrics_output *output, run_context *run, dunlin_error *error) {
    if (!metrics_meter_in_passing(&run->meter)) return run_metrics_append(output->file.stream, &run->meter, run->world, error);
    output->waits = true;
    output->waiting_step = dunlin_world_stats(run->world).step;
    return metrics_ask(&run->meter, run->world, error);
}

static dunlin_result check(void *state, run_context *run, dunlin_error *error) {
    metrics_output *output = state;
    dunlin_result result = output->has_head ? DUNLIN_OK : begin(output, run, error);
    if (result == DUNLIN_OK) result = write_waiting(output, run, error);
    return result == DUNLIN_OK ? output_file_check(&output->file, error) : result;
}

static dunlin_result record(void *state, run_context *run, dunlin_error *error) {
    metrics_output *output = state;
    dunlin_result result = check(state, run, error);
    if (result == DUNLIN_OK) result = measure(output, run, error);
    return result == DUNLIN_OK ? output_file_check(&output->file, error) : result;
}

static dunlin_result finish(void *state, run_context *run, dunlin_error *error) {
    metrics_output *output = state;
    dunlin_result result = write_waiting(output, run, error);
    return result == DUNLIN_OK ? output_file_finish(&output->file, error) : result;
}

static void drop(void *state) {
    metrics_output *output = state;
    output_file_drop(&output->file);
}

const output_type output_metrics = {.bytes = sizeof(metrics_output),
                                    .option = "--metrics",
                                    .path = path,
                                    .open = open,
                                    .every = every,
                                    .record = record,
                                    .check = check,
                                    .finish = finish,
                                    .mark = mark,
                                    .reopen = reopen,
                                    .drop = drop};
