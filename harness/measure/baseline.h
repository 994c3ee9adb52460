/* SPDX-License-Identifier: MIT */
/*
 * What Dunlin is compared with, so that every claim is a ratio within one run on the reader's machine. The rules and the frame
 * are the bench's (workload.h): every agent observes a frozen snapshot.
 *
 * baseline-aos is what a good programmer writes in an afternoon: an array of structs, sorted into a uniform grid with cells of
 * one radius, and scalar loops over the 3 x 3 (x 3) cells around each agent. baseline-brute tests all pairs.
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
 * Makes a flock of a copy of the start's agents. threads: >= 1. baseline-aos needs a world that is a little wider than 3 radii,
 * so that the cells around an agent differ. On failure *flock is NULL.
 */
dunlin_result baseline_create(const bench_start *start, baseline_kind kind, int threads, baseline **flock, dunlin_error *error);
void baseline_destroy(baseline *flock);

/* What a step did, counted as dunlin_stats counts. */
typedef struct baseline_stats {
    uint64_t pairs_tested, pairs_useful;
} baseline_stats;

baseline_stats baseline_step(baseline *flock);

/* Bytes of memory the flock holds. */
size_t baseline_bytes(const baseline *flock);

/* Copies the state into arrays of the start's shape, [dimensions][agents], each agent to its place in the start. */
void baseline_read(const baseline *flock, float *const position[3], float *const velocity[3]);

/* ---- for baseline*.c alone ----------------------------------------------------------------------------------------------- */

/* The code for 2D or 3D. Agents are opaque here, because their struct has as many coordinates as the world. */
typedef struct baseline_code {
    size_t agent_bytes;
    void (*load)(baseline *flock, const bench_start *start);
    baseline_stats (*step)(baseline *flock);
    void (*read)(const baseline *flock, float *const position[3], float *const velocity[3]);
} baseline_code;

extern const baseline_code baseline_code_2d, baseline_code_3d;

struct baseline {
    const baseline_code *code;
    baseline_kind kind;
    int threads;
    uint32_t count;
    float side; /* world units */
    float radius2, separation_radius2;
    int cells; /* on each axis; 0: no grid */
    size_t all_cells;
    void *agents, *snapshot; /* [count] */
    uint32_t *cell_start;    /* [all_cells + 1] the cell's first agent in the snapshot */
};

#endif
