/* SPDX-License-Identifier: MIT */
/*
 * `dunlin bench frame`: the speed of whole frames, by kernel.
 * `dunlin bench behaviours`: what a frame costs with each addition, beside a frame of the plain flock.
 */
#include "harness/bench/bench.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/measure/frame_rows.h"
#include "harness/report/message.h"

#include <stdio.h>

/* The plain flock beside itself shows the noise. */
enum { ADDITIONS = 1 + BENCH_ADDITIONS };

/* 2D, then 3D. What has no repeats was not measured. */
typedef struct bench_job {
    bench_options options;
    machine host;
    frame_row rows[2 * BENCH_KERNELS];
    frame_comparison found[2 * ADDITIONS];
    output_file json;
} bench_job;

/* ---- measuring -------------------------------------------------------------------------------------------------------- */

static frame_case plain_case(const bench_options *options, const bench_start *start) {
    return (frame_case){
        .start = start,
        .threads = options->threads,
        .kernel = options->kernel,
        .index = options->index,
        .warm_up = BENCH_WARM_UP,
        .steps = options->steps,
        .repeats = options->repeats,
    };
}

static dunlin_result measure_kernels(bench_job *job, const bench_start *start, dunlin_error *error) {
    kernel_list kernels = bench_options_list_kernels(&job->options);
    frame_case cases[BENCH_KERNELS];
    for (int i = 0; i < kernels.count; i++) {
        cases[i] = plain_case(&job->options, start);
        cases[i].kernel = kernels.name[i];
    }
    frame_row *rows = &job->rows[start->workload.dimensions == 2 ? 0 : BENCH_KERNELS];
    return watched_bench_run(cases, kernels.count, rows, NULL, job->options.quiet, error);
}

static dunlin_result measure_additions(bench_job *job, const bench_start *start, dunlin_error *error) {
    const frame_case plain = plain_case(&job->options, start);
    frame_case cases[ADDITIONS];
    for (int i = 0; i < ADDITIONS; i++) {
        cases[i] = plain;
        cases[i].addition = i > 0 ? &bench_additions[i - 1] : NULL;
    }
    frame_comparison *found = &job->found[start->workload.dimensions == 2 ? 0 : ADDITIONS];
    return watched_bench_compare_each(&plain, cases, ADDITIONS, found, job->options.quiet, error);
}

static dunlin_result measure_all(bench_job *job, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    bench_workload *workload = &job->options.workload;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        bench_start start;
        if (!job->options.dimensions[dimensions] || interrupt_signal() != 0 || result != DUNLIN_OK) continue;
        workload->dimensions = dimensions;
        result = watched_start_make(workload, &start, error);
        if (result != DUNLIN_OK) return result;
        result = (job->options.is_behaviours ? measure_additions : measure_kernels)(job, &start, error);
        bench_start_free(&start);
    }
    return result;
}

/* ---- rows and tables ----------------------------------------------------------------------------------------------------- */

/* What is promised of it is no number, and so is not for CSV. */
static json_t *addition_json(const frame_comparison *found) {
    const double promised = found->row.addition ? found->row.addition->max_ratio : 0.0;
    json_t *json = frame_rows_json_row(&found->row);
    json_t *more = json_pack("{s:f, s:f, s:f}", "ratio", found->ratio.median, "ratio_min", found->ratio.low, "ratio_max",
                             found->ratio.high);
    int failures = json_object_update(json, more);
    json_decref(more);
    if (promised > 0.0) {
        failures += json_object_set_new(json, "promised", json_sprintf("<= %.3g", promised));
        failures += json_object_set_new(json, "met", json_string(found->ratio.median <= promised ? "yes" : "no"));
    }
    if (failures == 0) return json;
    json_decref(json);
    return NULL;
}

static json_t *additions_json(const frame_comparison *found, int count) {
    json_t *rows = json_array();
    int failures = 0;
    for (int i = 0; i < count; i++)
        if (found[i].row.repeats > 0) failures += json_array_append_new(rows, addition_json(&found[i]));
    if (failures == 0) return rows;
    json_decref(rows);
    return NULL;
}

static void print_additions(const frame_comparison *found) {
    static const json_column columns[] = {
        {"behaviours", "behaviours", SHOWN_TEXT, 0.0},
        {"times a plain frame", "ratio", SHOWN_NUMBER, 0.0},
        {"min .. max", "ratio", SHOWN_RANGE, 0.0},
        {"promised", "promised", SHOWN_TEXT, 0.0},
        {"met", "met", SHOWN_TEXT, 0.0},
        FRAME_COST_COLUMNS,
        {0},
    };
    json_t *rows = additions_json(found, ADDITIONS);
    table t = json_table(rows, columns);
    frame_rows_print_title(stdout, &found[0].row);
    table_print(stdout, &t);
    table_free(&t);
    json_decref(rows);
}

static void print_tables(const bench_job *job) {
    const bench_options *options = &job->options;
    if (options->quiet || output_file_is_stdout(options->json) || output_file_is_stdout(options->csv)) return;
    machine_print(stdout, &job->host);
    for (int d = 0; d < 2; d++) {
        const frame_row *rows = &job->rows[d * BENCH_KERNELS];
        const frame_comparison *found = &job->found[d * ADDITIONS];
        if (rows->repeats + found->row.repeats == 0) continue;
        putchar('\n');
        if (options->is_behaviours)
            print_additions(found);
        else
            frame_rows_print(stdout, rows, BENCH_KERNELS);
    }
}

/* ---- the commands ----------------------------------------------------------------------------------------------------- */

/* Every problem with a kernel or a path is found before the first step. */
static dunlin_result prepare(bench_job *job, dunlin_error *error) {
    const bench_options *options = &job->options;
    dunlin_result result = bench_options_check_kernels(options, error);
    if (result == DUNLIN_OK) result = options_claim_outputs(options->json, options->csv, error);
    if (result == DUNLIN_OK) result = output_file_open(&job->json, options->json, error);
    return result == DUNLIN_OK && options->csv ? frame_rows_check_csv(options->csv, false, error) : result;
}

/* Rows of kernels that are wrong are shown, but not kept among a machine's results. */
static dunlin_result report(bench_job *job, bool *agree, dunlin_error *error) {
    char complaint[256];
    enum { ROWS = sizeof job->rows / sizeof *job->rows };
    print_tables(job);
    json_t *json = job->options.is_behaviours ? additions_json(job->found, 2 * ADDITIONS) : frame_rows_json(job->rows, ROWS);
    dunlin_error own;
    const dunlin_result result = json_write_rows(&job->json, &job->host, json, error);
    *agree = frame_rows_agree(job->rows, ROWS, complaint, sizeof complaint);
    if (!*agree) message_print("WRONG: %s; no row is added to a CSV file", complaint);
    if (!*agree || !job->options.csv) return result;
    const dunlin_result next = frame_rows_append_csv(job->options.csv, &job->host, job->rows, ROWS, &own);
    return first_failure(result, error, next, &own);
}

static int run(bench_job *job) {
    dunlin_error error;
    bool agree = true;
    interrupt_watch("repeat");
    job->host = machine_describe();
    if (job->options.threads == 0) job->options.threads = job->host.threads;
    dunlin_result result = prepare(job, &error);
    if (result == DUNLIN_OK) result = measure_all(job, &error);
    if (result == DUNLIN_OK) result = report(job, &agree, &error);
    output_file_drop(&job->json);
    if (result == DUNLIN_OK && !agree) return EXIT_RUNTIME;
    return command_end(result, &error, "stopped before all repeats were done");
}

static int read_and_run(bool is_behaviours, int argc, const char **argv) {
    bench_job job = {0};
    int status;
    if (bench_options_read(&job.options, is_behaviours, argc, argv, &status)) status = run(&job);
    options_free(&job.options.read);
    return status;
}

int bench_frame(int argc, const char **argv) {
    return read_and_run(false, argc, argv);
}

int bench_behaviours(int argc, const char **argv) {
    return read_and_run(true, argc, argv);
}
