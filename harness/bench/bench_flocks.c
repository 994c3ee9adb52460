/* SPDX-License-Identifier: MIT */
/*
 * `dunlin bench frame`: the speed of whole frames, by kernel, and what limits it.
 * `dunlin bench behaviours`: what a frame costs with each addition, beside a frame of the plain flock.
 */
#include "harness/bench/bench.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/command/kernel_names.h"
#include "harness/measure/frame_rows.h"
#include "harness/report/claim.h"
#include "harness/report/message.h"
#include "harness/roofline/bounds.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct bench_job {
    bench_options options;
    machine host;
    bool has_tables;
    bool agree;   /* kernels ended in the same states */
    json_t *rows; /* that were measured: 2D, then 3D */
    output_file json;
    char *folder;

    int bounded; /* rows with bounds, for the plot */
    frame_row bounded_rows[2 * BENCH_KERNELS];
    row_bounds bounds[2 * BENCH_KERNELS];
} bench_job;

/* ---- tables ----------------------------------------------------------------------------------------------------------- */

static const json_column addition_columns[] = {
    {"behaviours", "behaviours", SHOWN_TEXT, 0.0},
    {"times a plain frame", "ratio", SHOWN_NUMBER, 0.0},
    {"min .. max", "ratio", SHOWN_RANGE, 0.0},
    {"promised", "promised", SHOWN_TEXT, 0.0},
    {"met", "met", SHOWN_TEXT, 0.0},
    FRAME_COST_COLUMNS,
    {0},
};

static const json_column bound_columns[] = {
    {"kernel", "kernel", SHOWN_TEXT, 0.0},
    {"snapshot: bound / time", "share_of_bound_snapshot", SHOWN_PERCENT, 0.0},
    {"interact: bound / time", "share_of_bound_interact", SHOWN_PERCENT, 0.0},
    {"steer: bound / time", "share_of_bound_steer", SHOWN_PERCENT, 0.0},
    {"integrate: bound / time", "share_of_bound_integrate", SHOWN_PERCENT, 0.0},
    {"frame: bound / time", "share_of_bound_frame", SHOWN_PERCENT, 0.0},
    {"frame: bound, ns per agent", "bound_ns_frame", SHOWN_NUMBER, 0.0},
    {"interact is limited by", "limit_interact", SHOWN_TEXT, 0.0},
    {0},
};

static const json_column ceiling_columns[] = {
    {"kernel", "kernel", SHOWN_TEXT, 0.0},
    {"clock GHz", "ceilings_clock", SHOWN_NUMBER, 1e-9},
    {"G adds/s", "ceilings_adds", SHOWN_NUMBER, 1e-9},
    {"G multiplies/s", "ceilings_multiplies", SHOWN_NUMBER, 1e-9},
    {"both", "ceilings_adds_multiplies", SHOWN_NUMBER, 1e-9},
    {"G FMAs/s", "ceilings_fmas", SHOWN_NUMBER, 1e-9},
    {"G comparisons/s", "ceilings_comparisons", SHOWN_NUMBER, 1e-9},
    {"G divides/s", "ceilings_divides", SHOWN_NUMBER, 1e-9},
    {"G loads/s", "ceilings_loads", SHOWN_NUMBER, 1e-9},
    {"GB/s read", "bandwidth_read", SHOWN_NUMBER, 1e-9},
    {"written", "bandwidth_write", SHOWN_NUMBER, 1e-9},
    {"copied", "bandwidth_copy", SHOWN_NUMBER, 1e-9},
    {0},
};

/* Baselines have no bounds. */
static void show_bounds(json_t *rows) {
    json_t *bounded = json_array(), *row;
    size_t i;
    json_array_foreach(rows, i, row) {
        if (json_object_get(row, "bound_ns")) json_array_append(bounded, row);
    }
    puts("\nHow close kernels come to the limits of this machine\n");
    frame_rows_print(stdout, bounded, bound_columns);
    puts("\nThose limits: of a core, and of all threads for bytes of memory as large as the flock\n");
    frame_rows_print(stdout, bounded, ceiling_columns);
    json_decref(bounded);
}

/* Takes the rows. */
static void show(bench_job *job, const frame_row *first, json_t *rows) {
    if (job->has_tables && json_array_size(rows) > 0) {
        if (json_array_size(job->rows) == 0) machine_print(stdout, &job->host);
        putchar('\n');
        frame_rows_print_title(stdout, first);
        frame_rows_print(stdout, rows, job->options.is_behaviours ? addition_columns : frame_kernel_columns);
        if (job->bounded > 0) show_bounds(rows);
    }
    if (json_array_extend(job->rows, rows) != 0) { /* no memory, which writing then finds */
        json_decref(job->rows);
        job->rows = NULL;
    }
    json_decref(rows);
}

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

static dunlin_result add_bounds(bench_job *job, const frame_row *rows, int count, const bench_start *start, json_t *list,
                                dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0, measured = 0; i < count && result == DUNLIN_OK; i++) {
        if (rows[i].repeats == 0) continue;
        json_t *json = json_array_get(list, (size_t)measured++);
        if (!kernel_find(rows[i].kernel).name || interrupt_signal() != 0) continue;
        row_bounds *bounds = &job->bounds[job->bounded];
        result = bounds_measure(&rows[i], start, job->host.cores, bounds, error);
        if (result == DUNLIN_OK && bounds_add_json(bounds, &rows[i], json) != 0)
            result = bench_fail(error, DUNLIN_ERROR_MEMORY, "out of memory for bounds");
        job->bounded_rows[job->bounded++] = rows[i];
    }
    return result;
}

static dunlin_result measure_kernels(bench_job *job, const bench_start *start, dunlin_error *error) {
    char complaint[256];
    kernel_list kernels = bench_options_list_kernels(&job->options);
    frame_case cases[BENCH_KERNELS];
    frame_row rows[BENCH_KERNELS];
    for (int i = 0; i < kernels.count; i++) {
        cases[i] = plain_case(&job->options, start);
        cases[i].kernel = kernels.name[i];
    }
    bench_watch watch = bench_watch_begin(kernels.count * job->options.repeats, job->options.quiet);
    dunlin_result result = frame_bench_run(cases, kernels.count, rows, NULL, bench_watch_repeat, &watch, error);
    progress_end(&watch.progress);
    if (result != DUNLIN_OK) return result;
    json_t *list = frame_rows_json(rows, kernels.count);
    if (job->options.bounds) result = add_bounds(job, rows, kernels.count, start, list, error);
    show(job, rows, list);
    if (frame_rows_agree(rows, kernels.count, complaint, sizeof complaint)) return result;
    message_print("WRONG: %s; no row is added to a CSV file", complaint);
    job->agree = false;
    return result;
}

/* What is promised of it is no number, and so is not for CSV. */
static json_t *addition_json(const frame_row *row, spread ratio) {
    const double promised = row->addition ? row->addition->max_ratio : 0.0;
    json_t *json = frame_rows_json_row(row);
    json_t *more = json_pack("{s:f, s:f, s:f}", "ratio", ratio.median, "ratio_min", ratio.low, "ratio_max", ratio.high);
    json_object_update(json, more);
    json_decref(more);
    if (promised == 0.0) return json;
    json_object_set_new(json, "promised", json_sprintf("<= %.3g", promised));
    json_object_set_new(json, "met", json_string(frame_verdict("<=", promised, ratio.median)));
    return json;
}

/* Each beside the plain flock. The plain flock beside itself comes first, and shows the noise. */
static dunlin_result measure_additions(bench_job *job, const bench_start *start, dunlin_error *error) {
    enum { PLAIN, ADDED, PAIR };
    frame_case cases[PAIR] = {plain_case(&job->options, start), plain_case(&job->options, start)};
    frame_row rows[PAIR], first = {0};
    spread ratios[PAIR * PAIR];
    dunlin_result result = DUNLIN_OK;
    json_t *list = json_array();
    bench_watch watch = bench_watch_begin((1 + BENCH_ADDITIONS) * PAIR * job->options.repeats, job->options.quiet);
    for (int i = 0; i <= BENCH_ADDITIONS && result == DUNLIN_OK && interrupt_signal() == 0; i++) {
        cases[ADDED].addition = i > 0 ? &bench_additions[i - 1] : NULL;
        result = frame_bench_run(cases, PAIR, rows, ratios, bench_watch_repeat, &watch, error);
        if (result != DUNLIN_OK || rows[ADDED].repeats == 0) continue;
        json_array_append_new(list, addition_json(&rows[ADDED], ratios[ADDED * PAIR + PLAIN]));
        if (i == 0) first = rows[ADDED];
    }
    progress_end(&watch.progress);
    if (result == DUNLIN_OK)
        show(job, &first, list);
    else
        json_decref(list);
    return result;
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

/* ---- the commands ----------------------------------------------------------------------------------------------------- */

/* Every problem with a kernel or a path is found before the first step. */
static dunlin_result prepare(bench_job *job, dunlin_error *error) {
    const bench_options *options = &job->options;
    dunlin_result result = bench_options_check_kernels(options, error);
    if (result == DUNLIN_OK) result = options_claim_outputs(options->json, options->csv, error);
    if (result == DUNLIN_OK) result = claim_folder("--output", options->output, error);
    if (result == DUNLIN_OK) result = output_file_open(&job->json, options->json, error);
    if (result == DUNLIN_OK && options->csv) result = frame_rows_check_csv(options->csv, false, error);
    return result == DUNLIN_OK && options->output ? output_folder_make(options->output, &job->folder, error) : result;
}

/* Rows of kernels that are wrong are shown, but not kept among a machine's results. */
static dunlin_result report(bench_job *job, dunlin_error *error) {
    dunlin_error own;
    dunlin_result result = json_write_rows(&job->json, &job->host, json_incref(job->rows), error), next = DUNLIN_OK;
    if (job->agree && job->options.csv)
        next = frame_rows_append_csv(job->options.csv, &job->host, false, json_incref(job->rows), &own);
    result = first_failure(result, error, next, &own);
    next = DUNLIN_OK;
    if (job->folder && job->bounded > 0)
        next = bounds_plot(job->folder, &job->host, job->bounded_rows, job->bounds, job->bounded, &own);
    return first_failure(result, error, next, &own);
}

static int run(bench_job *job) {
    const bench_options *options = &job->options;
    dunlin_error error;
    interrupt_watch("repeat");
    job->host = machine_describe();
    job->rows = json_array();
    job->has_tables = !options->quiet && !output_file_is_stdout(options->json) && !output_file_is_stdout(options->csv);
    if (options->threads == 0) job->options.threads = job->host.threads;
    dunlin_result result = prepare(job, &error);
    if (result == DUNLIN_OK) result = measure_all(job, &error);
    if (result == DUNLIN_OK) result = report(job, &error);
    output_file_drop(&job->json);
    json_decref(job->rows);
    if (result == DUNLIN_OK && !job->agree) return EXIT_RUNTIME;
    return command_end(result, &error, "stopped before all repeats were done");
}

static int read_and_run(bool is_behaviours, int argc, const char **argv) {
    int status = EXIT_RUNTIME;
    bench_job *job = calloc(1, sizeof *job);
    if (!job) return status;
    job->agree = true;
    if (bench_options_read(&job->options, is_behaviours, argc, argv, &status)) status = run(job);
    options_free(&job->options.read);
    free(job->folder);
    free(job);
    return status;
}

int bench_frame(int argc, const char **argv) {
    return read_and_run(false, argc, argv);
}

int bench_behaviours(int argc, const char **argv) {
    return read_and_run(true, argc, argv);
}
