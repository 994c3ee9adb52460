/* SPDX-License-Identifier: MIT */
/* `dunlin bench behaviours`: what a frame costs with each addition, beside a frame of the plain flock. */
#include "harness/program/commands.h"
#include "harness/program/interrupt.h"
#include "harness/bench/bench_commands.h"
#include "harness/bench/bench_json.h"
#include "harness/bench/bench_options.h"
#include "harness/bench/watched_bench.h"

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

static void print_promise(const bench_addition *addition, double ratio) {
    if (addition && addition->most > 0.0) {
        printf("   <= %-5.3g %-3s", addition->most, ratio <= addition->most ? "yes" : "no");
    } else {
        printf("   %8s %3s", "", "");
    }
}

static void print_row(const frame_comparison *found) {
    const frame_row *row = &found->rows[COMPARED];
    char range[48];
    snprintf(range, sizeof range, "(%.2f - %.2f)", found->ratio.low, found->ratio.high);
    printf("%-27s %6.3f  %15s", bench_addition_name(row->addition), found->ratio.median, range);
    print_promise(row->addition, found->ratio.median);
    frame_rows_print_costs(stdout, row);
}

static void print_table(const behaviours_job *job) {
    static const char *const head[FRAME_ROWS_HEAD] = {
        "                             times a plain frame                  ",
        "behaviours                  median      (min - max)   promised met",
    };
    if (output_file_is_stdout(job->options.json)) return;
    frame_rows_print_machine(stdout, &job->host);
    if (job->found[0].rows[COMPARED].repeats == 0) return;
    putchar('\n');
    frame_rows_print_title(stdout, &job->found[0].rows[COMPARED]);
    frame_rows_print_head(stdout, head);
    for (int i = 0; i < ROWS; i++) {
        if (job->found[i].rows[COMPARED].repeats > 0) print_row(&job->found[i]);
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
