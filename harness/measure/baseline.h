/* SPDX-License-Identifier: MIT */
/*
 * What Dunlin is compared with, so that every claim is a ratio within one run on the reader's machine. The rules and the frame
 * are the bench's (workload.h): every agent observes a frozen snapshot.
 *
 * baseline-aos is what a good programmer writes in an afternoon: an array of structs, sorted into a uniform grid with cells of
 * one radius, and scalar loops over the 3 x 3 (x 3) cells around each agent, a row of which is one run. baseline-simd is what
 * someone who knows SIMD writes in an afternoon, once per vector width: arrays per field, a lane per agent, and one loop over
 * all candidates (baseline_simd.c).
 */
#ifndef DUNLIN_HARNESS_BENCH_BASELINE_H
#define DUNLIN_HARNESS_BENCH_BASELINE_H

#include "harness/measure/workload.h"

typedef enum baseline_kind {
    BASELINE_AOS = 0,
    BASELINE_SIMD128,
#if defined(__x86_64__)
    BASELINE_SIMD256,
    BASELINE_SIMD512,
#endif
    BASELINES
} baseline_kind;

/* "baseline-aos", "baseline-simd128", … */
const char *baseline_name(baseline_kind kind);

/* Whether the processor has its instructions. */
bool baseline_runs_here(baseline_kind kind);

/* The baseline of that name, where "baseline-simd" is the widest that runs here; BASELINES: there is none. */
baseline_kind baseline_find(const char *name);

/* baseline-simd for the instruction set of that kernel; BASELINES: there is none, as for the scalar kernel. */
baseline_kind baseline_find_twin(const char *kernel);

typedef struct baseline baseline;

/*
 * Makes a flock of a copy of the start's agents. threads: >= 1. The world must be a little wider than 3 radii, so that the
 * cells around an agent differ. It is an error if the baseline does not run here. On failure *flock is NULL.
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

/* The code for 2D or 3D. Agents are opaque here, because they have as many coordinates as the world. */
typedef struct baseline_code {
    size_t agent_bytes;
    int finer; /* a cell is this part of a radius long */
    void (*load)(baseline *flock, const bench_start *start);
    baseline_stats (*step)(baseline *flock);
    void (*read)(const baseline *flock, float *const position[3], float *const velocity[3]);
} baseline_code;

struct baseline {
    const baseline_code *code;
    baseline_kind kind;
    int threads;
    uint32_t count;
    float side; /* world units */
    float radius2, separation_radius2;
    int cells;            /* on each axis, but `finer` times as many on the first one */
    float cells_per_unit; /* on all axes but the first one */
    size_t all_cells;
    size_t room;             /* agents that there is memory for: a packet may reach beyond the last agent */
    void *agents, *snapshot; /* [room] */
    uint32_t *cell_start;    /* [all_cells + 1] the cell's first agent in the snapshot */
};

/* The row or layer `step` further than `row`; *from moves by the world's side if that leads across the edge. */
static inline size_t baseline_row(const baseline *flock, int row, int step, float *from) {
    const int next = row + step, cells = flock->cells;
    if (next >= 0 && next < cells) return (size_t)next;
    *from += next < 0 ? flock->side : -flock->side;
    return next < 0 ? (size_t)(cells - 1) : 0;
}

#endif
