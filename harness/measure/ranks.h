/* SPDX-License-Identifier: MIT */
/*
 * Flocks that are measured in parts. Rank 0 measures, as a program that is alone does. Before each simulation it tells the
 * other ranks what runs, and as many of them as it needs run their parts, while the rest sleep.
 */
#ifndef DUNLIN_HARNESS_BENCH_RANKS_H
#define DUNLIN_HARNESS_BENCH_RANKS_H

#include "harness/command/ranks.h"
#include "harness/measure/workload.h"

/* What runs. */
typedef struct bench_order {
    bench_workload workload;
    uint32_t ranks; /* that run it: the lowest ones; 0: nothing, and nothing will */
    int threads;    /* per rank */
    int warm_up, steps;
    char kernel[32];
    int status; /* of the program, at the end */
} bench_order;

/* Rank 0 tells the others what it runs next, or that it is done. */
void bench_ranks_order(const command_ranks *ranks, const bench_order *order);
void bench_ranks_dismiss(const command_ranks *ranks, int status);

/* Any other rank runs what it is told to. Returns the status with which it is dismissed. */
int bench_ranks_follow(const command_ranks *ranks);

#endif
