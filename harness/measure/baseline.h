/* SPDX-License-Identifier: MIT */
/*
 * What Dunlin is compared with, so that every claim is a ratio in one run on the reader's machine. The rules are the bench's
 * (workload.h) and so is the frame: everybody looks at a frozen snapshot.
 *
 * baseline-aos is what a good programmer writes in an afternoon: an array of structs, sorted into a uniform grid with cells of
 * one radius, scalar loops over the 3 x 3 (x 3) cells around each agent. baseline-brute tests all pairs.
 */
#ifndef DUNLIN_HARNESS_BENCH_BASELINE_H
#define DUNLIN_HARNESS_BENCH_BASELINE_H

#include "harness/measure/workload.h"

typedef enum baseline_kind { BASELINE_AOS = 0, BASELINE_BRUTE } baseline_kind;

/* "baseline-aos", "baseline-brute". */
const char *baseline_name(baseline_kind kind);

/* false: there is no baseline of that name. */
bool baseline_find(const char *name, baseline_kind *kind);

typedef struct baseline baseline;

/*
 * A flock with the start's agents, of which it keeps a copy. threads: >= 1. baseline-aos needs a world in which the cells
 * around an agent are different ones: a little wider than 3 radii. On failure *flock is NULL.
 */
dunlin_result baseline_create(const bench_start *start, baseline_kind kind, int threads, baseline **flock, dunlin_error *error);
void baseline_destroy(baseline *flock);

void baseline_step(baseline *flock);

/* What the last step did, counted as dunlin_stats counts. */
typedef struct baseline_stats {
    uint64_t pairs_tested;
    uint64_t pairs_useful;
} baseline_stats;

baseline_stats baseline_last_stats(const baseline *flock);

/* Bytes of memory the flock holds. */
size_t baseline_bytes(const baseline *flock);

/* Copies the state into arrays of the start's shape, [dimensions][agents], each agent in its place of the start. */
void baseline_read(const baseline *flock, float *const position[3], float *const velocity[3]);

#endif
