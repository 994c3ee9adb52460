/* SPDX-License-Identifier: MIT */
/* Everything that will be measured, decided before the first measurement. */
#ifndef DUNLIN_HARNESS_SCALE_PLAN_H
#define DUNLIN_HARNESS_SCALE_PLAN_H

#include "harness/report/machine.h"
#include "harness/scale/scale_options.h"

typedef struct plan_case {
    bench_workload workload;
    bool as_dense_as_previous; /* uniform, with as many neighbours as the case before turns out to have */
    int threads;
    char kernel[FRAME_BENCH_NAME];
    int warm_up, steps;
    double seconds; /* per repeat, estimated: for the progress bar and for choosing steps */
} plan_case;

enum { PLAN_CASES = SWEEP_ROWS };

/* Cases that are measured in turn, so that changes in the machine's speed affect all alike. */
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

/* How many agents memory holds, by dimensions. */
typedef struct plan_limits {
    uint32_t agents[4];
} plan_limits;

/* DUNLIN_ERROR_MEMORY if there is no memory for the plan itself. Always free it. */
dunlin_result scale_plan_make(scale_plan *plan, const scale_options *options, const machine *host, const plan_limits *limits,
                              dunlin_error *error);
void scale_plan_free(scale_plan *plan);

/* The estimate for all repeats of all cases. */
double plan_batch_seconds(const plan_batch *batch);

#endif
