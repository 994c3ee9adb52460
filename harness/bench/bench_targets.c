/* SPDX-License-Identifier: MIT */
/*
 * `dunlin bench targets`: what Dunlin promises of its speed, measured quickly. Every figure is a ratio or a cost within one
 * run: medians of five alternating repeats.
 */
#include "harness/command/options.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/command/kernel_names.h"
#include "harness/measure/baseline.h"
#include "harness/bench/bench_commands.h"
#include "harness/measure/frame_rows.h"
#include "harness/bench/target_table.h"
#include "harness/measure/frame_bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One step is enough to warm up, because it sorts the agents. The slowest kernels take half a second and more per step. */
enum { WARM_UP = 1, STEPS = 2, REPEATS = 5, MOST_CASES = 16 };

typedef struct targets_job {
    machine host;
    target_table table;
    bool agree; /* kernels ended in the same states */
} targets_job;

/* ---- measuring -------------------------------------------------------------------------------------------------------- */

static frame_case make_case(const bench_start *start, int threads, const char *kernel) {
    return (frame_case){
        .start = start,
        .threads = threads,
        .kernel = kernel,
        .index = "auto",
        .warm_up = WARM_UP,
        .steps = STEPS,
        .repeats = REPEATS,
    };
}

/* Measures, and compares the states in which kernels end. */
static dunlin_result measure(targets_job *job, const frame_case *cases, int count, frame_row *rows, dunlin_error *error) {
    char complaint[256];
    dunlin_result result = watched_bench_run(cases, count, rows, false, error);
    if (result != DUNLIN_OK || frame_rows_agree(rows, count, complaint, sizeof complaint)) return result;
    fprintf(stderr, "dunlin: WRONG: %s\n", complaint);
    job->agree = false;
    return DUNLIN_OK;
}

/* One of the workloads that are measured together. */
typedef struct subject {
    bench_workload workload;
    int steps, repeats;
    const bench_start *ready; /* its start, if there is one already */
    bench_start own;
} subject;

/* On one thread, with the kernel that Dunlin chooses. After a signal some or all rows have no repeats. */
static dunlin_result measure_subjects(targets_job *job, subject *subjects, int count, frame_row *rows, dunlin_error *error) {
    frame_case cases[MOST_CASES];
    dunlin_result result = DUNLIN_OK;
    memset(rows, 0, (size_t)count * sizeof *rows);
    if (interrupt_signal() != 0) return DUNLIN_OK;
    for (int i = 0; i < count && result == DUNLIN_OK; i++) {
        if (!subjects[i].ready) result = watched_start_make(&subjects[i].workload, &subjects[i].own, error);
        cases[i] = make_case(subjects[i].ready ? subjects[i].ready : &subjects[i].own, 1, "auto");
        cases[i].steps = subjects[i].steps;
        cases[i].repeats = subjects[i].repeats;
    }
    if (result == DUNLIN_OK) result = measure(job, cases, count, rows, error);
    for (int i = 0; i < count; i++) bench_start_free(&subjects[i].own);
    return result;
}

static bool all_measured(const frame_row *rows, int count) {
    for (int i = 0; i < count; i++) {
        if (rows[i].repeats == 0) return false;
    }
    return true;
}

static double ns_per_agent(const frame_row *row) {
    return 1e9 / row->agent_updates_per_second;
}

static double ns_per_useful_pair(const frame_row *row) {
    return 1e9 / row->pairs_useful_per_second;
}

static void announce(const char *what, int dimensions) {
    if (interrupt_signal() == 0) fprintf(stderr, "%s, %dD\n", what, dimensions);
}

static bench_workload uniform(int dimensions, uint32_t agents, double neighbours) {
    return (bench_workload){
        .dimensions = dimensions, .agents = agents, .neighbours = neighbours, .distribution = BENCH_UNIFORM};
}

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

/* What a kernel with so many lanes promises, against baseline-aos; 0: nothing. */
static double promised_ratio(int lanes, int dimensions) {
    bool is_flat = dimensions == 2;
    switch (lanes) {
    case 4:
        return is_flat ? 8 : 5;
    case 8:
        return is_flat ? 16 : 10;
    case 16:
        return is_flat ? 33 : 18;
    default:
        return 0.0;
    }
}

static void judge_kernels(targets_job *job, int dimensions, const frame_row *rows, int count) {
    const frame_row *reference = frame_rows_find(rows, count, &rows[0], baseline_name(BASELINE_AOS));
    for (int k = dunlin_kernel_count() - 1; k >= 0; k--) {
        dunlin_kernel_info kernel = dunlin_kernel_at(k);
        double promised = promised_ratio(kernel.lanes, dimensions);
        if (promised == 0.0) continue;
        const frame_row *row = frame_rows_find(rows, count, &rows[0], kernel.name);
        char what[80];
        snprintf(what, sizeof what, "%dD  %s against baseline-aos, 1 thread", dimensions, kernel.name);
        target *line = target_table_add(&job->table, what, AT_LEAST, promised, "x");
        if (!kernel.runs_here) {
            snprintf(line->remark, sizeof line->remark, "this machine lacks the instructions");
        } else if (row && reference) {
            target_reach(line, row->agent_updates_per_second / reference->agent_updates_per_second);
        }
    }
}

static void judge_memory(targets_job *job, int dimensions, const frame_row *rows, int count) {
    static const double most[2] = {80, 110};
    char what[80];
    snprintf(what, sizeof what, "%dD  all memory, bytes per agent", dimensions);
    target *line = target_table_add(&job->table, what, AT_MOST, most[dimensions - 2], "");
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        baseline_kind kind;
        bool counts = rows[i].repeats > 0 && !baseline_find(rows[i].kernel, &kind);
        if (counts && rows[i].bytes_per_agent > largest) largest = rows[i].bytes_per_agent;
    }
    if (largest > 0.0) target_reach(line, largest);
}

static int list_kernels(const bench_start *start, frame_case cases[MOST_CASES]) {
    int count = 0;
    cases[count++] = make_case(start, 1, baseline_name(BASELINE_AOS));
    for (int i = 0; i < dunlin_kernel_count() && count < MOST_CASES; i++) {
        if (dunlin_kernel_at(i).runs_here) cases[count++] = make_case(start, 1, dunlin_kernel_at(i).name);
    }
    return count;
}

static dunlin_result compare_kernels(targets_job *job, const bench_start *start, dunlin_error *error) {
    frame_case cases[MOST_CASES];
    frame_row rows[MOST_CASES];
    int dimensions = start->workload.dimensions, count = list_kernels(start, cases);
    announce("kernels", dimensions);
    dunlin_result result = measure(job, cases, count, rows, error);
    if (result != DUNLIN_OK) return result;
    frame_rows_print(stdout, rows, count);
    putchar('\n');
    fflush(stdout);
    judge_kernels(job, dimensions, rows, count);
    judge_memory(job, dimensions, rows, count);
    return DUNLIN_OK;
}

/* ---- threads ---------------------------------------------------------------------------------------------------------- */

static dunlin_result compare_threads(targets_job *job, const bench_start *start, dunlin_error *error) {
    int dimensions = start->workload.dimensions;
    char what[80];
    snprintf(what, sizeof what, "%dD  two threads against one, whole frames", dimensions);
    target *line = target_table_add(&job->table, what, AT_LEAST, 1.9, "x");
    if (job->host.cores < 2) {
        snprintf(line->remark, sizeof line->remark, "one core only");
        return DUNLIN_OK;
    }
    if (interrupt_signal() != 0) return DUNLIN_OK;
    announce("threads", dimensions);
    frame_case cases[2] = {make_case(start, 1, "auto"), make_case(start, 2, "auto")};
    frame_row rows[2];
    dunlin_result result = measure(job, cases, 2, rows, error);
    if (result == DUNLIN_OK && rows[1].repeats > 0) {
        target_reach(line, rows[1].agent_updates_per_second / rows[0].agent_updates_per_second);
    }
    return result;
}

/* ---- behaviours and ways of seeing ------------------------------------------------------------------------------------ */

static target *add_promise(targets_job *job, const bench_addition *addition, int dimensions) {
    char what[80];
    snprintf(what, sizeof what, "%dD  %s: a frame against a plain one", dimensions, addition->name);
    return target_table_add(&job->table, what, AT_MOST, addition->max_ratio, "x");
}

static void judge_addition(target *line, const frame_comparison *found) {
    if (found->rows[COMPARED].repeats == 0) return;
    target_reach(line, found->ratio.median);
    snprintf(line->remark, sizeof line->remark, "%.2f .. %.2f", found->ratio.low, found->ratio.high);
}

static dunlin_result compare_additions(targets_job *job, const bench_start *start, dunlin_error *error) {
    int dimensions = start->workload.dimensions, count = 0;
    const frame_case plain = make_case(start, 1, "auto");
    frame_case cases[BENCH_ADDITIONS];
    target *lines[BENCH_ADDITIONS];
    for (int i = 0; i < BENCH_ADDITIONS; i++) {
        if (bench_additions[i].max_ratio == 0.0) continue;
        cases[count] = plain;
        cases[count].addition = &bench_additions[i];
        lines[count++] = add_promise(job, &bench_additions[i], dimensions);
    }
    announce("behaviours and ways of seeing", dimensions);
    frame_comparison found[BENCH_ADDITIONS];
    dunlin_result result = watched_bench_compare(&plain, cases, count, found, false, error);
    for (int i = 0; i < count && result == DUNLIN_OK; i++) judge_addition(lines[i], &found[i]);
    return result;
}

/* ---- a million agents ------------------------------------------------------------------------------------------------- */

/* The usual workload: 1 000 000 agents, 20 neighbours. */
static dunlin_result measure_million(targets_job *job, int dimensions, dunlin_error *error) {
    bench_workload workload = uniform(dimensions, 1000000, 20);
    bench_start start;
    dunlin_result result = watched_start_make(&workload, &start, error);
    if (result != DUNLIN_OK) return result;
    result = compare_kernels(job, &start, error);
    if (result == DUNLIN_OK) result = compare_threads(job, &start, error);
    if (result == DUNLIN_OK) result = compare_additions(job, &start, error);
    bench_start_free(&start);
    return result;
}

/* ---- sizes ------------------------------------------------------------------------------------------------------------ */

static dunlin_result measure_large(targets_job *job, int dimensions, dunlin_error *error) {
    static const uint64_t memory_needed = 3ull << 30; /* bytes: 10 000 000 agents in 3D, twice */
    char what[80];
    snprintf(what, sizeof what, "%dD  cost per agent at 10 000 000 agents against 100 000", dimensions);
    target *line = target_table_add(&job->table, what, AT_MOST, 1.3, "x");
    if (job->host.memory_bytes < memory_needed) {
        snprintf(line->remark, sizeof line->remark, "too little memory");
        return DUNLIN_OK;
    }
    announce("10 000 000 agents against 100 000", dimensions);
    subject subjects[2] = {{.workload = uniform(dimensions, 100000, 20), .steps = 20, .repeats = REPEATS},
                           {.workload = uniform(dimensions, 10000000, 20), .steps = 1, .repeats = REPEATS}};
    frame_row rows[2];
    dunlin_result result = measure_subjects(job, subjects, 2, rows, error);
    if (result == DUNLIN_OK && all_measured(rows, 2)) target_reach(line, ns_per_agent(&rows[1]) / ns_per_agent(&rows[0]));
    return result;
}

static dunlin_result measure_small(targets_job *job, dunlin_error *error) {
    target *line = target_table_add(&job->table, "2D  frame of 10 000 agents, 1 thread", BELOW, 0.25, "ms");
    announce("10 000 agents", 2);
    subject only = {.workload = uniform(2, 10000, 20), .steps = 200, .repeats = REPEATS};
    frame_row row;
    dunlin_result result = measure_subjects(job, &only, 1, &row, error);
    if (result == DUNLIN_OK && row.repeats > 0) target_reach(line, row.ms.frame);
    return result;
}

/* ---- density and distribution ----------------------------------------------------------------------------------------- */

static const double densities[] = {5, 10, 20, 50, 100, 200};
enum { DENSITIES = sizeof densities / sizeof *densities, FEW_AGENTS = 100000, FEW_STEPS = 10 };

/* The maximum ratio of the costs per useful pair at two consecutive densities; the costs are the remark. */
static double steepest_rise(const frame_row *rows, char *remark, size_t size) {
    double rise = 0.0;
    size_t length = 0;
    for (int i = 0; i < DENSITIES; i++) {
        double cost = ns_per_useful_pair(&rows[i]);
        if (i > 0) rise = fmax(rise, cost / ns_per_useful_pair(&rows[i - 1]));
        if (length < size) length += (size_t)snprintf(remark + length, size - length, "%s%.2f", i > 0 ? ", " : "", cost);
    }
    if (length < size) snprintf(remark + length, size - length, " ns");
    return rise;
}

static dunlin_result measure_density(targets_job *job, int dimensions, dunlin_error *error) {
    char what[80];
    snprintf(what, sizeof what, "%dD  cost per useful pair, 5 to 200 neighbours: steepest rise", dimensions);
    target *line = target_table_add(&job->table, what, AT_MOST, 1, "x");
    announce("5 to 200 neighbours", dimensions);
    subject subjects[DENSITIES];
    frame_row rows[DENSITIES];
    for (int i = 0; i < DENSITIES; i++) {
        int steps = densities[i] < 50 ? FEW_STEPS : FEW_STEPS / 5;
        subjects[i] = (subject){.workload = uniform(dimensions, FEW_AGENTS, densities[i]), .steps = steps, .repeats = REPEATS};
    }
    dunlin_result result = measure_subjects(job, subjects, DENSITIES, rows, error);
    if (result == DUNLIN_OK && all_measured(rows, DENSITIES)) {
        target_reach(line, steepest_rise(rows, line->remark, sizeof line->remark));
    }
    return result;
}

/* The number of neighbours that the start has; 0 after a signal. */
static dunlin_result find_neighbours(targets_job *job, const bench_start *start, double *neighbours, dunlin_error *error) {
    subject only = {.workload = start->workload, .steps = FEW_STEPS, .repeats = 1, .ready = start};
    frame_row row;
    dunlin_result result = measure_subjects(job, &only, 1, &row, error);
    *neighbours = row.neighbours_found;
    return result;
}

/* Against a uniform flock with as many neighbours. */
static dunlin_result compare_with_uniform(targets_job *job, const bench_start *start, target *line, dunlin_error *error) {
    double neighbours;
    dunlin_result result = find_neighbours(job, start, &neighbours, error);
    if (result != DUNLIN_OK || neighbours == 0.0) return result;
    bench_workload even = uniform(start->workload.dimensions, start->workload.agents, neighbours);
    subject subjects[2] = {
        {.workload = start->workload, .steps = FEW_STEPS, .repeats = REPEATS, .ready = start},
        {.workload = even, .steps = FEW_STEPS, .repeats = REPEATS},
    };
    frame_row rows[2];
    result = measure_subjects(job, subjects, 2, rows, error);
    if (result != DUNLIN_OK || !all_measured(rows, 2)) return result;
    target_reach(line, ns_per_useful_pair(&rows[0]) / ns_per_useful_pair(&rows[1]));
    snprintf(line->remark, sizeof line->remark, "at %.3g neighbours", neighbours);
    return DUNLIN_OK;
}

static dunlin_result measure_distribution(targets_job *job, int dimensions, bench_distribution distribution,
                                          dunlin_error *error) {
    const char *name = bench_distribution_name(distribution);
    bench_workload workload = uniform(dimensions, FEW_AGENTS, 20);
    workload.distribution = distribution;
    char what[80];
    snprintf(what, sizeof what, "%dD  cost per useful pair, %s against uniform", dimensions, name);
    target *line = target_table_add(&job->table, what, AT_MOST, 1, "x");
    if (interrupt_signal() != 0) return DUNLIN_OK;
    announce(name, dimensions);
    bench_start start;
    dunlin_result result = watched_start_make(&workload, &start, error);
    if (result != DUNLIN_OK) return result;
    result = compare_with_uniform(job, &start, line, error);
    bench_start_free(&start);
    return result;
}

/* ---- all of them ------------------------------------------------------------------------------------------------------ */

static dunlin_result measure_in(targets_job *job, int dimensions, dunlin_error *error) {
    dunlin_result result = measure_million(job, dimensions, error);
    if (result == DUNLIN_OK) result = measure_large(job, dimensions, error);
    if (result == DUNLIN_OK && dimensions == 2) result = measure_small(job, error);
    if (result == DUNLIN_OK) result = measure_density(job, dimensions, error);
    if (result == DUNLIN_OK) result = measure_distribution(job, dimensions, BENCH_CLUMPED, error);
    if (result == DUNLIN_OK) result = measure_distribution(job, dimensions, BENCH_FLOCKED, error);
    return result;
}

static int run(void) {
    targets_job job = {.host = machine_describe(), .agree = true};
    dunlin_error error;
    interrupt_watch("repeat");
    machine_print(stdout, &job.host);
    putchar('\n');
    fflush(stdout);
    dunlin_result result = measure_in(&job, 2, &error);
    if (result == DUNLIN_OK && interrupt_signal() == 0) result = measure_in(&job, 3, &error);
    target_table_print(stdout, &job.table);
    if (result == DUNLIN_OK && !job.agree) return EXIT_RUNTIME;
    return command_end(result, &error, NULL);
}

int bench_targets(int argc, const char **argv) {
    option_values read;
    int status;
    if (options_read(&read, argc, argv, NULL, 0, NULL, &status)) status = run();
    options_free(&read);
    return status;
}
