/* SPDX-License-Identifier: MIT */
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/report/claim.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"
#include "harness/scale/scale.h"

#include <stdlib.h>

static bool is_silent(const scale_options *options) {
    return options->quiet || output_file_is_stdout(options->csv) || output_file_is_stdout(options->json);
}

/* A rank that takes the threads of others needs their cores. */
static dunlin_result check_split(const scale_run *run, dunlin_error *error) {
    if (!run->options.sweeps[SWEEP_RANKS_SPLIT]) return DUNLIN_OK;
    if (run->ranks->here == run->ranks->ranks && run->host.cores == run->host.all_cores) return DUNLIN_OK;
    return bench_fail(error, DUNLIN_ERROR_VALUE,
                      "--sweep split needs all ranks on one machine, and ranks that may use all its cores, as with mpirun "
                      "--bind-to none: here %u of %u ranks share a machine, and rank 0 may use %d of its %d cores",
                      (unsigned)run->ranks->here, (unsigned)run->ranks->ranks, run->host.cores, run->host.all_cores);
}

static dunlin_result claim_outputs(const scale_options *options, dunlin_error *error) {
    dunlin_result result = options_claim_outputs(options->json, options->csv, error);
    if (result == DUNLIN_OK) result = claim_folder("--output", options->output, error);
    for (int i = 0; i < SWEEPS && result == DUNLIN_OK && options->output; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.csv", sweeps[i].name);
        result = claim_inside("--output", options->output, name, error);
    }
    return result;
}

/* Every problem with a path is found before the first step. */
static dunlin_result prepare(scale_run *run, dunlin_error *error) {
    const scale_options *options = &run->options;
    dunlin_result result = claim_outputs(options, error);
    if (result == DUNLIN_OK && options->csv) result = frame_rows_check_csv(options->csv, run->ranks, error);
    if (result == DUNLIN_OK) result = output_file_open(&run->json, options->json, error);
    if (result == DUNLIN_OK) result = output_folder_make(options->output, &run->folder, error);
    if (result == DUNLIN_OK) plan_make(run);
    return result == DUNLIN_OK ? check_split(run, error) : result;
}

/* Rows are written to disk as soon as they are measured. */
static dunlin_result keep_rows(const scale_run *run, sweep_kind sweep, const frame_row *rows, int count, dunlin_error *error) {
    char *path = output_folder_path(run->folder, "%s.csv", sweeps[sweep].name);
    if (!path) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
    dunlin_result result = frame_rows_append_csv(path, &run->host, run->ranks, frame_rows_json(rows, count), error);
    free(path);
    if (result != DUNLIN_OK || !run->options.csv) return result;
    return frame_rows_append_csv(run->options.csv, &run->host, run->ranks, frame_rows_json(rows, count), error);
}

/* Consecutive cases of one workload share a start. Ranks make theirs in parts. */
static dunlin_result make_starts(plan_batch *batch, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < batch->count && result == DUNLIN_OK && interrupt_signal() == 0; i++) {
        frame_case *one = &batch->cases[i];
        const bench_workload workload = one->start->workload;
        if (i > 0 && bench_workload_equal(&workload, &one[-1].start->workload))
            one->start = one[-1].start;
        else if (one->ranks == 0)
            result = bench_start_make(&workload, &batch->starts[i], error);
    }
    return result;
}

/* After a signal only rows that were measured at least once are added. */
static dunlin_result measure_batch(scale_run *run, plan_batch *batch, dunlin_error *error) {
    sweep_rows *rows = &run->results[batch->sweep][batch->dimensions];
    frame_row *added = rows->row + rows->count;
    int count = 0;
    dunlin_result result = make_starts(batch, error);
    if (result == DUNLIN_OK && interrupt_signal() == 0) {
        result = frame_bench_run(batch->cases, batch->count, added, NULL, bench_watch_repeat, &run->watch, error);
        while (result == DUNLIN_OK && count < batch->count && added[count].repeats > 0) count++;
    }
    for (int i = 0; i < batch->count; i++) bench_start_free(&batch->starts[i]);
    rows->count += count;
    run->rows_measured += count;
    return result == DUNLIN_OK && count > 0 ? keep_rows(run, batch->sweep, added, count, error) : result;
}

static dunlin_result measure_all(scale_run *run, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < run->batches && result == DUNLIN_OK && interrupt_signal() == 0; i++) {
        plan_batch *batch = &run->plan[i], *next = batch + 1;
        result = measure_batch(run, batch, error);
        bool goes_on = i + 1 < run->batches && next->sweep == batch->sweep && next->dimensions == batch->dimensions;
        if (goes_on && result == DUNLIN_OK && interrupt_signal() == 0) continue;
        progress_end(&run->watch.progress);
        if (!is_silent(&run->options)) report_print_sweep(run, batch->sweep, batch->dimensions);
    }
    return result;
}

static json_t *results_json(const scale_run *run) {
    json_t *all = json_array();
    int failures = 0;
    for (int i = 0; i < 2 * SWEEPS; i++) {
        json_t *rows = sweep_json((sweep_kind)(i / 2), &run->results[i / 2][2 + i % 2]);
        failures += json_array_extend(all, rows);
        json_decref(rows);
    }
    if (failures == 0) return all;
    json_decref(all);
    return NULL;
}

/* What was measured is reported even after a failure. */
static dunlin_result finish(scale_run *run, dunlin_error *error) {
    dunlin_error own;
    dunlin_result result = run->options.no_plots ? DUNLIN_OK : scale_plots_draw(run, error);
    dunlin_result next = report_write(run, &own);
    result = first_failure(result, error, next, &own);
    next = json_write_rows(&run->json, &run->host, results_json(run), &own);
    result = first_failure(result, error, next, &own);
    if (result != DUNLIN_OK || is_silent(&run->options)) return result;
    fputs("\nreport: ", stdout);
    message_write(stdout, "%s/%s", run->folder, REPORT_NAME);
    putchar('\n');
    return result;
}

static dunlin_result scale(scale_run *run, dunlin_error *error) {
    dunlin_result result = prepare(run, error);
    if (result != DUNLIN_OK) return result;
    if (!is_silent(&run->options)) report_print_head(run);
    interrupt_watch("repeat");
    result = measure_all(run, error);
    if (result == DUNLIN_OK) return finish(run, error);
    dunlin_error later;
    run->problem = error->message;
    if (run->rows_measured > 0 && finish(run, &later) != DUNLIN_OK) message_print("%s", later.message);
    return result;
}

/* "dunlin scale --quick"; truncated if it is too long. */
static void join(int argc, const char **argv, char *text, size_t size) {
    size_t length = (size_t)snprintf(text, size, "%s scale", ranks_program_name());
    for (int i = 1; i < argc && length < size; i++) {
        length += (size_t)snprintf(text + length, size - length, " %s", argv[i]);
    }
}

/* The launcher may have bound its ranks. */
static machine describe_machine(const command_ranks *ranks) {
    machine host = machine_describe();
    if (ranks && !pin_binds(host.pinning) && host.cores < host.all_cores)
        snprintf(host.pinning, sizeof host.pinning, "the launcher: a rank to %d core%s", host.cores, host.cores > 1 ? "s" : "");
    return host;
}

static int scale_on(const command_ranks *ranks, int argc, const char **argv) {
    scale_run *run = calloc(1, sizeof *run);
    int status = EXIT_RUNTIME;
    if (!run) {
        message_print("no memory for results");
        return status;
    }
    run->ranks = ranks;
    join(argc, argv, run->command, sizeof run->command);
    if (scale_options_read(&run->options, ranks, argc, argv, &status)) {
        dunlin_error error;
        run->host = describe_machine(ranks);
        if (getloadavg(&run->load, 1) != 1) run->load = 0.0;
        dunlin_result result = scale(run, &error);
        status = command_end(result, &error, NULL);
        output_file_drop(&run->json);
    }
    options_free(&run->options.read);
    free(run->folder);
    free(run);
    return status;
}

/* Rank 0 measures and reports; the others run with it, and exit with its status. */
int command_scale(int argc, const char **argv) {
    const command_ranks *ranks = ranks_here();
    if (!ranks->launched) return scale_on(NULL, argc, argv);
    if (ranks->rank > 0) {
        interrupt_watch(NULL);
        return bench_ranks_follow(ranks);
    }
    const int status = scale_on(ranks, argc, argv);
    bench_ranks_dismiss(ranks, status);
    return status;
}
