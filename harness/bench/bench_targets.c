/* SPDX-License-Identifier: MIT */
/*
 * `dunlin bench targets`: what Dunlin promises of its speed, measured quickly. Every figure is a ratio or a cost within one
 * run: medians of five alternating repeats.
 */
#include "harness/bench/bench.h"
#include "harness/bench/target_table.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/measure/baseline.h"
#include "harness/measure/frame_rows.h"
#include "harness/report/message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One step is enough to warm up, because it sorts the agents. The slowest kernels take half a second and more per step. */
enum { WARM_UP = 1, STEPS = 2, REPEATS = 5, MOST_CASES = 16 };

typedef struct targets_job {
    machine host;
    target_table table;
    bool agree;           /* kernels ended in the same states */
    dunlin_result result; /* after a failure or a signal nothing more is measured, but all targets are listed */
    dunlin_error error;
} targets_job;

/* ---- measuring -------------------------------------------------------------------------------------------------------- */

static bool goes_on(const targets_job *job) {
    return job->result == DUNLIN_OK && interrupt_signal() == 0;
}

static void announce(const targets_job *job, const char *what, int dimensions) {
    if (goes_on(job)) fprintf(stderr, "%s, %dD\n", what, dimensions);
}

/* false: there is none, and the start is zeroed. */
static bool make_start(targets_job *job, const bench_workload *workload, bench_start *start) {
    *start = (bench_start){0};
    if (goes_on(job)) job->result = watched_start_make(workload, start, &job->error);
    return start->position[0];
}

static frame_case make_case(const bench_start *start, int threads, const char *kernel, int steps) {
    return (frame_case){
        .start = start,
        .threads = threads,
        .kernel = kernel,
        .index = "auto",
        .warm_up = WARM_UP,
        .steps = steps,
        .repeats = REPEATS,
    };
}

/* Measures, and compares the states in which kernels end. false: some or all rows have no repeats. */
static bool measure(targets_job *job, const frame_case *cases, int count, frame_row *rows) {
    char complaint[256];
    memset(rows, 0, (size_t)count * sizeof *rows);
    if (!goes_on(job)) return false;
    job->result = watched_bench_run(cases, count, rows, false, &job->error);
    if (job->result == DUNLIN_OK && !frame_rows_agree(rows, count, complaint, sizeof complaint)) {
        message_print("WRONG: %s", complaint);
        job->agree = false;
    }
    int measured = 0;
    while (measured < count && rows[measured].repeats > 0) measured++;
    return job->result == DUNLIN_OK && measured == count;
}

/* One of the workloads that are measured together. */
typedef struct flock {
    bench_workload workload;
    int steps;
    const bench_start *start; /* NULL: it is made */
} flock;

/* On one thread, with the kernel that Dunlin chooses. */
static bool measure_flocks(targets_job *job, const flock *flocks, int count, frame_row *rows) {
    frame_case cases[MOST_CASES];
    bench_start own[MOST_CASES] = {{.side = 0.0f}};
    bool is_made = true;
    for (int i = 0; i < count; i++) {
        is_made = is_made && (flocks[i].start || make_start(job, &flocks[i].workload, &own[i]));
        cases[i] = make_case(flocks[i].start ? flocks[i].start : &own[i], 1, "auto", flocks[i].steps);
    }
    bool is_measured = is_made && measure(job, cases, count, rows);
    for (int i = 0; i < count; i++) bench_start_free(&own[i]);
    return is_measured;
}

static double ns_per_useful_pair(const frame_row *row) {
    return 1e9 / row->pairs_useful_per_second;
}

/* How many times as fast the row is. */
static double speed_ratio(const frame_row *row, const frame_row *reference) {
    return row->agent_updates_per_second / reference->agent_updates_per_second;
}

static bench_workload uniform(int dimensions, uint32_t agents, double neighbours) {
    return (bench_workload){
        .dimensions = dimensions, .agents = agents, .neighbours = neighbours, .distribution = BENCH_UNIFORM};
}

/* ---- a million agents ------------------------------------------------------------------------------------------------- */

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
        target *line = target_table_add(&job->table, AT_LEAST, promised, "x", "%dD  %s against baseline-aos, 1 thread",
                                        dimensions, kernel.name);
        if (!kernel.runs_here) snprintf(line->remark, sizeof line->remark, "this machine lacks the instructions");
        if (row && reference) line->reached = speed_ratio(row, reference);
    }
}

static void judge_memory(targets_job *job, int dimensions, const frame_row *rows, int count) {
    target *line =
        target_table_add(&job->table, AT_MOST, dimensions == 2 ? 80 : 110, "", "%dD  all memory, bytes per agent", dimensions);
    for (int i = 0; i < count; i++) {
        bool counts = rows[i].repeats > 0 && dunlin_kernel_find(rows[i].kernel) >= 0;
        if (counts) line->reached = fmax(line->reached, rows[i].bytes_per_agent);
    }
}

static void compare_kernels(targets_job *job, int dimensions, const bench_start *start) {
    frame_case cases[MOST_CASES] = {make_case(start, 1, baseline_name(BASELINE_AOS), STEPS)};
    frame_row rows[MOST_CASES];
    int count = 1;
    for (int i = 0; i < dunlin_kernel_count() && count < MOST_CASES; i++) {
        if (dunlin_kernel_at(i).runs_here) cases[count++] = make_case(start, 1, dunlin_kernel_at(i).name, STEPS);
    }
    announce(job, "kernels", dimensions);
    measure(job, cases, count, rows);
    frame_rows_print(stdout, rows, count);
    putchar('\n');
    fflush(stdout);
    judge_kernels(job, dimensions, rows, count);
    judge_memory(job, dimensions, rows, count);
}

static void compare_threads(targets_job *job, int dimensions, const bench_start *start) {
    const frame_case cases[2] = {make_case(start, 1, "auto", STEPS), make_case(start, 2, "auto", STEPS)};
    frame_row rows[2];
    target *line = target_table_add(&job->table, AT_LEAST, 1.9, "x", "%dD  two threads against one, whole frames", dimensions);
    if (job->host.cores < 2) {
        snprintf(line->remark, sizeof line->remark, "one core only");
        return;
    }
    announce(job, "threads", dimensions);
    if (measure(job, cases, 2, rows)) line->reached = speed_ratio(&rows[1], &rows[0]);
}

/* Behaviours and ways of seeing that promise something. */
static void compare_additions(targets_job *job, int dimensions, const bench_start *start) {
    const frame_case plain = make_case(start, 1, "auto", STEPS);
    frame_case cases[BENCH_ADDITIONS];
    target *lines[BENCH_ADDITIONS];
    frame_comparison found[BENCH_ADDITIONS] = {{.ratio = {0}}};
    int count = 0;
    for (int i = 0; i < BENCH_ADDITIONS; i++) {
        const bench_addition *addition = &bench_additions[i];
        if (addition->max_ratio == 0.0) continue;
        cases[count] = plain;
        cases[count].addition = addition;
        lines[count++] = target_table_add(&job->table, AT_MOST, addition->max_ratio, "x",
                                          "%dD  %s: a frame against a plain one", dimensions, addition->name);
    }
    announce(job, "behaviours and ways of seeing", dimensions);
    if (goes_on(job)) job->result = watched_bench_compare(&plain, cases, count, found, false, &job->error);
    for (int i = 0; i < count; i++) {
        const spread *ratio = &found[i].ratio;
        if (found[i].rows[COMPARED].repeats == 0) continue;
        lines[i]->reached = ratio->median;
        snprintf(lines[i]->remark, sizeof lines[i]->remark, "%.2f .. %.2f", ratio->low, ratio->high);
    }
}

/* The usual workload: 1 000 000 agents, 20 neighbours. */
static void measure_million(targets_job *job, int dimensions) {
    const bench_workload workload = uniform(dimensions, 1000000, 20);
    bench_start start;
    make_start(job, &workload, &start);
    compare_kernels(job, dimensions, &start);
    compare_threads(job, dimensions, &start);
    compare_additions(job, dimensions, &start);
    bench_start_free(&start);
}

/* ---- sizes ------------------------------------------------------------------------------------------------------------ */

static void measure_large(targets_job *job, int dimensions) {
    static const uint64_t memory_needed = 3ull << 30; /* bytes: 10 000 000 agents in 3D, twice */
    const flock flocks[2] = {{.workload = uniform(dimensions, 100000, 20), .steps = 20},
                             {.workload = uniform(dimensions, 10000000, 20), .steps = 1}};
    frame_row rows[2];
    target *line = target_table_add(&job->table, AT_MOST, 1.3, "x", "%dD  cost per agent at 10 000 000 agents against 100 000",
                                    dimensions);
    if (job->host.memory_bytes < memory_needed) {
        snprintf(line->remark, sizeof line->remark, "too little memory");
        return;
    }
    announce(job, "10 000 000 agents against 100 000", dimensions);
    if (measure_flocks(job, flocks, 2, rows)) line->reached = speed_ratio(&rows[0], &rows[1]);
}

static void measure_small(targets_job *job) {
    const flock small = {.workload = uniform(2, 10000, 20), .steps = 200};
    frame_row row;
    target *line = target_table_add(&job->table, BELOW, 0.25, "ms", "2D  frame of 10 000 agents, 1 thread");
    announce(job, "10 000 agents", 2);
    if (measure_flocks(job, &small, 1, &row)) line->reached = row.ms.frame;
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

static void measure_density(targets_job *job, int dimensions) {
    flock flocks[DENSITIES];
    frame_row rows[DENSITIES];
    target *line = target_table_add(&job->table, AT_MOST, 1, "x",
                                    "%dD  cost per useful pair, 5 to 200 neighbours: steepest rise", dimensions);
    for (int i = 0; i < DENSITIES; i++) {
        int steps = densities[i] < 50 ? FEW_STEPS : FEW_STEPS / 5;
        flocks[i] = (flock){.workload = uniform(dimensions, FEW_AGENTS, densities[i]), .steps = steps};
    }
    announce(job, "5 to 200 neighbours", dimensions);
    if (measure_flocks(job, flocks, DENSITIES, rows)) {
        line->reached = steepest_rise(rows, line->remark, sizeof line->remark);
    }
}

/* Against a uniform flock with as many neighbours as it turns out to have. */
static void measure_distribution(targets_job *job, int dimensions, bench_distribution distribution) {
    const char *name = bench_distribution_name(distribution);
    bench_workload workload = uniform(dimensions, FEW_AGENTS, 20);
    workload.distribution = distribution;
    target *line =
        target_table_add(&job->table, AT_MOST, 1, "x", "%dD  cost per useful pair, %s against uniform", dimensions, name);
    announce(job, name, dimensions);
    bench_start start;
    frame_row rows[2];
    if (!make_start(job, &workload, &start)) return;
    flock flocks[2] = {{.workload = workload, .steps = FEW_STEPS, .start = &start}, {.steps = FEW_STEPS}};
    bool is_measured = measure_flocks(job, flocks, 1, rows);
    double neighbours = rows[0].neighbours_found;
    flocks[1].workload = uniform(dimensions, FEW_AGENTS, neighbours);
    if (is_measured && measure_flocks(job, flocks, 2, rows)) {
        line->reached = ns_per_useful_pair(&rows[0]) / ns_per_useful_pair(&rows[1]);
        snprintf(line->remark, sizeof line->remark, "at %.3g neighbours", neighbours);
    }
    bench_start_free(&start);
}

/* ---- all of them ------------------------------------------------------------------------------------------------------ */

static int run(void) {
    targets_job job = {.host = machine_describe(), .agree = true};
    interrupt_watch("repeat");
    machine_print(stdout, &job.host);
    putchar('\n');
    fflush(stdout);
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        measure_million(&job, dimensions);
        measure_large(&job, dimensions);
        if (dimensions == 2) measure_small(&job);
        measure_density(&job, dimensions);
        measure_distribution(&job, dimensions, BENCH_CLUMPED);
        measure_distribution(&job, dimensions, BENCH_FLOCKED);
    }
    target_table_print(stdout, &job.table);
    if (job.result == DUNLIN_OK && !job.agree) return EXIT_RUNTIME;
    return command_end(job.result, &job.error, NULL);
}

int bench_targets(int argc, const char **argv) {
    option_values read;
    int status;
    if (options_read(&read, argc, argv, NULL, 0, NULL, &status)) status = run();
    options_free(&read);
    return status;
}
