/* SPDX-License-Identifier: MIT */
/* Timed frames: what `dunlin bench` and `dunlin scale` share. */
#ifndef DUNLIN_HARNESS_BENCH_FRAME_BENCH_H
#define DUNLIN_HARNESS_BENCH_FRAME_BENCH_H

#include "harness/command/progress.h"
#include "harness/command/ranks.h"
#include "harness/measure/addition.h"
#include "harness/measure/workload.h"
#include "harness/report/statistics.h"

enum { FRAME_BENCH_NAME = 32 };

/* How many steps a world takes at least until it has chosen its kernel. */
int frame_bench_steps_to_choose(uint32_t agents);

/* What to measure. `kernel` is one of the library's, or a baseline (baseline.h), which ignores `index` and `addition`. */
typedef struct frame_case {
    const bench_start *start;
    int threads; /* >= 1 */
    const char *kernel;
    const char *index;
    bool chooses; /* "auto" chooses in the measured simulation, which must warm up so long; otherwise in one before */
    int warm_up;  /* steps before the clock of each repeat starts, >= 1: the first frame sorts agents in random order */
    int steps;    /* per repeat, >= 1 */
    int repeats;  /* >= 1 */
    const bench_addition *addition; /* NULL: the plain flock */

    /* If the lowest `ranks` of a program's ranks run it, each with so many threads. The start is a workload alone, and uniform;
     * no addition, no baseline. 0: it runs here. */
    uint32_t ranks;
    const command_ranks *crew;
} frame_case;

/* What a frame is made of, and the whole of it. */
typedef enum stage { STAGE_SNAPSHOT, STAGE_INTERACT, STAGE_STEER, STAGE_INTEGRATE, STAGE_FRAME, STAGES } stage;

/* "snapshot", … */
const char *frame_stage_name(stage s);

/* What travels between ranks in a step. */
typedef struct rank_traffic {
    double bytes, messages; /* of all ranks */
    double halo;            /* agents that ranks held only to see them */
    double imbalance;       /* work of the busiest rank over the mean; 1 is perfect */
    double ms_exchange;     /* the mean of the ranks' times in the exchange, waiting included */
} rank_traffic;

/* What was measured: medians of the repeats unless said otherwise. */
typedef struct frame_row {
    bench_workload workload;
    const bench_addition *addition; /* NULL: the plain flock */
    uint32_t ranks;                 /* 0: not in parts */
    int threads;                    /* per rank */
    rank_traffic traffic;
    char kernel[FRAME_BENCH_NAME], index[FRAME_BENCH_NAME]; /* the choice, if "auto" or "baseline-simd" was asked for */
    int steps;
    int repeats; /* that were measured; if 0, the bench was stopped before, and all that follows is 0 */
    double agent_updates_per_second, agent_updates_per_second_min, agent_updates_per_second_max;
    double pairs_tested_per_second, pairs_useful_per_second;
    double neighbours_found; /* mean over the timed steps */
    double pairs_tested_per_agent;
    double ms[STAGES]; /* per frame; stages are 0 for a baseline, which does not time them */
    double bytes_per_agent;
    double processor_share; /* with one thread: the part of the timed steps for which it had a processor; otherwise 0 */
    uint64_t hash;          /* of the last state: the same for all kernels and thread counts; 0 for a baseline */
} frame_row;

/* Called after every repeat of any case; false: stop now. `context` is the caller's. */
typedef bool frame_bench_progress(void *context);

/*
 * Measures the cases in turn: the first repeat of every case, then the second of every case, …, so that a change in the
 * machine's speed affects all alike. If all cases have one thread, times are the thread's own, which leave out what other
 * programs take; otherwise they are wall times. Stages are timed by the wall, and their times scaled to those of the frames.
 * rows[i] is for cases[i], and says how many repeats it has, even if progress said stop. `progress` may be NULL.
 *
 * Without `ratios` each repeat makes a new world from the start; it is an error if repeats of a kernel end in different states.
 * With them worlds are made once and continue, so that only moments lie between turns, and what slows the machine for longer
 * slows all. ratios[i * count + j] compares turns of one round: the time of a frame of case i / that of case j; 0 before the
 * first round is complete.
 */
dunlin_result frame_bench_run(const frame_case *cases, int count, frame_row *rows, spread *ratios,
                              frame_bench_progress *progress, void *context, dunlin_error *error);

/* ---- flocks that are measured in parts -------------------------------------------------------------------------------- */

/* What the ranks simulate. Rank 0 measures, as a program that is alone does; frame_bench_run() sends orders to the others. */
typedef struct bench_order {
    bench_workload workload;
    uint32_t ranks; /* the lowest ones, while the rest sleep; 0: nothing, and nothing will */
    int threads;    /* per rank */
    int warm_up, steps;
    char kernel[FRAME_BENCH_NAME];
    int status; /* of the program, at the end */
} bench_order;

/* Rank 0 dismisses the others with a status, which any other rank returns after it has followed all orders. */
void bench_ranks_dismiss(const command_ranks *ranks, int status);
int bench_ranks_follow(const command_ranks *ranks);

/* ---- as commands call them -------------------------------------------------------------------------------------------- */

/* Progress on standard error: repeats of all cases. */
typedef struct bench_watch {
    run_progress progress;
    uint64_t done;
} bench_watch;

bench_watch bench_watch_begin(int repeats, bool quiet);

/* A frame_bench_progress. Its context is a bench_watch. After interrupt_watch() a signal stops the benchmark, and rows have
 * what was measured so far. */
bool bench_watch_repeat(void *watch);

/* bench_start_make(). A flocked start takes a while, which it says on standard error. */
dunlin_result watched_start_make(const bench_workload *workload, bench_start *start, dunlin_error *error);

#endif
