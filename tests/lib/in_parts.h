/* SPDX-License-Identifier: MIT */
/* Simulations that one world runs, and then worlds that are its parts, on ranks that are threads: the bits are the same. */
#ifndef DUNLIN_TESTS_IN_PARTS_H
#define DUNLIN_TESTS_IN_PARTS_H

#include "tests/lib/local.h"
#include "tests/lib/worlds.h"

/* All functions make collective calls only: they get the same numbers on every rank, and look at no agents. */
typedef struct parts_simulation {
    const char *name;
    void (*define)(dunlin_world_def *def);             /* NULL: the defaults */
    void (*furnish)(dunlin_world *world);              /* definitions and agents */
    void (*change)(dunlin_world *world, int step);     /* before each step, from 0; NULL: nothing changes */
    void (*change_whole)(dunlin_world *world, int at); /* before the middle step, on rank 0 with the whole flock; NULL */
    int steps;
    void (*refurnish)(dunlin_world *world); /* definitions for a checkpoint; NULL: furnish() */
} parts_simulation;

/* Which ranks run it. */
typedef struct parts_crew {
    uint32_t ranks;
    int threads;
    const char *kernel;
    uint64_t cut_seed; /* of cuts in every step; 0: cuts follow the work */
} parts_crew;

/* How a plain world runs it: what the parts' simulations must do, too. */
typedef struct parts_record parts_record;
parts_record *parts_record_new(const parts_simulation *simulation);
void parts_record_free(parts_record *record);

/*
 * Runs it in parts. After every step each rank compares the state's hash and the statistics, and in some steps the metrics;
 * in the middle and at the end rank 0 compares every agent's bits and place in storage order. A difference ends the process.
 */
void parts_run(const parts_record *record, const parts_crew *crew);

/* One crew runs to the middle and saves a checkpoint, and the other continues from there. Nothing may change on the way. */
void parts_change_crews(const parts_record *record, const parts_crew *first, const parts_crew *second);

/* By 1, 2, 3, 5 and 7 ranks, each with 1 and 2 threads, with kernels and ways to cut in turn. In a slow build by some of these.
 */
void parts_run_all(const parts_simulation *simulation);

/* The same for `count` simulations, each number of ranks with 1 or 2 threads. */
void parts_run_some(const parts_simulation *simulations, int count);

/* What the message says when ranks cannot run such a world; NULL: they can. Ranks share bounds, and bodies and the making of
 * groups are not built for them. */
const char *parts_refusal(const dunlin_world *world);

#endif
