/* SPDX-License-Identifier: MIT */
/* `dunlin bench behaviours`: what a frame costs with each addition, beside a frame of the plain flock. */
#include "harness/bench/bench_commands.h"
#include "harness/bench/bench_options.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/measure/frame_rows.h"
#include "harness/measure/frame_bench.h"
#include "harness/report/output_file.h"

#include <stdio.h>

/* The plain flock beside itself shows the noise. */
enum { ROWS = 1 + BENCH_ADDITIONS };

typedef struct behaviours_job {
    bench_options options;
    machine host;
    frame_comparison found[2][ROWS]; /* 2D, 3D; without repeats: not measured */
    output_file json;
} behaviours_job;

static dunlin_result measure(behaviours_job *job, int dimensions, dunlin_error *error) {
    bench_options *options = &job->options;
    bench_start start;
    const frame_case plain = {
        .start = &start,
        .threads = options->threads,
        .kernel = options->kernel,
        .index = options->index,
        .warm_up = BENCH_WARM_UP,
        .steps = options->steps,
        .repeats = options->repeats,
    };
    frame_case cases[ROWS];
    for (int i = 0; i < ROWS; i++) {
        cases[i] = plain;
        cases[i].addition = i > 0 ? &bench_additions[i - 1] : NULL;
    }
    options->workload.dimensions = dimensions;
    dunlin_result result = watched_start_make(&options->workload, &start, error);
    if (result != DUNLIN_OK) return result;
    result = watched_bench_compare(&plain, cases, ROWS, job->found[dimensions - 2], options->quiet, error);
    bench_start_free(&start);
    return result;
}

static dunlin_result measure_all(behaviours_job *job, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        bool is_wanted = job->options.dimensions[dimensions] && interrupt_signal() == 0;
        if (is_wanted && result == DUNLIN_OK) result = measure(job, dimensions, error);
    }
    return result;
}

/* ---- the table -------------------------------------------------------------------------------------------------------- */

static void put_row(table *t, const frame_comparison *found) {
    const frame_row *row = &found->rows[COMPARED];
    double promised = row->addition ? row->addition->max_ratio : 0.0;
    table_begin_row(t);
    table_text(t, "behaviours", "%s", bench_addition_name(row->addition));
    table_cell(t, "times a plain frame", "%.3f", found->ratio.median);
    table_range(t, "min .. max", found->ratio.low, found->ratio.high);
    if (promised > 0.0)
        table_cell(t, "promised", "<= %.3g", promised);
    else
        table_text(t, "promised", "%s", "");
    table_text(t, "met", "%s", promised == 0.0 ? "" : found->ratio.median <= promised ? "yes" : "no");
    frame_rows_put_costs(t, row);
}

static void print_tables(const behaviours_job *job) {
    if (job->options.quiet || output_file_is_stdout(job->options.json)) return;
    machine_print(stdout, &job->host);
    for (int d = 0; d < 2; d++) {
        table t = {0};
        for (int i = 0; i < ROWS; i++)
            if (job->found[d][i].rows[COMPARED].repeats > 0) put_row(&t, &job->found[d][i]);
        if (t.count == 0) continue;
        putchar('\n');
        frame_rows_print_title(stdout, &job->found[d][0].rows[COMPARED]);
        table_print(stdout, &t);
        table_free(&t);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------- */

static json_t *row_to_json(const frame_comparison *found) {
    json_t *json = frame_rows_json_row(&found->rows[COMPARED]);
    json_t *ratio = json_pack("{s:f, s:f, s:f}", "ratio", found->ratio.median, "ratio_min", found->ratio.low, "ratio_max",
                              found->ratio.high);
    bool is_whole = json_object_update(json, ratio) == 0;
    json_decref(ratio);
    if (is_whole) return json;
    json_decref(json);
    return NULL;
}

static json_t *rows_to_json(const behaviours_job *job) {
    json_t *rows = json_array();
    for (int i = 0; i < 2 * ROWS; i++) {
        const frame_comparison *found = &job->found[i / ROWS][i % ROWS];
        if (found->rows[COMPARED].repeats > 0 && json_array_append_new(rows, row_to_json(found)) != 0) {
            json_decref(rows);
            return NULL;
        }
    }
    return rows;
}

/* ---- the command ------------------------------------------------------------------------------------------------------ */

static int run(behaviours_job *job) {
    dunlin_error error;
    interrupt_watch("repeat");
    job->host = machine_describe();
    if (job->options.threads == 0) job->options.threads = job->host.threads;
    dunlin_result result = bench_options_check_kernels(&job->options, &error);
    if (result == DUNLIN_OK) result = output_file_open(&job->json, job->options.json, &error);
    if (result == DUNLIN_OK) result = measure_all(job, &error);
    if (result == DUNLIN_OK) {
        print_tables(job);
        result = json_write_rows(&job->json, &job->host, rows_to_json(job), &error);
    }
    output_file_drop(&job->json);
    return command_end(result, &error, "stopped before all behaviours were measured");
}

int bench_behaviours(int argc, const char **argv) {
    behaviours_job job = {0};
    int status;
    if (bench_options_read(&job.options, true, argc, argv, &status)) status = run(&job);
    options_free(&job.options.read);
    return status;
}
