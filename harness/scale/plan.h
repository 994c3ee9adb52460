/* SPDX-License-Identifier: MIT */
/* What is measured, all of it decided before the first measurement. */
#ifndef DUNLIN_HARNESS_SCALE_PLAN_H
#define DUNLIN_HARNESS_SCALE_PLAN_H

#include "harness/report/machine.h"
#include "harness/scale/scale_options.h"

typedef struct plan_case {
    bench_workload workload;
    bool as_dense_as_previous; /* uniform, with as many neighbours as the case before it turns out to have */
    int threads;
    char kernel[FRAME_BENCH_NAME];
    int warm_up, steps;
    double seconds; /* that a repeat takes, roughly: for the progress bar, and for choosing steps */
} plan_case;

enum { PLAN_CASES = SWEEP_ROWS };

/* Cases that are measured alternating, so that the machine's moods meet all alike. */
typedef struct plan_batch {
    sweep_kind sweep;
    int dimensions;
    int repeats;
    int count;
    plan_case cases[PLAN_CASES];
} plan_batch;

typedef struct scale_plan {
    int count;
    plan_batch *batches;
} scale_plan;

/* Agents that memory takes, by dimensions. */
typedef struct plan_limits {
    uint32_t agents[4];
} plan_limits;

/* DUNLIN_ERROR_MEMORY if there is none for the plan itself. Always free it. */
dunlin_result scale_plan_make(scale_plan *plan, const scale_options *options, const machine *host, const plan_limits *limits,
                              dunlin_error *error);
void scale_plan_free(scale_plan *plan);

/* Of all repeats of all cases. */
double plan_batch_seconds(const plan_batch *batch);

#endif
