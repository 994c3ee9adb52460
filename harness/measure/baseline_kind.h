/* SPDX-License-Identifier: MIT */
/* The parts of a baseline. Private to baseline*.c. */
#ifndef DUNLIN_HARNESS_BENCH_BASELINE_KIND_H
#define DUNLIN_HARNESS_BENCH_BASELINE_KIND_H

#include "harness/measure/baseline.h"

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
