/* SPDX-License-Identifier: MIT */
/*
 * `dunlin bench targets`: what Dunlin promises of its speed beside what it reaches here, in one run. What is compared takes
 * turns on the same cores, and figures are medians of five rounds.
 */
#include "harness/bench/bench.h"
#include "harness/bench/target_table.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/command/kernel_names.h"
#include "harness/measure/baseline.h"
#include "harness/measure/frame_rows.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/roofline/roofline.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- promises --------------------------------------------------------------------------------------------------------- */

typedef enum promise_kind {
    AGAINST_SIMD,
    AGAINST_AOS,
    INTERACT,
    SNAPSHOT,
    TWO_THREADS,
    AUTO,
    MEMORY,
    LARGE,
    HUGE_FLOCK,
    SMALL,
    TINY,
    DENSITY,
    CLUMPED,
    FLOCKED,
    PROMISES
} promise_kind;

static const struct promise {
    const char *what;
    target_sense sense;
    double bound[2]; /* in 2D and 3D; 0: no promise */
    const char *unit;
} promises[PROMISES] = {
    [AGAINST_SIMD] = {"best kernel against baseline-simd", AT_LEAST, {1.4, 1.5}, "x"},
    [AGAINST_AOS] = {"best kernel against baseline-aos", AT_LEAST, {15, 10}, "x"},
    [INTERACT] = {"interact against its bound", AT_LEAST, {65, 65}, "%"},
    [SNAPSHOT] = {"snapshot against its bound", AT_LEAST, {30, 30}, "%"},
    [TWO_THREADS] = {"two threads against one, whole frames", AT_LEAST, {1.92, 1.92}, "x"},
    [AUTO] = {"auto against the best forced kernel: the least", AT_LEAST, {0.97, 0.97}, "x"},
    [MEMORY] = {"all memory, bytes per agent", AT_MOST, {80, 110}, ""},
    [LARGE] = {"cost per agent at 10 million agents against 100 000", AT_MOST, {1.3, 1.3}, "x"},
    [HUGE_FLOCK] = {"cost per agent at 100 million agents against 1 million, 2 threads", AT_MOST, {1.05, 0}, "x"},
    [SMALL] = {"frame of 10 000 agents, 2 threads", AT_MOST, {0.18, 0}, "ms"},
    [TINY] = {"frame of 200 agents", AT_MOST, {6, 0}, "us"},
    [DENSITY] = {"cost per useful pair, 5 to 200 neighbours: steepest rise", AT_MOST, {1, 1}, "x"},
    [CLUMPED] = {"cost per useful pair, clumped against uniform", AT_MOST, {1, 1}, "x"},
    [FLOCKED] = {"cost per useful pair, flocked against uniform", AT_MOST, {1, 1}, "x"},
};

enum {
    WARM_UP = 1, /* it sorts the agents */
    STEPS = 2,
    STEPS_OF_THREADS = 16, /* a second thread that has slept is slow for some milliseconds */
    REPEATS = 5,
    MOST_CASES = 16
};

typedef struct targets_job {
    bool whole;
    machine host;
    target_table table;
    target *rows[4][PROMISES]; /* [dimensions]; NULL: no promise */
    target *additions[4][BENCH_ADDITIONS];
    const char *best[4];            /* "auto" until it is known */
    double load[2];                 /* at the beginning and the end */
    double seconds, thread_seconds; /* of turns with one thread, and for how long it had a processor */
    double clock, clock_median;     /* Hz; the best, and the lowest median; 0: not measured */
    bool agree;                     /* kernels ended in the same states */
    dunlin_result result;           /* after a failure or a signal nothing more is measured, but all targets are listed */
    dunlin_error error;
} targets_job;

static void list_targets(targets_job *job, int dimensions) {
    for (int kind = 0; kind < PROMISES; kind++) {
        const struct promise *p = &promises[kind];
        const double bound = p->bound[dimensions - 2];
        if (bound == 0.0) continue;
        job->rows[dimensions][kind] = target_table_add(&job->table, p->sense, bound, p->unit, "%dD  %s", dimensions, p->what);
    }
    for (int i = 0; i < BENCH_ADDITIONS; i++) {
        const bench_addition *addition = &bench_additions[i];
        if (addition->max_ratio == 0.0) continue;
        job->additions[dimensions][i] = target_table_add(&job->table, AT_MOST, addition->max_ratio, "x",
                                                         "%dD  %s: a frame against a plain one", dimensions, addition->name);
    }
}

static void reach(target *row, spread of, double factor) {
    row->reached = factor * of.median;
    row->low = factor * of.low;
    row->high = factor * of.high;
}

/* ---- measuring -------------------------------------------------------------------------------------------------------- */

static bool goes_on(const targets_job *job) {
    return job->result == DUNLIN_OK && interrupt_signal() == 0;
}

static void announce(const targets_job *job, const char *what, int dimensions) {
    if (goes_on(job)) fprintf(stderr, "%s, %dD\n", what, dimensions);
}

/* What takes turns. */
typedef struct comparison {
    int count;
    frame_case cases[MOST_CASES];
    bench_start own[MOST_CASES]; /* starts that it made itself */
    frame_row rows[MOST_CASES];
    spread ratios[MOST_CASES * MOST_CASES];
} comparison;

static frame_case *add(comparison *c, const bench_start *start, int threads, const char *kernel, int steps) {
    assert(c->count < MOST_CASES);
    frame_case *one = &c->cases[c->count++];
    *one = (frame_case){.start = start,
                        .threads = threads,
                        .kernel = kernel,
                        .index = "auto",
                        .warm_up = WARM_UP,
                        .steps = steps,
                        .repeats = REPEATS};
    return one;
}

/* Without a start nothing is measured. */
static void make_start(targets_job *job, const bench_workload *workload, bench_start *start) {
    *start = (bench_start){0};
    if (goes_on(job)) job->result = watched_start_make(workload, start, &job->error);
}

static void add_flock(targets_job *job, comparison *c, bench_workload workload, int threads, int steps) {
    bench_start *start = &c->own[c->count];
    make_start(job, &workload, start);
    add(c, start, threads, job->best[workload.dimensions], steps);
}

static void free_starts(comparison *c) {
    for (int i = 0; i < c->count; i++) bench_start_free(&c->own[i]);
}

/* How much of their time threads had a processor, and whether kernels agree. */
static void note_rows(targets_job *job, const comparison *c) {
    char complaint[256];
    for (int i = 0; i < c->count; i++) {
        const frame_row *row = &c->rows[i];
        if (row->processor_share == 0.0) continue;
        const double seconds = 1e-3 * row->ms.frame * row->steps * row->repeats;
        job->seconds += seconds;
        job->thread_seconds += seconds * row->processor_share;
    }
    if (frame_rows_agree(c->rows, c->count, complaint, sizeof complaint)) return;
    message_print("WRONG: %s", complaint);
    job->agree = false;
}

/* false: not all rows are measured. */
static bool compare(targets_job *job, comparison *c) {
    memset(c->rows, 0, sizeof c->rows);
    if (!goes_on(job)) return false;
    job->result = watched_bench_run(c->cases, c->count, c->rows, c->ratios, false, &job->error);
    if (job->result != DUNLIN_OK) return false;
    note_rows(job, c);
    return c->rows[c->count - 1].repeats == REPEATS;
}

/* The time of case a / that of case b. */
static spread ratio_of(const comparison *c, int a, int b) {
    return c->ratios[a * c->count + b];
}

static double ns_per_useful_pair(const frame_row *row) {
    return 1e9 / row->pairs_useful_per_second;
}

static bench_workload uniform(int dimensions, uint32_t agents, double neighbours) {
    return (bench_workload){
        .dimensions = dimensions, .agents = agents, .neighbours = neighbours, .distribution = BENCH_UNIFORM};
}

static bool has_two_cores(const targets_job *job, target *row) {
    if (job->host.cores < 2) snprintf(row->remark, sizeof row->remark, "one core only");
    return job->host.cores >= 2;
}

/* ---- kernels, at a million agents ------------------------------------------------------------------------------------- */

/* Not a baseline, and not "auto". */
static bool is_kernel(const char *name) {
    return kernel_find(name).name != NULL;
}

/* Kernels that run here; not the reference, which nobody runs with. */
static void add_kernels(comparison *c, const bench_start *start, int steps) {
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        const dunlin_kernel_info kernel = dunlin_kernel_at(i);
        if (kernel.runs_here && kernel.lanes > 1) add(c, start, 1, kernel.name, steps);
    }
}

static int find_case(const comparison *c, const char *kernel) {
    int i = 0;
    while (i < c->count && strcmp(c->cases[i].kernel, kernel) != 0) i++;
    return i;
}

/* The fastest kernel of those that were asked for by name, or -1. */
static int find_best(const comparison *c) {
    int best = -1;
    for (int i = 0; i < c->count; i++) {
        if (!is_kernel(c->cases[i].kernel)) continue;
        if (best < 0 || c->rows[i].agent_updates_per_second > c->rows[best].agent_updates_per_second) best = i;
    }
    return best;
}

static void judge_best(targets_job *job, int dimensions, const comparison *c) {
    const int best = find_best(c);
    if (best < 0) return;
    const char *kernel = job->best[dimensions] = kernel_find(c->cases[best].kernel).name;
    const baseline_kind simd = baseline_find_twin(kernel);
    target *against_simd = job->rows[dimensions][AGAINST_SIMD], *against_aos = job->rows[dimensions][AGAINST_AOS];
    reach(against_aos, ratio_of(c, find_case(c, baseline_name(BASELINE_AOS)), best), 1.0);
    snprintf(against_aos->remark, sizeof against_aos->remark, "%s", kernel);
    if (simd == BASELINES) return;
    reach(against_simd, ratio_of(c, find_case(c, baseline_name(simd)), best), 1.0);
    snprintf(against_simd->remark, sizeof against_simd->remark, "%s, %s", kernel, baseline_name(simd));
}

static void judge_memory(target *row, const comparison *c) {
    for (int i = 0; i < c->count; i++) {
        const bool counts = c->rows[i].repeats > 0 && is_kernel(c->cases[i].kernel);
        if (counts) row->reached = fmax(row->reached, c->rows[i].bytes_per_agent);
    }
}

static void measure_kernels(targets_job *job, int dimensions, const bench_start *start) {
    comparison c = {0};
    for (int kind = BASELINE_AOS; kind < BASELINES; kind++)
        if (baseline_runs_here((baseline_kind)kind)) add(&c, start, 1, baseline_name((baseline_kind)kind), STEPS);
    add_kernels(&c, start, STEPS);
    announce(job, "kernels", dimensions);
    const bool is_measured = compare(job, &c);
    frame_rows_print(stdout, c.rows, c.count);
    putchar('\n');
    fflush(stdout);
    judge_memory(job->rows[dimensions][MEMORY], &c);
    if (!is_measured) return;
    judge_best(job, dimensions, &c);
}

static void measure_threads(targets_job *job, int dimensions, const bench_start *start) {
    comparison c = {0};
    target *row = job->rows[dimensions][TWO_THREADS];
    for (int threads = 1; threads <= 2; threads++) add(&c, start, threads, job->best[dimensions], STEPS_OF_THREADS);
    announce(job, "threads", dimensions);
    if (has_two_cores(job, row) && compare(job, &c)) reach(row, ratio_of(&c, 0, 1), 1.0);
}

/* Behaviours and ways of seeing that promise something. */
static void measure_additions(targets_job *job, int dimensions, const bench_start *start) {
    comparison c = {0};
    frame_comparison found[BENCH_ADDITIONS];
    target *rows[BENCH_ADDITIONS];
    for (int i = 0; i < BENCH_ADDITIONS; i++) {
        if (!job->additions[dimensions][i]) continue;
        rows[c.count] = job->additions[dimensions][i];
        add(&c, start, 1, job->best[dimensions], STEPS)->addition = &bench_additions[i];
    }
    frame_case plain = c.cases[0];
    plain.addition = NULL;
    announce(job, "behaviours and ways of seeing", dimensions);
    memset(found, 0, sizeof found);
    if (goes_on(job)) job->result = watched_bench_compare_each(&plain, c.cases, c.count, found, false, &job->error);
    for (int i = 0; i < c.count; i++)
        if (found[i].row.repeats > 0) reach(rows[i], found[i].ratio, 1.0);
}

/* The usual workload: 1 000 000 agents, 20 neighbours. */
static void measure_million(targets_job *job, int dimensions) {
    const bench_workload workload = uniform(dimensions, 1000000, 20);
    bench_start start;
    make_start(job, &workload, &start);
    measure_kernels(job, dimensions, &start);
    measure_threads(job, dimensions, &start);
    measure_additions(job, dimensions, &start);
    bench_start_free(&start);
}

/* ---- bounds ----------------------------------------------------------------------------------------------------------- */

static void judge_bounds(targets_job *job, const roofline *r) {
    for (const roofline_row *row = r->rows; row < r->rows + r->row_count; row++) {
        const int dimensions = row->measured.workload.dimensions;
        if (strcmp(row->measured.kernel, job->best[dimensions]) != 0) continue;
        job->rows[dimensions][INTERACT]->reached = 100.0 * roofline_share(row, STAGE_INTERACT);
        job->rows[dimensions][SNAPSHOT]->reached = 100.0 * roofline_share(row, STAGE_SNAPSHOT);
        roofline_binds(row, STAGE_INTERACT, job->rows[dimensions][INTERACT]->remark);
        roofline_binds(row, STAGE_SNAPSHOT, job->rows[dimensions][SNAPSHOT]->remark);
    }
    for (const width_ceilings *w = r->widths; w < r->widths + r->width_count; w++) {
        if (w->missing) continue;
        job->clock = fmax(job->clock, w->clock);
        job->clock_median = job->clock_median > 0.0 ? fmin(job->clock_median, w->clock_min) : w->clock_min;
    }
}

static void measure_bounds(targets_job *job) {
    roofline_plan plan = {.runs = {[2] = true, [3] = true},
                          .agents = 1000000,
                          .neighbours = 20,
                          .kernels = {job->best[2], job->best[3]},
                          .kernel_count = strcmp(job->best[2], job->best[3]) == 0 ? 1 : 2,
                          .threads = 1,
                          .repeats = REPEATS,
                          .quick = true};
    roofline *r = goes_on(job) && is_kernel(job->best[2]) && is_kernel(job->best[3]) ? calloc(1, sizeof *r) : NULL;
    if (!r) return;
    fputs("bounds\n", stderr);
    job->result = roofline_measure(&plan, r, &job->error);
    if (job->result == DUNLIN_OK) judge_bounds(job, r);
    free(r);
}

/* ---- sizes ------------------------------------------------------------------------------------------------------------ */

static bool has_memory(target *row, int dimensions, double agents) {
    const double gibibytes = agents * (dimensions == 2 ? 100 : 140) / (1 << 30),
                 free = (double)machine_free_memory() / (1 << 30);
    if (free < gibibytes) snprintf(row->remark, sizeof row->remark, "needs %.1f GiB of free memory, has %.1f", gibibytes, free);
    return free >= gibibytes;
}

static void measure_growth(targets_job *job, int dimensions, promise_kind kind, uint32_t few, uint32_t many, int threads) {
    comparison c = {0};
    target *row = job->rows[dimensions][kind];
    if (!has_memory(row, dimensions, many) || (threads > 1 && !has_two_cores(job, row))) return;
    announce(job, promises[kind].what, dimensions);
    add_flock(job, &c, uniform(dimensions, few, 20), threads, (int)fmin(20.0, many / few / 4.0));
    add_flock(job, &c, uniform(dimensions, many, 20), threads, 1);
    if (compare(job, &c)) reach(row, ratio_of(&c, 1, 0), (double)few / many);
    free_starts(&c);
}

/* `unit` is so many milliseconds. */
static void measure_small(targets_job *job, promise_kind kind, uint32_t agents, int threads, double unit) {
    comparison c = {0};
    target *row = job->rows[2][kind];
    if (threads > 1 && !has_two_cores(job, row)) return;
    announce(job, promises[kind].what, 2);
    add_flock(job, &c, uniform(2, agents, 20), threads, (int)(4000000 / agents));
    if (compare(job, &c)) {
        const frame_row *found = &c.rows[0];
        reach(row,
              (spread){agents / found->agent_updates_per_second_max, agents / found->agent_updates_per_second,
                       agents / found->agent_updates_per_second_min},
              1e3 / unit);
    }
    free_starts(&c);
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
    comparison c = {0};
    target *row = job->rows[dimensions][DENSITY];
    announce(job, "5 to 200 neighbours", dimensions);
    for (int i = 0; i < DENSITIES; i++)
        add_flock(job, &c, uniform(dimensions, FEW_AGENTS, densities[i]), 1, densities[i] < 50 ? FEW_STEPS : FEW_STEPS / 5);
    if (compare(job, &c)) row->reached = steepest_rise(c.rows, row->remark, sizeof row->remark);
    free_starts(&c);
}

/* Against a uniform flock with as many neighbours as it turns out to have. */
static void measure_distribution(targets_job *job, int dimensions, promise_kind kind, bench_distribution distribution) {
    comparison c = {0};
    target *row = job->rows[dimensions][kind];
    bench_workload workload = uniform(dimensions, FEW_AGENTS, 20);
    workload.distribution = distribution;
    announce(job, bench_distribution_name(distribution), dimensions);
    add_flock(job, &c, workload, 1, FEW_STEPS);
    if (compare(job, &c)) {
        add_flock(job, &c, uniform(dimensions, FEW_AGENTS, c.rows[0].neighbours_found), 1, FEW_STEPS);
        if (compare(job, &c)) {
            const double per_pair = c.rows[1].neighbours_found / c.rows[0].neighbours_found;
            reach(row, ratio_of(&c, 0, 1), per_pair);
            snprintf(row->remark, sizeof row->remark, "at %.3g neighbours", c.rows[0].neighbours_found);
        }
    }
    free_starts(&c);
}

/* ---- auto ------------------------------------------------------------------------------------------------------------- */

/* While it warms up, `auto` tries the kernels. Others do so, too, so that all end in one state. */
enum { AUTO_AGENTS = 400000 /* per turn */ };

static void judge_auto(targets_job *job, const bench_workload *workload) {
    comparison c = {0};
    char agents[NUMBER_LENGTH];
    target *row = job->rows[workload->dimensions][AUTO];
    bench_start start;
    make_start(job, workload, &start);
    const int steps = 1 + (int)(AUTO_AGENTS / workload->agents);
    add(&c, &start, 1, "auto", steps);
    add_kernels(&c, &start, steps);
    c.cases[0].chooses = true;
    for (int i = 0; i < c.count; i++) c.cases[i].warm_up = frame_bench_steps_to_choose(workload->agents);
    const int best = compare(job, &c) ? find_best(&c) : -1;
    if (best >= 0 && !(row->reached <= ratio_of(&c, best, 0).median)) {
        reach(row, ratio_of(&c, best, 0), 1.0);
        number_group(workload->agents, agents);
        snprintf(row->remark, sizeof row->remark, "%g neighbours, %s agents, %s: %s", workload->neighbours, agents,
                 bench_distribution_name(workload->distribution), c.cases[best].kernel);
    }
    bench_start_free(&start);
}

static void measure_auto(targets_job *job, int dimensions) {
    static const double neighbours[] = {5, 20, 100};
    static const uint32_t agents[] = {1000, 100000, 1000000};
    const int sizes = job->whole ? 3 : 2;
    announce(job, "auto", dimensions);
    for (int n = 0; n < 3; n++) {
        for (int a = 0; a < sizes; a++) {
            for (int distribution = BENCH_UNIFORM; distribution <= BENCH_CLUMPED; distribution++) {
                bench_workload workload = uniform(dimensions, agents[a], neighbours[n]);
                workload.distribution = (bench_distribution)distribution;
                judge_auto(job, &workload);
            }
        }
    }
}

/* ---- all of them ------------------------------------------------------------------------------------------------------ */

static void note_load(double *load) {
    if (getloadavg(load, 1) != 1) *load = 0.0;
}

/* What spoiled the figures. Ratios of turns suffer less than times, but a busy machine has smaller caches, too. */
static void print_state(const targets_job *job) {
    const double share = job->seconds > 0.0 ? job->thread_seconds / job->seconds : 1.0;
    const bool is_shared = share < 0.98, is_unsteady = job->clock_median < 0.97 * job->clock;
    printf(
        "\nmachine     load %.1f at the beginning, %.1f at the end; a lone thread had its processor for %.1f %% of its turns",
        job->load[0], job->load[1], 100.0 * share);
    if (job->clock > 0.0) printf("; clock %.2f GHz, median %.2f", 1e-9 * job->clock, 1e-9 * job->clock_median);
    putchar('\n');
    if (is_shared) puts("spoiled     by other programs: see docs/benchmarking.md, \"A quiet machine\"");
    if (is_unsteady) puts("spoiled     by a clock that was not steady, or by other users of the same core");
}

static void measure_dimensions(targets_job *job, int dimensions) {
    measure_million(job, dimensions);
    measure_growth(job, dimensions, LARGE, 100000, 10000000, 1);
    measure_density(job, dimensions);
    measure_distribution(job, dimensions, CLUMPED, BENCH_CLUMPED);
    measure_distribution(job, dimensions, FLOCKED, BENCH_FLOCKED);
    measure_auto(job, dimensions);
}

static int run(bool whole) {
    targets_job job = {.whole = whole, .host = machine_describe(), .best = {[2] = "auto", [3] = "auto"}, .agree = true};
    interrupt_watch("repeat");
    machine_print(stdout, &job.host);
    putchar('\n');
    fflush(stdout);
    note_load(&job.load[0]);
    for (int dimensions = 2; dimensions <= 3; dimensions++) list_targets(&job, dimensions);
    for (int dimensions = 2; dimensions <= 3; dimensions++) measure_dimensions(&job, dimensions);
    measure_small(&job, SMALL, 10000, 2, 1.0);
    measure_small(&job, TINY, 200, 1, 1e-3);
    measure_bounds(&job);
    measure_growth(&job, 2, HUGE_FLOCK, 1000000, 100000000, 2);
    note_load(&job.load[1]);
    target_table_print(stdout, &job.table);
    print_state(&job);
    if (job.result == DUNLIN_OK && !job.agree) return EXIT_RUNTIME;
    return command_end(job.result, &job.error, NULL);
}

int bench_targets(int argc, const char **argv) {
    option_values read;
    int status;
    bool whole = false;
    const option_row rows[] = {ROW("whole", OPTION_FLAG, &whole, NULL,
                                   "compare auto with forced kernels at a million agents, too: some minutes more")};
    if (options_read(&read, argc, argv, rows, sizeof rows / sizeof *rows, NULL, &status)) status = run(whole);
    options_free(&read);
    return status;
}
