/* SPDX-License-Identifier: MIT */
#include "harness/measure/baseline.h"
#include "harness/report/machine.h"
#include "harness/scale/scale.h"

#include <math.h>

enum { MAX_STEPS = 10 }; /* a flock that runs for longer draws together, and is another flock */
static const double usual_neighbours = 20.0;

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
    int threads;  /* the maximum; of a program with ranks those of each rank */
    double bytes; /* of the memory of one machine */
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
static double seconds_per_step(const planner *p, const frame_case *one) {
    const bench_workload *of = &one->start->workload;
    double tested = of->neighbours * (of->dimensions == 2 ? 3.0 : 8.0);
    int lanes = dunlin_kernel_at(dunlin_kernel_find(one->kernel)).lanes; /* 0: a baseline */
    double ns = 25.0 + 5.0 * tested / fmax(lanes, 1.0);
    double threads = (double)one->threads * (one->ranks > 0 ? one->ranks : 1);
    return 1e-9 * ns * of->agents / fmax(fmin(threads, cores_of(p->run)), 1.0);
}

static int clamp(double value, int low, int high) {
    return value < low ? low : value > high ? high : (int)value;
}

static int choose_steps(const planner *p, const frame_case *one) {
    if (p->run->options.steps > 0) return p->run->options.steps;
    return clamp(ceil(p->amounts.seconds / seconds_per_step(p, one)), p->amounts.min_steps, MAX_STEPS);
}

/* More repeats if even MAX_STEPS steps are short, fewer if a single one takes minutes. */
static int choose_repeats(const planner *p, const frame_case *one) {
    const double patience = 120.0; /* seconds, for all repeats */
    if (p->run->options.repeats > 0) return p->run->options.repeats;
    const double step = seconds_per_step(p, one), timed = one->steps * step;
    int wanted = clamp(ceil(p->amounts.repeats * p->amounts.seconds / timed), p->amounts.repeats, p->amounts.max_repeats);
    return clamp(patience / (timed + one->warm_up * step), 1, wanted);
}

/* ---- batches ---------------------------------------------------------------------------------------------------------- */

static plan_batch *add_batch(const planner *p, sweep_kind sweep, int dimensions) {
    plan_batch *batch = &p->run->plan[p->run->batches++];
    *batch = (plan_batch){.sweep = sweep, .dimensions = dimensions};
    return batch;
}

static double agents_here(const planner *p, int dimensions) {
    return floor(p->bytes / bench_bytes_per_agent(dimensions));
}

static double max_agents(const planner *p, int dimensions) {
    return fmin(agents_here(p, dimensions) * machines_of(p->run), SCALE_MAX_AGENTS);
}

/* The most agents, up to `agents`, with which a batch fits into memory: all of its starts are there at the same time. */
static double within_memory(const planner *p, int dimensions, double agents) {
    const double starts_per_world = 3.0; /* several starts beside a world together take no more memory than so many worlds */
    return fmax(fmin(agents, floor(agents_here(p, dimensions) / starts_per_world)), 1.0);
}

/* `ranks`: 0: not in parts. */
static bench_workload *add_case(const planner *p, plan_batch *batch, double agents, uint32_t ranks, int threads) {
    bench_start *start = &batch->starts[batch->count];
    start->workload = (bench_workload){.dimensions = batch->dimensions,
                                       .agents = (uint32_t)fmin(agents, max_agents(p, batch->dimensions)),
                                       .neighbours = usual_neighbours};
    batch->cases[batch->count++] = (frame_case){.start = start,
                                                .crew = p->run->ranks,
                                                .ranks = ranks,
                                                .threads = threads,
                                                .kernel = p->run->options.kernel,
                                                .index = ranks > 0 ? "grid" : "auto",
                                                .repeats = p->amounts.repeats};
    return &start->workload;
}

/* Either all cases take as many steps as suit the first, so that all end in the same state, or each takes as many as suit it.
 */
static void finish_batch(const planner *p, plan_batch *batch, bool same_steps) {
    for (int i = 0; i < batch->count; i++) {
        frame_case *one = &batch->cases[i];
        one->steps = same_steps && i > 0 ? batch->cases[0].steps : choose_steps(p, one);
        one->warm_up = one->steps < p->amounts.min_steps ? one->steps : p->amounts.min_steps;
    }
}

/* ---- sweeps ----------------------------------------------------------------------------------------------------------- */

/*
 * Strong and weak: 1, 2, 4, ..., all threads or ranks. Of threads the number of cores is one of them, because more share cores.
 * Every worker of a weak sweep gets the same number of agents, so memory limits the largest flock.
 */
static void plan_workers(const planner *p, sweep_kind sweep, int dimensions) {
    const bool of_ranks = sweep >= SWEEP_RANKS_STRONG, is_weak = sweep == SWEEP_WEAK || sweep == SWEEP_RANKS_WEAK;
    const int all = of_ranks ? (int)p->run->ranks->ranks : p->threads, cores = of_ranks ? 0 : p->run->host.cores;
    double agents = fmin(p->amounts.strong_agents, agents_here(p, dimensions));
    if (is_weak) {
        const double wanted = of_ranks ? p->amounts.agents_per_rank : p->amounts.agents_per_thread;
        const double most = of_ranks ? max_agents(p, dimensions) : within_memory(p, dimensions, wanted * all);
        agents = fmax(fmin(wanted, floor(most / all)), 1.0);
    }
    int workers[SWEEP_ROWS], count = 0;
    for (int n = 1; n < all; n *= 2) {
        workers[count++] = n;
        if (cores > n && cores < 2 * n && cores < all) workers[count++] = cores;
    }
    workers[count++] = all;
    plan_batch *batch = add_batch(p, sweep, dimensions);
    for (const int *n = workers; n < workers + count; n++)
        add_case(p, batch, agents * (is_weak ? *n : 1), of_ranks ? (uint32_t)*n : 0, of_ranks ? p->threads : *n);
    finish_batch(p, batch, true);
}

/* Ranks that divide all threads evenly, from one on. */
static void plan_split(const planner *p, sweep_kind sweep, int dimensions) {
    plan_batch *batch = add_batch(p, sweep, dimensions);
    const int all = (int)p->run->ranks->ranks * p->threads;
    for (int ranks = 1; ranks <= (int)p->run->ranks->ranks && batch->count < SWEEP_ROWS; ranks++)
        if (all % ranks == 0) add_case(p, batch, p->amounts.agents, (uint32_t)ranks, all / ranks);
    finish_batch(p, batch, true);
}

static void plan_density(const planner *p, sweep_kind sweep, int dimensions) {
    static const double neighbours[] = {5.0, 10.0, 20.0, 50.0, 100.0, 200.0};
    plan_batch *batch = add_batch(p, sweep, dimensions);
    const double agents = within_memory(p, dimensions, p->amounts.agents);
    for (size_t i = 0; i < sizeof neighbours / sizeof *neighbours; i++)
        add_case(p, batch, agents, 0, p->threads)->neighbours = neighbours[i];
    finish_batch(p, batch, false);
}

/* One thread, and all threads. */
static void add_kernel(const planner *p, plan_batch *batch, const char *kernel) {
    for (int i = 0; i < (p->threads > 1 ? 2 : 1) && batch->count < SWEEP_ROWS; i++) {
        add_case(p, batch, p->amounts.agents, 0, i == 0 ? 1 : p->threads);
        batch->cases[batch->count - 1].kernel = kernel;
    }
}

/* Baselines need three cells per row, one radius wide. */
static void plan_kernels(const planner *p, sweep_kind sweep, int dimensions) {
    plan_batch *batch = add_batch(p, sweep, dimensions);
    for (baseline_kind kind = BASELINE_AOS; kind < BASELINES; kind++)
        if (baseline_runs_here(kind)) add_kernel(p, batch, baseline_name(kind));
    if (bench_world_side(&batch->starts[0].workload) < 3.01 * (double)bench_radius) batch->count = 0;
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        dunlin_kernel_info kernel = dunlin_kernel_at(i);
        if (kernel.runs_here) add_kernel(p, batch, kernel.name);
    }
    finish_batch(p, batch, true);
}

static void plan_distribution(const planner *p, sweep_kind sweep, int dimensions) {
    plan_batch *batch = add_batch(p, sweep, dimensions);
    const double agents = within_memory(p, dimensions, p->amounts.flocked_agents);
    for (bench_distribution d = BENCH_UNIFORM; d <= BENCH_FLOCKED; d++)
        add_case(p, batch, agents, 0, p->threads)->distribution = d;
    finish_batch(p, batch, true);
}

/* 1000, 3000, 10 000, ..., the maximum: a batch each, because two of the largest would not fit. */
static void plan_size(const planner *p, sweep_kind sweep, int dimensions) {
    const double most = fmin(p->amounts.max_agents, max_agents(p, dimensions));
    for (int i = 0, last = 0; !last; i++) {
        double agents = pow(10.0, 3 + i / 2) * (i % 2 == 0 ? 1.0 : 3.0);
        /* A size close below the last one says nothing new. */
        last = agents * 1.25 > most;
        plan_batch *batch = add_batch(p, sweep, dimensions);
        add_case(p, batch, last ? most : agents, 0, p->threads);
        finish_batch(p, batch, false);
        batch->cases[0].repeats = choose_repeats(p, &batch->cases[0]);
    }
}

/* ---- all of it -------------------------------------------------------------------------------------------------------- */

static amounts choose_amounts(const scale_options *options) {
    amounts chosen = options->quick ? small : thorough;
    if (options->agents > 0) chosen.strong_agents = chosen.agents = chosen.flocked_agents = options->agents;
    if (options->agents_per_worker > 0) chosen.agents_per_rank = chosen.agents_per_thread = options->agents_per_worker;
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
    static void (*const plan_sweep[SWEEPS])(const planner *, sweep_kind, int) = {
        [SWEEP_STRONG] = plan_workers,       [SWEEP_WEAK] = plan_workers,       [SWEEP_DENSITY] = plan_density,
        [SWEEP_KERNELS] = plan_kernels,      [SWEEP_SIZE] = plan_size,          [SWEEP_DISTRIBUTION] = plan_distribution,
        [SWEEP_RANKS_STRONG] = plan_workers, [SWEEP_RANKS_WEAK] = plan_workers, [SWEEP_RANKS_SPLIT] = plan_split,
    };
    run->threads = choose_threads(run);
    const uint64_t memory = machine_free_memory(); /* 0: unknown; a share is for the system */
    const planner p = {.run = run,
                       .amounts = choose_amounts(&run->options),
                       .threads = run->threads,
                       .bytes = 0.8 * (memory > 0 ? (double)memory : 2e9)};
    uint64_t repeats = 0;
    for (int i = 0; i < 2 * SWEEPS; i++)
        if (run->options.sweeps[i / 2] && run->options.dimensions[2 + i % 2])
            plan_sweep[i / 2](&p, (sweep_kind)(i / 2), 2 + i % 2);
    for (const plan_batch *batch = run->plan; batch < run->plan + run->batches; batch++) {
        run->rows_planned += batch->count;
        for (int i = 0; i < batch->count; i++) repeats += (uint64_t)batch->cases[i].repeats;
    }
    run->watch.progress = progress_begin("repeat", repeats, !run->options.quiet);
}
