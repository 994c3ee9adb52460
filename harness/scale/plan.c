/* SPDX-License-Identifier: MIT */
#include "harness/scale/plan.h"
#include "harness/report/message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 10 }; /* a flock that flies for longer draws together, and is another flock */
static const double usual_neighbours = 20.0;
#define STARTS_PER_WORLD 3.0 /* several starts beside a world together take no more memory than so many worlds */

/* How much is measured. */
typedef struct amounts {
    uint32_t strong_agents, agents, agents_per_thread, flocked_agents, max_agents;
    int min_steps, repeats, max_repeats;
    double seconds; /* that a repeat should take at least */
} amounts;

static const amounts thorough = {.strong_agents = 10000000,
                                 .agents = 1000000,
                                 .agents_per_thread = 500000,
                                 .flocked_agents = 1000000,
                                 .max_agents = SCALE_MAX_AGENTS,
                                 .min_steps = 3,
                                 .repeats = 5,
                                 .max_repeats = 50,
                                 .seconds = 0.5};
static const amounts small = {.strong_agents = 200000,
                              .agents = 100000,
                              .agents_per_thread = 100000,
                              .flocked_agents = 20000,
                              .max_agents = 1000000,
                              .min_steps = 2,
                              .repeats = 5,
                              .max_repeats = 25,
                              .seconds = 0.05};

typedef struct planner {
    const scale_options *options;
    const machine *host;
    const plan_limits *limits;
    amounts amounts;
    int threads; /* the maximum */
    scale_plan *plan;
} planner;

/* ---- how long it takes ------------------------------------------------------------------------------------------------ */

/* Candidates are tested a kernel's lanes at a time; about one in three (2D) or eight (3D) is a neighbour. */
static double seconds_per_step(const planner *p, const plan_case *one) {
    double tested = one->workload.neighbours * (one->workload.dimensions == 2 ? 3.0 : 8.0);
    int lanes = dunlin_kernel_at(dunlin_kernel_find(one->kernel)).lanes; /* 0: a baseline */
    double ns = 25.0 + 5.0 * tested / fmax(lanes, 1.0);
    int working = one->threads < p->host->cores ? one->threads : p->host->cores;
    return 1e-9 * ns * one->workload.agents / (working > 0 ? working : 1);
}

/* Making a world from the start takes about as long as a few steps of one thread. */
static void guess_seconds(const planner *p, plan_case *one) {
    one->seconds = 1e-7 * one->workload.agents + (one->warm_up + one->steps) * seconds_per_step(p, one);
}

double plan_batch_seconds(const plan_batch *batch) {
    double sum = 0.0;
    for (int i = 0; i < batch->count; i++) {
        const plan_case *one = &batch->cases[i];
        sum += batch->repeats * one->seconds + 1e-7 * one->workload.agents;
        if (one->workload.distribution == BENCH_FLOCKED) {
            sum += BENCH_FLOCKING_STEPS * one->seconds / (one->warm_up + one->steps);
        }
    }
    return sum;
}

/* ---- batches ---------------------------------------------------------------------------------------------------------- */

static int clamp(double value, int low, int high) {
    return value < low ? low : value > high ? high : (int)value;
}

static int choose_steps(const planner *p, const plan_case *one) {
    if (p->options->steps > 0) return p->options->steps;
    return clamp(ceil(p->amounts.seconds / seconds_per_step(p, one)), p->amounts.min_steps, MAX_STEPS);
}

/* More repeats if even MAX_STEPS steps are short, fewer if a single one takes minutes. */
static int choose_repeats(const planner *p, const plan_case *one) {
    const double patience = 120.0; /* seconds, for all repeats */
    if (p->options->repeats > 0) return p->options->repeats;
    double timed = one->steps * seconds_per_step(p, one);
    int wanted = clamp(ceil(p->amounts.repeats * p->amounts.seconds / timed), p->amounts.repeats, p->amounts.max_repeats);
    return clamp(patience / one->seconds, 1, wanted);
}

static plan_batch *add_batch(planner *p, sweep_kind sweep, int dimensions) {
    plan_batch *batch = &p->plan->batches[p->plan->count++];
    *batch = (plan_batch){.sweep = sweep, .dimensions = dimensions, .repeats = p->amounts.repeats};
    return batch;
}

static uint32_t within_limit(const planner *p, int dimensions, double agents) {
    double limit = p->limits->agents[dimensions];
    return (uint32_t)(agents < limit ? agents : limit);
}

static plan_case *add_case(const planner *p, plan_batch *batch, double agents, int threads) {
    plan_case *one = &batch->cases[batch->count++];
    *one = (plan_case){.threads = threads};
    one->workload.dimensions = batch->dimensions;
    one->workload.agents = within_limit(p, batch->dimensions, agents);
    one->workload.neighbours = usual_neighbours;
    snprintf(one->kernel, sizeof one->kernel, "%s", p->options->kernel);
    return one;
}

/* Either all cases take as many steps as suit the first, so that all end in the same state, or each takes as many as suit it.
 */
static void finish_batch(const planner *p, plan_batch *batch, bool same_steps) {
    for (int i = 0; i < batch->count; i++) {
        plan_case *one = &batch->cases[i];
        one->steps = same_steps && i > 0 ? batch->cases[0].steps : choose_steps(p, one);
        one->warm_up = one->steps < p->amounts.min_steps ? one->steps : p->amounts.min_steps;
        guess_seconds(p, one);
    }
}

/* ---- sweeps ----------------------------------------------------------------------------------------------------------- */

/* 1, 2, 4, ..., all; the number of cores is one of them, because more threads share cores. */
static int list_threads(const planner *p, int threads[32]) {
    int count = 0, cores = p->host->cores;
    for (int t = 1; t < p->threads; t *= 2) {
        threads[count++] = t;
        if (cores > t && cores < 2 * t && cores < p->threads) threads[count++] = cores;
    }
    threads[count++] = p->threads;
    return count;
}

static void plan_strong(planner *p, int dimensions) {
    int threads[32], count = list_threads(p, threads);
    plan_batch *batch = add_batch(p, SWEEP_STRONG, dimensions);
    for (int i = 0; i < count; i++) add_case(p, batch, p->amounts.strong_agents, threads[i]);
    finish_batch(p, batch, true);
}

/* Every thread gets the same number of agents, so memory limits the largest flock. All starts are alive at a time. */
static void plan_weak(planner *p, int dimensions) {
    int threads[32], count = list_threads(p, threads);
    double most = p->limits->agents[dimensions] / STARTS_PER_WORLD / p->threads;
    double each = floor(fmax(fmin(p->amounts.agents_per_thread, most), 1.0));
    plan_batch *batch = add_batch(p, SWEEP_WEAK, dimensions);
    for (int i = 0; i < count; i++) add_case(p, batch, each * threads[i], threads[i]);
    finish_batch(p, batch, true);
}

static void plan_density(planner *p, int dimensions) {
    static const double neighbours[] = {5.0, 10.0, 20.0, 50.0, 100.0, 200.0};
    plan_batch *batch = add_batch(p, SWEEP_DENSITY, dimensions);
    double agents = fmin(p->amounts.agents, p->limits->agents[dimensions] / STARTS_PER_WORLD);
    for (size_t i = 0; i < sizeof neighbours / sizeof *neighbours; i++) {
        add_case(p, batch, agents, p->threads)->workload.neighbours = neighbours[i];
    }
    finish_batch(p, batch, false);
}

static void add_kernel(const planner *p, plan_batch *batch, const char *kernel) {
    int last = p->threads > 1 ? 2 : 1;
    for (int i = 0; i < last && batch->count < PLAN_CASES; i++) {
        plan_case *one = add_case(p, batch, p->amounts.agents, i == 0 ? 1 : p->threads);
        snprintf(one->kernel, sizeof one->kernel, "%s", kernel);
    }
}

/* baseline-aos needs three cells per row, one radius wide. */
static void add_baseline(const planner *p, plan_batch *batch) {
    bench_workload workload = {.dimensions = batch->dimensions, .neighbours = usual_neighbours};
    workload.agents = within_limit(p, batch->dimensions, p->amounts.agents);
    if (bench_world_side(&workload) >= 3.01 * (double)bench_radius) add_kernel(p, batch, "baseline-aos");
}

static void plan_kernels(planner *p, int dimensions) {
    plan_batch *batch = add_batch(p, SWEEP_KERNELS, dimensions);
    add_baseline(p, batch);
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        dunlin_kernel_info kernel = dunlin_kernel_at(i);
        if (kernel.runs_here) add_kernel(p, batch, kernel.name);
    }
    finish_batch(p, batch, true);
}

static void plan_distribution(planner *p, int dimensions) {
    static const bench_distribution distributions[] = {BENCH_CLUMPED, BENCH_FLOCKED};
    plan_batch *batch = add_batch(p, SWEEP_DISTRIBUTION, dimensions);
    double agents = fmin(p->amounts.flocked_agents, p->limits->agents[dimensions] / STARTS_PER_WORLD);
    for (int i = 0; i < 2; i++) {
        add_case(p, batch, agents, p->threads)->workload.distribution = distributions[i];
        plan_case *uniform = add_case(p, batch, agents, p->threads);
        uniform->workload.distribution = BENCH_UNIFORM;
        uniform->as_dense_as_previous = true;
    }
    finish_batch(p, batch, true);
}

/* 1000, 3000, 10 000, ..., the maximum: a batch each, because two of the largest would not fit. */
static void plan_size(planner *p, int dimensions) {
    double most = within_limit(p, dimensions, p->amounts.max_agents);
    for (int i = 0, last = 0; !last; i++) {
        double agents = pow(10.0, 3 + i / 2) * (i % 2 == 0 ? 1.0 : 3.0);
        /* A size close below the last one says nothing new. */
        last = agents * 1.25 > most;
        plan_batch *batch = add_batch(p, SWEEP_SIZE, dimensions);
        add_case(p, batch, last ? most : agents, p->threads);
        finish_batch(p, batch, false);
        batch->repeats = choose_repeats(p, &batch->cases[0]);
    }
}

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

static amounts choose_amounts(const scale_options *options) {
    amounts chosen = options->quick ? small : thorough;
    if (options->agents > 0) chosen.strong_agents = chosen.agents = chosen.flocked_agents = options->agents;
    if (options->agents_per_thread > 0) chosen.agents_per_thread = options->agents_per_thread;
    if (options->max_agents > 0) chosen.max_agents = options->max_agents;
    if (options->repeats > 0) chosen.repeats = options->repeats;
    return chosen;
}

dunlin_result scale_plan_make(scale_plan *plan, const scale_options *options, const machine *host, const plan_limits *limits,
                              dunlin_error *error) {
    static void (*const plan_sweep[SWEEPS])(planner *, int) = {
        [SWEEP_STRONG] = plan_strong,   [SWEEP_WEAK] = plan_weak, [SWEEP_DENSITY] = plan_density,
        [SWEEP_KERNELS] = plan_kernels, [SWEEP_SIZE] = plan_size, [SWEEP_DISTRIBUTION] = plan_distribution,
    };
    enum { MAX_BATCHES = 2 * (SWEEPS + 16) };
    *plan = (scale_plan){.batches = calloc(MAX_BATCHES, sizeof *plan->batches)};
    if (!plan->batches) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for a plan");
    planner p = {.options = options, .host = host, .limits = limits, .plan = plan, .threads = options->threads};
    p.amounts = choose_amounts(options);
    if (p.threads == 0) p.threads = host->threads > 0 ? host->threads : 1;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            if (options->sweeps[sweep] && options->dimensions[dimensions]) plan_sweep[sweep](&p, dimensions);
        }
    }
    return DUNLIN_OK;
}

void scale_plan_free(scale_plan *plan) {
    free(plan->batches);
    *plan = (scale_plan){0};
}
