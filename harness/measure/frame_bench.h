/* SPDX-License-Identifier: MIT */
/* Whole frames, timed: what `dunlin bench frame`, `dunlin scale` and `dunlin roofline` have in common. */
#ifndef DUNLIN_HARNESS_BENCH_FRAME_BENCH_H
#define DUNLIN_HARNESS_BENCH_FRAME_BENCH_H

#include "harness/measure/addition.h"
#include "harness/measure/workload.h"
#include "harness/report/statistics.h"

enum { FRAME_BENCH_NAME = 32 };

/* What to measure. `kernel` is one of the library's, or "baseline-aos" or "baseline-brute", which ignore `index` and
 * `addition`. */
typedef struct frame_case {
    const bench_start *start;
    int threads; /* >= 1 */
    const char *kernel;
    const char *index;
    int warm_up; /* steps before each repeat's clock starts, >= 1: the first frame sorts agents from random order */
    int steps;   /* steps of a repeat, >= 1 */
    int repeats; /* >= 1 */
    const bench_addition *addition; /* NULL: the plain flock */
} frame_case;

typedef struct stage_ms {
    double snapshot, interact, steer, integrate, frame; /* a frame; 0 where a baseline doesn't tell stages apart */
} stage_ms;

/* What was measured. Of repeats the median, where nothing else is said. */
typedef struct frame_row {
    bench_workload workload;
    const bench_addition *addition; /* NULL: the plain flock */
    int threads;
    char kernel[FRAME_BENCH_NAME], index[FRAME_BENCH_NAME]; /* as chosen, where "auto" was asked for */
    int steps;
    int repeats; /* that were measured; 0: none, for it was stopped before, and what follows is 0 */
    double agent_updates_per_second, agent_updates_per_second_min, agent_updates_per_second_max;
    double pairs_tested_per_second, pairs_useful_per_second;
    double neighbours_found; /* mean over the timed steps */
    double pairs_tested_per_agent;
    stage_ms ms;
    double bytes_per_agent;
    uint64_t hash; /* of the last state: the same for all kernels, whatever the threads; 0 of a baseline */
} frame_row;

/* Told after every repeat of any case; false: stop now. `context` is the caller's. */
typedef bool frame_bench_progress(void *context, int repeats_done, int repeats_all);

/*
 * Measures the cases, alternating: first repeat of every case, then the second of every case, … so that a change in the
 * machine's mood meets all alike. Each repeat makes its world anew from the start; times are of the wall. rows[i] is for
 * cases[i]. *done receives how many repeats all cases have when progress said stop (all: the number asked for); each row says
 * how many it has itself. `progress` may be NULL. A kernel whose repeats end in different states is an error.
 */
dunlin_result frame_bench_run(const frame_case *cases, int count, frame_row *rows, frame_bench_progress *progress,
                              void *context, int *done, dunlin_error *error);

/* Two cases side by side. */
enum { REFERENCE = 0, COMPARED, COMPARED_CASES };

typedef struct frame_comparison {
    frame_row rows[COMPARED_CASES];
    spread ratio; /* of the times of what is compared and of the reference, over the repeats of both; 0 where there are none */
} frame_comparison;

/*
 * Measures a case beside a reference of as many repeats; they take turns after each repeat's steps. Their worlds are made once
 * and fly on, so that only moments lie between what is compared: a ratio is that of two neighbouring repeats, and what slows
 * the machine for longer than those take slows both. `progress` as above.
 */
dunlin_result frame_bench_compare(const frame_case *reference, const frame_case *compared, frame_comparison *found,
                                  frame_bench_progress *progress, void *context, dunlin_error *error);

#endif
