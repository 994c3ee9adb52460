/* SPDX-License-Identifier: MIT */
/* The sweeps of `dunlin scale` and their rows. */
#ifndef DUNLIN_HARNESS_SCALE_SWEEP_H
#define DUNLIN_HARNESS_SCALE_SWEEP_H

#include "harness/measure/frame_bench.h"

#define SCALE_MAX_AGENTS 4000000000u /* a little less than the library allows */

/* In the order in which they are measured. Size comes last, because it takes longest and needs nearly all memory. */
typedef enum sweep_kind {
    SWEEP_STRONG = 0,   /* the same flock, more and more threads */
    SWEEP_WEAK,         /* the same number of agents per thread, more and more threads */
    SWEEP_DENSITY,      /* more and more neighbours */
    SWEEP_KERNELS,      /* every kernel that runs here, and the baseline */
    SWEEP_DISTRIBUTION, /* clumped and flocked, each beside a uniform flock with as many neighbours */
    SWEEP_SIZE,         /* more and more agents */
    SWEEPS
} sweep_kind;

/* "strong": on the command line and in file names. */
const char *sweep_name(sweep_kind sweep);

/* "Strong scaling" */
const char *sweep_title(sweep_kind sweep);

/* What the sweep keeps and what it varies, in a sentence. */
const char *sweep_summary(sweep_kind sweep);

/* The rows of one sweep in 2D or in 3D, in the order of its plan. */
enum { SWEEP_ROWS = 64 };
typedef struct sweep_rows {
    int count;
    frame_row row[SWEEP_ROWS];
} sweep_rows;

typedef struct scale_results {
    sweep_rows of[SWEEPS][4]; /* [sweep][dimensions] */
} scale_results;

/* Thread time of a row. */
double row_ns_per_useful_pair(const frame_row *row); /* NAN without pairs */
double row_ns_per_agent(const frame_row *row);

#endif
