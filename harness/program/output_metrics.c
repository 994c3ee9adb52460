/* SPDX-License-Identifier: MIT */
/* The metrics of every step, or of every so many, as CSV: a row per species. What cannot be measured is an empty field. */
#include "harness/program/output.h"
#include "harness/report/csv.h"

/* A step measures the state that it begins with in passing, so rows are written after the next step. */
typedef struct metrics_output {
    rows_output rows;
    bool waits;            /* the rows of this step are still to be written */
    uint64_t waiting_step; /* … */
} metrics_output;

static void write_head(FILE *file, const run_context *run) {
    fputs("step,species", file);
    for (const metrics_column *column = metrics_columns; column->name; column++)
        if (metrics_meter_has(&run->meter, column)) fprintf(file, ",%s", column->name);
    fputc('\n', file);
}

static void write_row(FILE *file, const metrics_meter *meter, const char *species, uint64_t step, const metrics_row *row) {
    csv_count(file, step);
    csv_text(file, species);
    for (const metrics_column *column = metrics_columns; column->name; column++) {
        if (!metrics_meter_has(meter, column)) continue;
        if (column->is_count)
            csv_count(file, (uint64_t)metrics_value(row, column));
        else
            csv_number(file, metrics_value(row, column));
    }
    csv_end_row(file);
}

/* If no step has come since, this measures now. */
static dunlin_result write_waiting(metrics_output *output, run_context *run, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int s = 0; output->waits && s < dunlin_world_species_count(run->world) && result == DUNLIN_OK; s++) {
        metrics_row row;
        result = metrics_fetch(&run->meter, run->world, output->waiting_step, s, &row, error);
        if (result == DUNLIN_OK)
            write_row(output->rows.file.stream, &run->meter, dunlin_world_get_species(run->world, s).name, output->waiting_step,
                      &row);
    }
    output->waits = false;
    return result;
}

static dunlin_result mark(void *state, run_context *run, uint64_t *length, dunlin_error *error) {
    dunlin_result result = write_waiting(state, run, error);
    return result == DUNLIN_OK ? rows_mark(state, run, length, error) : result;
}

static dunlin_result check(void *state, run_context *run, dunlin_error *error) {
    metrics_output *output = state;
    dunlin_result result = rows_begin(&output->rows, run, write_head, error);
    if (result == DUNLIN_OK) result = write_waiting(output, run, error);
    return result == DUNLIN_OK ? output_file_check(&output->rows.file, error) : result;
}

static dunlin_result record(void *state, run_context *run, dunlin_error *error) {
    metrics_output *output = state;
    dunlin_result result = check(state, run, error);
    if (result != DUNLIN_OK) return result;
    output->waits = true;
    output->waiting_step = dunlin_world_stats(run->world).step;
    return metrics_meter_in_passing(&run->meter) ? metrics_ask(&run->meter, run->world, error) : check(state, run, error);
}

static dunlin_result finish(void *state, run_context *run, dunlin_error *error) {
    metrics_output *output = state;
    dunlin_result result = write_waiting(output, run, error);
    return result == DUNLIN_OK ? output_file_finish(&output->rows.file, error) : result;
}

const output_type output_metrics = {.bytes = sizeof(metrics_output),
                                    .option = "--metrics",
                                    .path = offsetof(run_options, metrics),
                                    .open = rows_open,
                                    .every = offsetof(run_options, metrics_every),
                                    .record = record,
                                    .check = check,
                                    .finish = finish,
                                    .mark = mark,
                                    .reopen = rows_reopen};
