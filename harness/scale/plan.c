/* SPDX-License-Identifier: MIT */
#include "harness/measure/baseline.h"
#include "harness/scale/scale.h"
#include "harness/command/kernel_names.h"
#include "harness/report/machine.h"

#include <math.h>

enum { MAX_STEPS = 10 }; /* a flock that runs for longer draws together, and is another flock */
static const double usual_neighbours = 20.0;
#define STARTS_PER_WORLD 3.0 /* several starts beside a world together take no more memory than so many worlds */

/* How much is measured. */
typedef struct amounts {
    uint32_t strong_agents, agents, agents_per_thread, agents_per_rank, flocked_agents, max_agents;
    int min_steps, repeats, max_repeats;
    double seconds; /* that a repeat should take at least */
} amounts;

static const amounts thorough = {.strong_agents = 10000000,
                                 .agents = 1000000,
                                 .agents_per_thread = 500000,
                                 .agents_per_rank = 1000000,
                                 .flocked_agents = 1000000,
                                 .max_agents = SCALE_MAX_AGENTS,
                                 .min_steps = 3,
                                 .repeats = 5,
                                 .max_repeats = 50,
                                 .seconds = 0.5};
static const amounts small = {.strong_agents = 200000,
                              .agents = 100000,
                              .agents_per_thread = 100000,
                              .agents_per_rank = 100000,
                              .flocked_agents = 20000,
                              .max_agents = 1000000,
                              .min_steps = 2,
                              .repeats = 5,
                              .max_repeats = 25,
                              .seconds = 0.05};

typedef struct planner {
    scale_run *run;
    amounts amounts;
    int threads; /* the maximum; of a program with ranks those of each rank */
} planner;

/* ---- the machines ----------------------------------------------------------------------------------------------------- */

/* If there are ranks, each machine has as many of them as that of rank 0, but perhaps the last. */
static double machines_of(const scale_run *run) {
    return run->ranks ? ceil((double)run->ranks->ranks / run->ranks->here) : 1.0;
}

static double cores_of(const scale_run *run) {
    return run->ranks ? run->host.all_cores * machines_of(run) : run->host.cores;
}

bool plan_is_crowded(const scale_run *run) {
    return run->ranks && (double)run->ranks->here * run->threads > run->host.all_cores;
}

/* ---- how long it takes ------------------------------------------------------------------------------------------------ */

/* Candidates are tested a kernel's lanes at a time; about one in three (2D) or eight (3D) is a neighbour. */
static double seconds_per_step(const planner *p, const plan_case *one) {
    double tested = one->workload.neighbours * (one->workload.dimensions == 2 ? 3.0 : 8.0);
    int lanes = dunlin_kernel_at(dunlin_kernel_find(one->kernel)).lanes; /* 0: a baseline */
    double ns = 25.0 + 5.0 * tested / fmax(lanes, 1.0);
    double threads = (double)one->threads * (one->ranks > 0 ? one->ranks : 1);
    return 1e-9 * ns * one->workload.agents / fmax(fmin(threads, cores_of(p->run)), 1.0);
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
    if (p->run->options.steps > 0) return p->run->options.steps;
    return clamp(ceil(p->amounts.seconds / seconds_per_step(p, one)), p->amounts.min_steps, MAX_STEPS);
}

/* More repeats if even MAX_STEPS steps are short, fewer if a single one takes minutes. */
static int choose_repeats(const planner *p, const plan_case *one) {
    const double patience = 120.0; /* seconds, for all repeats */
    if (p->run->options.repeats > 0) return p->run->options.repeats;
    double timed = one->steps * seconds_per_step(p, one);
    int wanted = clamp(ceil(p->amounts.repeats * p->amounts.seconds / timed), p->amounts.repeats, p->amounts.max_repeats);
    return clamp(patience / one->seconds, 1, wanted);
}

static plan_batch *add_batch(const planner *p, sweep_kind sweep, int dimensions) {
    plan_batch *batch = &p->run->plan[p->run->batches++];
    *batch = (plan_batch){.sweep = sweep, .dimensions = dimensions, .repeats = p->amounts.repeats};
    return batch;
}

static double max_agents(const planner *p, int dimensions) {
    return fmin(p->run->max_agents[dimensions] * machines_of(p->run), SCALE_MAX_AGENTS);
}

static plan_case *add_case(const planner *p, plan_batch *batch, double agents, int threads) {
    plan_case *one = &batch->cases[batch->count++];
    *one = (plan_case){.threads = threads, .kernel = p->run->options.kernel};
    one->workload.dimensions = batch->dimensions;
    one->workload.agents = (uint32_t)fmin(agents, max_agents(p, batch->dimensions));
    one->workload.neighbours = usual_neighbours;
    return one;
}

/*
 * Either all cases take as many steps as suit the first, so that all end in the same state, or each takes as many as suit it.
 * Making a world from the start takes about as long as a few steps of one thread.
 */
static void finish_batch(const planner *p, plan_batch *batch, bool same_steps) {
    for (int i = 0; i < batch->count; i++) {
        plan_case *one = &batch->cases[i];
        one->steps = same_steps && i > 0 ? batch->cases[0].steps : choose_steps(p, one);
        one->warm_up = one->steps < p->amounts.min_steps ? one->steps : p->amounts.min_steps;
        one->seconds = 1e-7 * one->workload.agents + (one->warm_up + one->steps) * seconds_per_step(p, one);
    }
}

/* Of a batch whose starts are all alive at a time. */
static double within_memory(const planner *p, int dimensions, double agents) {
    return fmax(fmin(agents, floor(p->run->max_agents[dimensions] / STARTS_PER_WORLD)), 1.0);
}

/* ---- sweeps ----------------------------------------------------------------------------------------------------------- */

/* 1, 2, 4, ..., all; the number of cores is one of them, because more threads share cores. `agents` is for one thread of a weak
 * sweep. */
static void plan_threads(const planner *p, sweep_kind sweep, int dimensions, double agents) {
    plan_batch *batch = add_batch(p, sweep, dimensions);
    int cores = p->run->host.cores, scaled = sweep == SWEEP_WEAK;
    for (int t = 1; t < p->threads; t *= 2) {
        add_case(p, batch, agents * (scaled ? t : 1), t);
        if (cores > t && cores < 2 * t && cores < p->threads) add_case(p, batch, agents * (scaled ? cores : 1), cores);
    }
    add_case(p, batch, agents * (scaled ? p->threads : 1), p->threads);
    finish_batch(p, batch, true);
}

static void plan_strong(const planner *p, int dimensions) {
    plan_threads(p, SWEEP_STRONG, dimensions, p->amounts.strong_agents);
}

/* Every thread gets the same number of agents, so memory limits the largest flock. */
static void plan_weak(const planner *p, int dimensions) {
    double most = within_memory(p, dimensions, (double)p->amounts.agents_per_thread * p->threads);
    plan_threads(p, SWEEP_WEAK, dimensions, fmax(floor(most / p->threads), 1.0));
}

/* 1, 2, 4, ..., all ranks. `agents` is for one rank of a weak sweep. */
static void plan_ranks(const planner *p, sweep_kind sweep, int dimensions, double agents) {
    plan_batch *batch = add_batch(p, sweep, dimensions);
    const uint32_t all = p->run->ranks->ranks;
    for (uint32_t ranks = 1, last = 0; !last; ranks *= 2) {
        last = ranks >= all;
        if (last) ranks = all;
        add_case(p, batch, agents * (sweep == SWEEP_RANKS_WEAK ? ranks : 1), p->threads)->ranks = ranks;
    }
    finish_batch(p, batch, true);
}

static void plan_ranks_strong(const planner *p, int dimensions) {
    plan_ranks(p, SWEEP_RANKS_STRONG, dimensions, fmin(p->amounts.strong_agents, p->run->max_agents[dimensions]));
}

static void plan_ranks_weak(const planner *p, int dimensions) {
    double most = floor(max_agents(p, dimensions) / p->run->ranks->ranks);
    plan_ranks(p, SWEEP_RANKS_WEAK, dimensions, fmax(fmin(p->amounts.agents_per_rank, most), 1.0));
}

/* Ranks that divide all threads evenly, from one on. */
static void plan_ranks_split(const planner *p, int dimensions) {
    plan_batch *batch = add_batch(p, SWEEP_RANKS_SPLIT, dimensions);
    const int all = (int)p->run->ranks->ranks * p->threads;
    for (int ranks = 1; ranks <= (int)p->run->ranks->ranks && batch->count < SWEEP_ROWS; ranks++)
        if (all % ranks == 0) add_case(p, batch, p->amounts.agents, all / ranks)->ranks = (uint32_t)ranks;
    finish_batch(p, batch, true);
}

static void plan_density(const planner *p, int dimensions) {
    static const double neighbours[] = {5.0, 10.0, 20.0, 50.0, 100.0, 200.0};
    plan_batch *batch = add_batch(p, SWEEP_DENSITY, dimensions);
    double agents = within_memory(p, dimensions, p->amounts.agents);
    for (size_t i = 0; i < sizeof neighbours / sizeof *neighbours; i++) {
        add_case(p, batch, agents, p->threads)->workload.neighbours = neighbours[i];
    }
    finish_batch(p, batch, false);
}

static void add_kernel(const planner *p, plan_batch *batch, const char *kernel) {
    for (int threads = 1;; threads = p->threads) {
        if (batch->count == SWEEP_ROWS) return;
        add_case(p, batch, p->amounts.agents, threads)->kernel = kernel;
        if (threads == p->threads) return;
    }
}

/* Baselines with a grid need three cells per row, one radius wide. */
static void plan_kernels(const planner *p, int dimensions) {
    plan_batch *batch = add_batch(p, SWEEP_KERNELS, dimensions);
    for (baseline_kind kind = BASELINE_AOS; kind < BASELINES; kind++)
        if (baseline_runs_here(kind)) add_kernel(p, batch, baseline_name(kind));
    if (bench_world_side(&batch->cases[0].workload) < 3.01 * (double)bench_radius) batch->count = 0;
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        dunlin_kernel_info kernel = dunlin_kernel_at(i);
        if (kernel.runs_here) add_kernel(p, batch, kernel.name);
    }
    finish_batch(p, batch, true);
}

static void plan_distribution(const planner *p, int dimensions) {
    plan_batch *batch = add_batch(p, SWEEP_DISTRIBUTION, dimensions);
    double agents = within_memory(p, dimensions, p->amounts.flocked_agents);
    for (bench_distribution d = BENCH_UNIFORM; d <= BENCH_FLOCKED; d++)
        add_case(p, batch, agents, p->threads)->workload.distribution = d;
    finish_batch(p, batch, true);
}

/* 1000, 3000, 10 000, ..., the maximum: a batch each, because two of the largest would not fit. */
static void plan_size(const planner *p, int dimensions) {
    double most = fmin(p->amounts.max_agents, p->run->max_agents[dimensions]);
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
    if (options->agents_per_rank > 0) chosen.agents_per_rank = options->agents_per_rank;
    if (options->agents_per_thread > 0) chosen.agents_per_thread = options->agents_per_thread;
    if (options->max_agents > 0) chosen.max_agents = options->max_agents;
    if (options->repeats > 0) chosen.repeats = options->repeats;
    return chosen;
}

/* Ranks whose launcher does not bind them may all use all cores of their machine. */
static int choose_threads(const scale_run *run) {
    if (run->options.threads > 0) return run->options.threads;
    if (!run->ranks) return run->host.threads;
    const int cores = run->host.all_cores / (int)run->ranks->here, threads = machine_threads_of(run->ranks->here);
    return cores < 1 ? 1 : cores < threads ? cores : threads;
}

void plan_make(scale_run *run) {
    static void (*const plan_sweep[SWEEPS])(const planner *, int) = {
        [SWEEP_STRONG] = plan_strong,
        [SWEEP_WEAK] = plan_weak,
        [SWEEP_DENSITY] = plan_density,
        [SWEEP_KERNELS] = plan_kernels,
        [SWEEP_SIZE] = plan_size,
        [SWEEP_DISTRIBUTION] = plan_distribution,
        [SWEEP_RANKS_STRONG] = plan_ranks_strong,
        [SWEEP_RANKS_WEAK] = plan_ranks_weak,
        [SWEEP_RANKS_SPLIT] = plan_ranks_split,
    };
    run->threads = choose_threads(run);
    planner p = {.run = run, .amounts = choose_amounts(&run->options), .threads = run->threads};
    for (int i = 0; i < 2 * SWEEPS; i++) {
        if (run->options.sweeps[i / 2] && run->options.dimensions[2 + i % 2]) plan_sweep[i / 2](&p, 2 + i % 2);
    }
    for (int i = 0; i < run->batches; i++) {
        run->rows_planned += run->plan[i].count;
        run->seconds_planned += plan_batch_seconds(&run->plan[i]);
    }
}
