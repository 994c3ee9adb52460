/* SPDX-License-Identifier: MIT */
/* `dunlin bench frame`: the speed of whole frames, in 2D and 3D. */
#include "harness/bench/bench_commands.h"
#include "harness/bench/bench_options.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/measure/frame_rows.h"
#include "harness/measure/frame_bench.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"

#include <stdio.h>

typedef struct frame_job {
    bench_options options;
    machine host;
    int counts[4];                     /* of rows, by dimensions */
    frame_row rows[2 * BENCH_KERNELS]; /* 2D, then 3D */
    output_file json;
} frame_job;

static int count_rows(const frame_job *job) {
    return job->counts[2] + job->counts[3];
}

/* Every problem with a path is found before the first step. */
static dunlin_result open_files(frame_job *job, dunlin_error *error) {
    const bench_options *options = &job->options;
    dunlin_result result = output_file_open(&job->json, options->json, error);
    return result == DUNLIN_OK && options->csv ? frame_rows_check_csv(options->csv, error) : result;
}

static dunlin_result measure(frame_job *job, int dimensions, dunlin_error *error) {
    bench_options *options = &job->options;
    char kernels[BENCH_KERNELS][FRAME_BENCH_NAME];
    frame_case cases[BENCH_KERNELS];
    bench_start start;
    options->workload.dimensions = dimensions;
    dunlin_result result = watched_start_make(&options->workload, &start, error);
    if (result != DUNLIN_OK) return result;
    int count = bench_options_list_kernels(options, kernels);
    for (int i = 0; i < count; i++) {
        cases[i] = (frame_case){
            .start = &start,
            .threads = options->threads,
            .kernel = kernels[i],
            .index = options->index,
            .warm_up = BENCH_WARM_UP,
            .steps = options->steps,
            .repeats = options->repeats,
        };
    }
    result = watched_bench_run(cases, count, job->rows + job->counts[2], options->quiet, error);
    job->counts[dimensions] = count;
    bench_start_free(&start);
    return result;
}

static dunlin_result measure_all(frame_job *job, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        bool is_wanted = job->options.dimensions[dimensions] && interrupt_signal() == 0;
        if (is_wanted && result == DUNLIN_OK) result = measure(job, dimensions, error);
    }
    return result;
}

static void print_tables(const frame_job *job) {
    const bench_options *options = &job->options;
    if (options->quiet || output_file_is_stdout(options->json) || output_file_is_stdout(options->csv)) return;
    machine_print(stdout, &job->host);
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        if (job->counts[dimensions] == 0) continue;
        putchar('\n');
        frame_rows_print(stdout, job->rows + (dimensions == 3 ? job->counts[2] : 0), job->counts[dimensions]);
    }
}

/* Rows of kernels that are wrong are shown, but not kept among a machine's results. */
static dunlin_result report(frame_job *job, bool *agree, dunlin_error *error) {
    char complaint[256];
    int count = count_rows(job);
    print_tables(job);
    dunlin_result result = json_write_rows(&job->json, &job->host, frame_rows_json(job->rows, count), error);
    *agree = frame_rows_agree(job->rows, count, complaint, sizeof complaint);
    if (!*agree) message_print("WRONG: %s; no row is added to a CSV file", complaint);
    if (!*agree || result != DUNLIN_OK || !job->options.csv) return result;
    return frame_rows_append_csv(job->options.csv, &job->host, job->rows, count, error);
}

static int run(frame_job *job) {
    dunlin_error error;
    bool agree = true;
    interrupt_watch("repeat");
    job->host = machine_describe();
    if (job->options.threads == 0) job->options.threads = job->host.threads;
    dunlin_result result = bench_options_check_kernels(&job->options, &error);
    if (result == DUNLIN_OK) result = open_files(job, &error);
    if (result == DUNLIN_OK) result = measure_all(job, &error);
    if (result == DUNLIN_OK) result = report(job, &agree, &error);
    output_file_drop(&job->json);
    if (result == DUNLIN_OK && !agree) return EXIT_RUNTIME;
    return command_end(result, &error, "stopped before all repeats were done");
}

int bench_frame(int argc, const char **argv) {
    frame_job job = {0};
    int status;
    if (bench_options_read(&job.options, false, argc, argv, &status)) status = run(&job);
    options_free(&job.options.read);
    return status;
}
