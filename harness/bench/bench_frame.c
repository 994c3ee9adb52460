/* SPDX-License-Identifier: MIT */
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/bench/bench_commands.h"
#include "harness/bench/bench_json.h"
#include "harness/bench/bench_options.h"
#include "harness/measure/watched_bench.h"

#include <stdio.h>

typedef struct frame_job {
    bench_options options;
    machine host;
    bench_start start;
    frame_row rows[BENCH_KERNELS];
    output_file json;
} frame_job;

/* Everything that can be wrong with a path is found before the first step. */
static dunlin_result open_files(frame_job *job, dunlin_error *error) {
    const bench_options *options = &job->options;
    dunlin_result result = output_file_open_or_print(&job->json, options->json, error);
    return result == DUNLIN_OK && options->csv ? frame_rows_check_csv(options->csv, error) : result;
}

static dunlin_result measure(frame_job *job, dunlin_error *error) {
    const bench_options *options = &job->options;
    frame_case cases[BENCH_KERNELS];
    for (int i = 0; i < options->kernel_count; i++) {
        cases[i] = (frame_case){
            .start = &job->start,
            .threads = options->threads,
            .kernel = options->kernels[i],
            .index = options->index,
            .warm_up = BENCH_WARM_UP,
            .steps = options->steps,
            .repeats = options->repeats,
        };
    }
    dunlin_result result = watched_start_make(&options->workload, &job->start, error);
    if (result != DUNLIN_OK) return result;
    return watched_bench_run(cases, options->kernel_count, job->rows, error);
}

static void print_table(const frame_job *job) {
    if (output_file_is_stdout(job->options.json) || output_file_is_stdout(job->options.csv)) return;
    machine_print(stdout, &job->host);
    putchar('\n');
    frame_rows_print(stdout, job->rows, job->options.kernel_count);
}

static dunlin_result write_csv(const frame_job *job, dunlin_error *error) {
    if (!job->options.csv) return DUNLIN_OK;
    return frame_rows_append_csv(job->options.csv, &job->host, job->rows, job->options.kernel_count, error);
}

/* Rows of kernels that are wrong are shown, but not kept among a machine's results. */
static dunlin_result report(frame_job *job, bool *agree, dunlin_error *error) {
    char complaint[256];
    print_table(job);
    json_t *rows = frame_rows_json(job->rows, job->options.kernel_count);
    dunlin_result result = bench_json_write(&job->json, &job->host, rows, error);
    *agree = frame_rows_agree(job->rows, job->options.kernel_count, complaint, sizeof complaint);
    if (!*agree) fprintf(stderr, "dunlin: WRONG: %s; nothing is kept in a CSV file\n", complaint);
    if (*agree && result == DUNLIN_OK) result = write_csv(job, error);
    return result;
}

static int run(frame_job *job) {
    dunlin_error error;
    bool agree = true;
    interrupt_watch("repeat");
    job->host = machine_describe();
    dunlin_result result = bench_options_check_kernels(&job->options, &error);
    if (result == DUNLIN_OK) result = open_files(job, &error);
    if (result == DUNLIN_OK) result = measure(job, &error);
    if (result == DUNLIN_OK) result = report(job, &agree, &error);
    output_file_drop(&job->json);
    bench_start_free(&job->start);
    if (result == DUNLIN_OK && !agree) return EXIT_RUNTIME;
    return command_end(result, &error, "stopped before all repeats were done");
}

int bench_frame(int argc, const char **argv) {
    frame_job job = {0};
    int status;
    if (bench_options_read_frame(&job.options, argc, argv, &status)) status = run(&job);
    bench_options_free(&job.options);
    return status;
}
