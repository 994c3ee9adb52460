/* SPDX-License-Identifier: MIT */
/*
 * `dunlin bench targets`: what Dunlin promises of its speed beside what it reaches here, in one run. What is compared takes
 * turns on the same cores, and figures are medians of five rounds. A promise is a row of a table: two flocks, whose times are
 * compared, or one flock and a function that measures it.
 */
#include "harness/bench/bench.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/command/kernel_names.h"
#include "harness/measure/baseline.h"
#include "harness/measure/frame_rows.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/roofline/bounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP = 1 /* it sorts the agents */, STEPS = 2, REPEATS = 5, MOST_CASES = 16, TARGETS = 64, MILLION = 1000000 };

/* ---- the promises ----------------------------------------------------------------------------------------------------- */

typedef struct flock {
    uint32_t agents;
    double neighbours;
    int threads;
    int steps;
    bench_distribution distribution;
} flock;

typedef struct targets_job targets_job;
typedef struct target target;

typedef struct promise {
    const char *what, *sign;
    double bound[2]; /* in 2D and 3D; 0: no promise */
    const char *unit;
    void (*measure)(targets_job *job, target *row);
    flock of, than; /* what is measured, and with what its cost per agent or pair is compared */
} promise;

/* A promise in 2D or in 3D. */
struct target {
    const promise *promise;
    const bench_addition *addition; /* NULL: none is promised */
    int dimensions;
    double bound;
    double reached;   /* NAN: not measured */
    double low, high; /* of the rounds whose median was reached; NAN: there are none */
    char remark[96];  /* why it cannot be measured here, or details of `reached`; may be empty */
};

struct targets_job {
    bool whole;
    machine host;
    int count;
    target rows[TARGETS];
    const char *best[4];            /* by dimensions; "auto" until it is known */
    double load[2];                 /* at the beginning and the end */
    double seconds, thread_seconds; /* of turns with one thread, and for how long it had a processor */
    bool agree;                     /* kernels ended in the same states */
    dunlin_result result;           /* after a failure or a signal nothing more is measured, but all targets are listed */
    dunlin_error error;
};

/* ---- measuring -------------------------------------------------------------------------------------------------------- */

static bool goes_on(const targets_job *job) {
    return job->result == DUNLIN_OK && interrupt_signal() == 0;
}

/* What takes turns, of at most two flocks. */
typedef struct comparison {
    int count, flocks;
    bench_start starts[2];
    frame_case cases[MOST_CASES];
    frame_row rows[MOST_CASES];
    spread ratios[MOST_CASES * MOST_CASES];
} comparison;

/* false: the machine lacks the cores or the memory, as the remark says, or nothing is measured any more. */
static bool add_flock(targets_job *job, target *row, comparison *c, const flock *f) {
    const bench_workload workload = {
        .dimensions = row->dimensions, .agents = f->agents, .neighbours = f->neighbours, .distribution = f->distribution};
    const double gibibytes = bench_bytes_per_agent(row->dimensions) * f->agents / 0x1p30;
    const double free_gibibytes = (double)machine_free_memory() / 0x1p30;
    if (job->host.cores < f->threads)
        snprintf(row->remark, sizeof row->remark, "has %d of %d cores", job->host.cores, f->threads);
    else if (free_gibibytes < gibibytes)
        snprintf(row->remark, sizeof row->remark, "needs %.1f GiB of free memory, has %.1f", gibibytes, free_gibibytes);
    else if (goes_on(job))
        job->result = watched_start_make(&workload, &c->starts[c->flocks++], &job->error);
    return goes_on(job) && *row->remark == '\0';
}

/* Of the last flock. */
static frame_case *add_case(comparison *c, const flock *f, const char *kernel) {
    frame_case *one = &c->cases[c->count++];
    *one = (frame_case){.start = &c->starts[c->flocks - 1],
                        .threads = f->threads,
                        .kernel = kernel,
                        .index = "auto",
                        .warm_up = WARM_UP,
                        .steps = f->steps,
                        .repeats = REPEATS};
    return one;
}

/* Kernels that run here; not the reference, which is not for use. */
static void add_kernels(comparison *c, const flock *f) {
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        const dunlin_kernel_info kernel = dunlin_kernel_at(i);
        if (kernel.runs_here && kernel.lanes > 1) add_case(c, f, kernel.name);
    }
}

static void discard(comparison *c) {
    for (int i = 0; i < c->flocks; i++) bench_start_free(&c->starts[i]);
}

/* How much of their time threads had a processor, and whether kernels agree. */
static void note_rows(targets_job *job, const comparison *c) {
    char complaint[256];
    for (int i = 0; i < c->count; i++) {
        const frame_row *row = &c->rows[i];
        if (row->processor_share == 0.0) continue;
        const double seconds = 1e-3 * row->ms[STAGE_FRAME] * row->steps * row->repeats;
        job->seconds += seconds;
        job->thread_seconds += seconds * row->processor_share;
    }
    if (frame_rows_agree(c->rows, c->count, complaint, sizeof complaint)) return;
    message_print("WRONG: %s", complaint);
    job->agree = false;
}

/* false: not all rows are measured. */
static bool compare(targets_job *job, comparison *c) {
    if (!goes_on(job) || c->count == 0) return false;
    bench_watch watch = bench_watch_begin(c->count * REPEATS, false);
    job->result = frame_bench_run(c->cases, c->count, c->rows, c->ratios, bench_watch_repeat, &watch, &job->error);
    progress_end(&watch.progress);
    if (job->result != DUNLIN_OK) return false;
    note_rows(job, c);
    return c->rows[c->count - 1].repeats == REPEATS;
}

static void reach(target *row, spread of, double factor) {
    row->reached = factor * of.median;
    row->low = factor * of.low;
    row->high = factor * of.high;
}

/* ---- comparisons of flocks --------------------------------------------------------------------------------------------- */

/* Two flocks, or with `than` NULL one, with the best kernel. false: they could not be measured. */
static bool measure_flocks(targets_job *job, target *row, const flock *of, const flock *than, comparison *c) {
    const flock *const flocks[] = {of, than};
    bool is_measured = true;
    *c = (comparison){0};
    for (int i = 0; i < (than ? 2 : 1) && is_measured; i++) {
        is_measured = add_flock(job, row, c, flocks[i]);
        if (is_measured) add_case(c, flocks[i], job->best[row->dimensions]);
    }
    is_measured = is_measured && compare(job, c);
    discard(c);
    return is_measured;
}

static spread ratio_of_two(const comparison *c) {
    return c->ratios[1];
}

static void measure_cost_per_agent(targets_job *job, target *row) {
    const flock *of = &row->promise->of, *than = &row->promise->than;
    comparison c;
    if (measure_flocks(job, row, of, than, &c)) reach(row, ratio_of_two(&c), (double)than->agents / of->agents);
}

static double pair_factor(const comparison *c) {
    return c->rows[1].neighbours_found / c->rows[0].neighbours_found;
}

/* Against a uniform flock with as many neighbours as the other turns out to have. */
static void measure_cost_per_pair(targets_job *job, target *row) {
    flock than = row->promise->than;
    comparison c;
    if (!measure_flocks(job, row, &row->promise->of, &than, &c)) return;
    than.neighbours = c.rows[0].neighbours_found;
    if (!measure_flocks(job, row, &row->promise->of, &than, &c)) return;
    reach(row, ratio_of_two(&c), pair_factor(&c));
    snprintf(row->remark, sizeof row->remark, "at %.3g neighbours", c.rows[0].neighbours_found);
}

/* The maximum ratio of the costs per useful pair at two consecutive densities. */
static void measure_density(targets_job *job, target *row) {
    static const double densities[] = {5, 10, 20, 50, 100, 200};
    char remark[sizeof row->remark] = "";
    for (size_t i = 1; i < sizeof densities / sizeof *densities; i++) {
        flock of = row->promise->of, than = of;
        comparison c;
        of.neighbours = densities[i];
        than.neighbours = densities[i - 1];
        if (!measure_flocks(job, row, &of, &than, &c)) return;
        const double rise = pair_factor(&c) * ratio_of_two(&c).median;
        if (rise <= row->reached) continue;
        reach(row, ratio_of_two(&c), pair_factor(&c));
        snprintf(remark, sizeof remark, "from %g to %g neighbours", densities[i - 1], densities[i]);
    }
    memcpy(row->remark, remark, sizeof remark);
}

/* ---- one flock --------------------------------------------------------------------------------------------------------- */

/* `unit` is ms or us. */
static void measure_frame(targets_job *job, target *row) {
    const double scale = strcmp(row->promise->unit, "us") == 0 ? 1e6 : 1e3;
    comparison c;
    if (!measure_flocks(job, row, &row->promise->of, NULL, &c)) return;
    const frame_row *found = &c.rows[0];
    reach(row,
          (spread){.low = 1.0 / found->agent_updates_per_second_max,
                   .median = 1.0 / found->agent_updates_per_second,
                   .high = 1.0 / found->agent_updates_per_second_min},
          scale * row->promise->of.agents);
}

static void measure_addition(targets_job *job, target *row) {
    const flock *of = &row->promise->of;
    comparison c = {0};
    if (add_flock(job, row, &c, of)) {
        add_case(&c, of, job->best[row->dimensions])->addition = row->addition;
        add_case(&c, of, job->best[row->dimensions]);
    }
    if (compare(job, &c)) reach(row, ratio_of_two(&c), 1.0);
    discard(&c);
}

static int find_best(const comparison *c) {
    int best = -1;
    for (int i = 0; i < c->count; i++) {
        if (!kernel_find(c->cases[i].kernel).name) continue; /* a baseline, or auto */
        if (best < 0 || c->rows[i].agent_updates_per_second > c->rows[best].agent_updates_per_second) best = i;
    }
    return best;
}

/* While it warms up, `auto` tries the kernels. Others do so, too, so that all end in one state. */
static void measure_auto_of(targets_job *job, target *row, const flock *f, char remark[sizeof row->remark]) {
    comparison c = {0};
    char agents[NUMBER_LENGTH];
    if (add_flock(job, row, &c, f)) {
        add_case(&c, f, "auto")->chooses = true;
        add_kernels(&c, f);
        for (int i = 0; i < c.count; i++) c.cases[i].warm_up = frame_bench_steps_to_choose(f->agents);
    }
    const int best = compare(job, &c) ? find_best(&c) : -1;
    const spread ratio = best < 0 ? (spread){0} : c.ratios[best * c.count];
    discard(&c);
    if (best < 0 || row->reached <= ratio.median) return;
    reach(row, ratio, 1.0);
    number_group(f->agents, agents);
    snprintf(remark, sizeof row->remark, "%g neighbours, %s agents, %s: %s", f->neighbours, agents,
             bench_distribution_name(f->distribution), c.cases[best].kernel);
}

static void measure_auto(targets_job *job, target *row) {
    static const double neighbours[] = {5, 20, 100};
    static const uint32_t agents[] = {1000, 100000, MILLION};
    const int sizes = job->whole ? 3 : 2;
    char remark[sizeof row->remark] = "";
    for (int i = 0; i < 3 * sizes * 2; i++) {
        flock f = row->promise->of;
        f.neighbours = neighbours[i / 2 / sizes];
        f.agents = agents[i / 2 % sizes];
        f.distribution = i % 2 == 0 ? BENCH_UNIFORM : BENCH_CLUMPED;
        f.steps = 1 + (int)(400000 / f.agents);
        measure_auto_of(job, row, &f, remark);
    }
    if (*row->remark == '\0') memcpy(row->remark, remark, sizeof remark); /* or a flock did not fit */
}

/* ---- kernels, of a million agents: several rows at once ----------------------------------------------------------------- */

enum { AGAINST_SIMD, AGAINST_AOS, MEMORY, INTERACT, SNAPSHOT, OF_KERNELS };

static void judge_kernel(target *row, const comparison *c, int best, const char *slower) {
    int i = 0;
    while (i < c->count && strcmp(c->cases[i].kernel, slower) != 0) i++;
    if (i == c->count) return;
    reach(row, c->ratios[i * c->count + best], 1.0);
    snprintf(row->remark, sizeof row->remark, "%s, %s", c->cases[best].kernel, slower);
}

static void judge_bounds(targets_job *job, target *rows, const frame_row *best, const bench_start *start) {
    row_bounds bounds;
    fputs("bounds\n", stderr);
    job->result = bounds_measure(best, start, job->host.cores, &bounds, &job->error);
    for (int i = INTERACT; i <= SNAPSHOT && job->result == DUNLIN_OK; i++) {
        const stage s = i == INTERACT ? STAGE_INTERACT : STAGE_SNAPSHOT;
        const double share = bounds_share(&bounds, best, s);
        if (share > 0.0) rows[i].reached = 100.0 * share;
        snprintf(rows[i].remark, sizeof rows[i].remark, "%s", bounds.stages[s].limit ? bounds.stages[s].limit : "no bound");
    }
}

/* All rows [0, OF_KERNELS), and which kernel is the best. */
static void measure_kernels(targets_job *job, target *rows) {
    const flock *of = &rows->promise->of;
    comparison c = {0};
    if (add_flock(job, rows, &c, of)) {
        for (baseline_kind kind = BASELINE_AOS; kind < BASELINES; kind++)
            if (baseline_runs_here(kind)) add_case(&c, of, baseline_name(kind));
        add_kernels(&c, of);
    }
    const int best = compare(job, &c) ? find_best(&c) : -1;
    if (best >= 0) {
        const baseline_kind simd = baseline_find_twin(c.cases[best].kernel);
        json_t *list = frame_rows_json(c.rows, c.count);
        frame_rows_print_title(stdout, c.rows);
        frame_rows_print(stdout, list, frame_kernel_columns);
        json_decref(list);
        putchar('\n');
        fflush(stdout);
        job->best[rows->dimensions] = kernel_find(c.cases[best].kernel).name;
        judge_kernel(&rows[AGAINST_AOS], &c, best, baseline_name(BASELINE_AOS));
        if (simd < BASELINES) judge_kernel(&rows[AGAINST_SIMD], &c, best, baseline_name(simd));
        rows[MEMORY].reached = c.rows[best].bytes_per_agent;
        judge_bounds(job, rows, &c.rows[best], &c.starts[0]);
    }
    discard(&c);
}

/* ---- all of them ------------------------------------------------------------------------------------------------------ */

#define USUAL                                                                                                                  \
    { MILLION, 20, 1, STEPS, BENCH_UNIFORM }
#define THREADS(n)                                                                                                             \
    { MILLION, 20, n, 16, BENCH_UNIFORM } /* a second thread that has slept is slow for some milliseconds */
#define FEW(kind)                                                                                                              \
    { 100000, 20, 1, 10, kind }

static const promise promises[] = {
    [AGAINST_SIMD] = {"best kernel against baseline-simd", ">=", {1.4, 1.5}, "x", measure_kernels, USUAL, {0}},
    [AGAINST_AOS] = {"best kernel against baseline-aos", ">=", {15, 10}, "x", NULL, USUAL, {0}},
    [MEMORY] = {"all memory, bytes per agent", "<=", {80, 110}, "", NULL, USUAL, {0}},
    [INTERACT] = {"interact against its bound", ">=", {65, 65}, "%", NULL, USUAL, {0}},
    [SNAPSHOT] = {"snapshot against its bound", ">=", {30, 30}, "%", NULL, USUAL, {0}},
    {"two threads against one, whole frames", ">=", {1.92, 1.92}, "x", measure_cost_per_agent, THREADS(1), THREADS(2)},
    {"auto against the best forced kernel: the least", ">=", {0.97, 0.97}, "x", measure_auto, USUAL, {0}},
    {"cost per agent at 10 million agents against 100 000",
     "<=",
     {1.3, 1.3},
     "x",
     measure_cost_per_agent,
     {10 * MILLION, 20, 1, 1, BENCH_UNIFORM},
     {100000, 20, 1, 20, BENCH_UNIFORM}},
    {"frame of 10 000 agents, 2 threads", "<=", {0.18, 0}, "ms", measure_frame, {10000, 20, 2, 400, BENCH_UNIFORM}, {0}},
    {"frame of 200 agents", "<=", {6, 0}, "us", measure_frame, {200, 20, 1, 20000, BENCH_UNIFORM}, {0}},
    {"cost per useful pair, 5 to 200 neighbours: steepest rise", "<=", {1, 1}, "x", measure_density, FEW(BENCH_UNIFORM), {0}},
    {"cost per useful pair, clumped against uniform",
     "<=",
     {1, 1},
     "x",
     measure_cost_per_pair,
     FEW(BENCH_CLUMPED),
     FEW(BENCH_UNIFORM)},
    {"cost per useful pair, flocked against uniform",
     "<=",
     {1, 1},
     "x",
     measure_cost_per_pair,
     FEW(BENCH_FLOCKED),
     FEW(BENCH_UNIFORM)},
    {"cost per agent at 100 million agents against 1 million, 2 threads",
     "<=",
     {1.05, 0},
     "x",
     measure_cost_per_agent,
     {100 * MILLION, 20, 2, 1, BENCH_UNIFORM},
     {MILLION, 20, 2, 20, BENCH_UNIFORM}},
};
enum { PROMISES = sizeof promises / sizeof *promises };

static const promise addition_promise = {"a frame against a plain one", "<=", {0}, "x", measure_addition, USUAL, {0}};

static void list_target(targets_job *job, const promise *p, const bench_addition *addition, int dimensions, double bound) {
    if (bound == 0.0) return;
    job->rows[job->count++] = (target){.promise = p,
                                       .addition = addition,
                                       .dimensions = dimensions,
                                       .bound = bound,
                                       .reached = (double)NAN,
                                       .low = (double)NAN,
                                       .high = (double)NAN};
}

static void list_targets(targets_job *job) {
    for (int d = 2; d <= 3; d++) {
        for (const promise *p = promises; p < promises + PROMISES; p++) list_target(job, p, NULL, d, p->bound[d - 2]);
        for (int i = 0; i < BENCH_ADDITIONS; i++)
            list_target(job, &addition_promise, &bench_additions[i], d, bench_additions[i].max_ratio);
    }
}

static void name_target(const target *row, char text[96]) {
    snprintf(text, 96, "%dD  %s%s%s", row->dimensions, row->addition ? row->addition->name : "", row->addition ? ": " : "",
             row->promise->what);
}

static void print_targets(const targets_job *job) {
    table t = {0};
    for (const target *row = job->rows; row < job->rows + job->count; row++) {
        const char *unit = row->promise->unit, *met = frame_verdict(row->promise->sign, row->bound, row->reached);
        char what[96];
        name_target(row, what);
        table_begin_row(&t);
        table_text(&t, "what", "%s", what);
        table_text(&t, "target", "%s %.4g %s", row->promise->sign, row->bound, unit);
        table_number(&t, "reached", row->reached);
        table_text(&t, "met", "%s", isnan(row->reached) && *row->remark != '\0' ? "not here" : met);
        if (isnan(row->low))
            table_text(&t, "min .. max", "%s", "");
        else
            table_range(&t, "min .. max", row->low, row->high);
        table_text(&t, "remark", "%s", row->remark);
    }
    table_print(stdout, &t);
    table_free(&t);
}

/* What spoiled the figures. Ratios of turns suffer less than times, but a busy machine has smaller caches, too. */
static void print_state(const targets_job *job) {
    const double share = job->seconds > 0.0 ? job->thread_seconds / job->seconds : 1.0;
    printf("\nmachine     load %.1f at the beginning, %.1f at the end; a lone thread had its processor for %.1f %% of its "
           "turns\n",
           job->load[0], job->load[1], 100.0 * share);
    if (share < 0.98) puts("spoiled     by other programs: see docs/benchmarking.md, \"A quiet machine\"");
}

static void note_load(double *load) {
    if (getloadavg(load, 1) != 1) *load = 0.0;
}

static void measure_all(targets_job *job) {
    for (target *row = job->rows; row < job->rows + job->count; row++) {
        char what[96];
        name_target(row, what);
        if (goes_on(job) && row->promise->measure) fprintf(stderr, "%s\n", what);
        if (row->promise->measure) row->promise->measure(job, row);
    }
}

static int run(targets_job *job) {
    interrupt_watch("repeat");
    job->host = machine_describe();
    machine_print(stdout, &job->host);
    putchar('\n');
    fflush(stdout);
    note_load(&job->load[0]);
    list_targets(job);
    measure_all(job);
    note_load(&job->load[1]);
    print_targets(job);
    print_state(job);
    if (job->result == DUNLIN_OK && !job->agree) return EXIT_RUNTIME;
    return command_end(job->result, &job->error, NULL);
}

int bench_targets(int argc, const char **argv) {
    option_values read;
    int status;
    targets_job job = {.best = {[2] = "auto", [3] = "auto"}, .agree = true};
    const option_row rows[] = {ROW("whole", OPTION_FLAG, &job.whole, NULL,
                                   "compare auto with forced kernels at a million agents, too: some minutes more")};
    if (options_read(&read, argc, argv, rows, sizeof rows / sizeof *rows, NULL, &status)) status = run(&job);
    options_free(&read);
    return status;
}
