/* SPDX-License-Identifier: MIT */
/* Flights that one world flies, and then worlds that are its parts, on ranks that are threads: the bits are the same. */
#ifndef DUNLIN_TESTS_IN_PARTS_H
#define DUNLIN_TESTS_IN_PARTS_H

#include "engine/cluster/local.h"
#include "tests/lib/worlds.h"

/* All functions make collective calls only: they get the same numbers on every rank, and look at no agents. */
typedef struct parts_flight {
    const char *name;
    void (*define)(dunlin_world_def *def);             /* NULL: the defaults */
    void (*furnish)(dunlin_world *world);              /* definitions and agents */
    void (*change)(dunlin_world *world, int step);     /* before each step, from 0; NULL: nothing changes */
    void (*change_whole)(dunlin_world *world, int at); /* before the middle step, on rank 0 with the whole flock; NULL */
    int steps;
    void (*refurnish)(dunlin_world *world); /* definitions for a checkpoint; NULL: furnish() */
} parts_flight;

/* Which ranks fly it. */
typedef struct parts_crew {
    uint32_t ranks;
    int threads;
    const char *kernel;
    uint64_t cut_seed; /* of cuts in every step; 0: cuts follow the work */
} parts_crew;

/* How a plain world flies it: what the parts' flights must do, too. */
typedef struct parts_record parts_record;
parts_record *parts_record_new(const parts_flight *flight);
void parts_record_free(parts_record *record);

/*
 * Flies it in parts. After every step each rank compares the state's hash and the statistics, and in some steps the metrics;
 * in the middle and at the end rank 0 compares every agent's bits and place in storage order. A difference ends the process.
 */
void parts_fly(const parts_record *record, const parts_crew *crew);

/* One crew flies to the middle and saves a checkpoint, and the other goes on from there. Nothing may change on the way. */
void parts_change_crews(const parts_record *record, const parts_crew *first, const parts_crew *second);

/* By 1, 2, 3, 4 and 7 ranks, each with 1 and 2 threads, with kernels and ways to cut in turn. In a slow build by some of these.
 */
void parts_fly_all(const parts_flight *flight);

/* The same for `count` flights, each number of ranks with 1 or 2 threads. */
void parts_fly_some(const parts_flight *flights, int count);

#endif
