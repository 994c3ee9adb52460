/* SPDX-License-Identifier: MIT */
/* `dunlin bench behaviours`: what a frame costs with each addition, beside a frame of the plain flock. */
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/bench/bench_commands.h"
#include "harness/bench/bench_json.h"
#include "harness/bench/bench_options.h"
#include "harness/measure/watched_bench.h"

#include <stdio.h>

enum { ROWS = 1 + BENCH_ADDITIONS }; /* the plain flock beside itself shows what is noise */

typedef struct behaviours_job {
    bench_options options;
    machine host;
    bench_start start;
    frame_comparison found[ROWS];
    output_file json;
} behaviours_job;

static const bench_addition *addition_of_row(int row) {
    return row > 0 ? &bench_additions[row - 1] : NULL;
}

static dunlin_result measure(behaviours_job *job, dunlin_error *error) {
    const bench_options *options = &job->options;
    const frame_case plain = {
        .start = &job->start,
        .threads = options->threads,
        .kernel = options->kernels[0],
        .index = options->index,
        .warm_up = BENCH_WARM_UP,
        .steps = options->steps,
        .repeats = options->repeats,
    };
    frame_case cases[ROWS];
    for (int i = 0; i < ROWS; i++) {
        cases[i] = plain;
        cases[i].addition = addition_of_row(i);
    }
    dunlin_result result = watched_start_make(&options->workload, &job->start, error);
    return result == DUNLIN_OK ? watched_bench_compare(&plain, cases, ROWS, job->found, error) : result;
}

/* ---- the table -------------------------------------------------------------------------------------------------------- */

static void put_promise(table *t, const bench_addition *addition, double ratio) {
    bool is_promised = addition && addition->most > 0.0;
    table_cell(t, "promised", is_promised ? "<= %.3g" : "", is_promised ? addition->most : 0.0);
    table_text(t, "met", "%s", !is_promised ? "" : ratio <= addition->most ? "yes" : "no");
}

static void put_row(table *t, const frame_comparison *found) {
    const frame_row *row = &found->rows[COMPARED];
    table_begin_row(t);
    table_text(t, "behaviours", "%s", bench_addition_name(row->addition));
    table_cell(t, "times a plain frame", "%.3f", found->ratio.median);
    table_range(t, "min .. max", found->ratio.low, found->ratio.high);
    put_promise(t, row->addition, found->ratio.median);
    frame_rows_put_costs(t, row);
}

static void print_table(const behaviours_job *job) {
    if (output_file_is_stdout(job->options.json)) return;
    machine_print(stdout, &job->host);
    if (job->found[0].rows[COMPARED].repeats == 0) return;
    putchar('\n');
    frame_rows_print_title(stdout, &job->found[0].rows[COMPARED]);
    table t = {0};
    for (int i = 0; i < ROWS; i++) {
        if (job->found[i].rows[COMPARED].repeats > 0) put_row(&t, &job->found[i]);
    }
    table_print(stdout, &t);
    table_free(&t);
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
    for (int i = 0; i < ROWS; i++) {
        const frame_comparison *found = &job->found[i];
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
    dunlin_result result = bench_options_check_kernels(&job->options, &error);
    if (result == DUNLIN_OK) result = output_file_open_or_print(&job->json, job->options.json, &error);
    if (result == DUNLIN_OK) result = measure(job, &error);
    if (result == DUNLIN_OK) {
        print_table(job);
        result = bench_json_write(&job->json, &job->host, rows_to_json(job), &error);
    }
    output_file_drop(&job->json);
    bench_start_free(&job->start);
    return command_end(result, &error, "stopped before all behaviours were measured");
}

int bench_behaviours(int argc, const char **argv) {
    behaviours_job job = {0};
    int status;
    if (bench_options_read_behaviours(&job.options, argc, argv, &status)) status = run(&job);
    bench_options_free(&job.options);
    return status;
}
