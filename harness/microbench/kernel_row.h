/* SPDX-License-Identifier: MIT */
/* One row of kernel/…: a kernel, a rule set, a density. */
#ifndef DUNLIN_HARNESS_MICROBENCH_KERNEL_ROW_H
#define DUNLIN_HARNESS_MICROBENCH_KERNEL_ROW_H

#include "harness/microbench/gbench_shim.h"
#include "kernels/contract/kernel.h"
#include "harness/microbench/patch.h"

/* A radius of 0 turns the rule off. */
typedef struct rule_set {
    const char *name;
    dun_push push;
    float separation, alignment, cohesion; /* radii, 0 .. 1; the widest is 1 */
} rule_set;

/* Separation at half the radius of the other two, as in the frames that are measured. */
extern const rule_set *const flock_rules;

typedef struct kernel_row {
    const dun_kernel *kernel;
    const rule_set *rules;
    int dimensions;
    int neighbours;

    /* from setup to teardown */
    patch patch;
    dun_interact job;
    dun_interact_fn *interact;
    float *block; /* of all sums */
    dun_sums sums;
    uint64_t cycles;
} kernel_row;

/* For gbench_benchmark; `user` is a kernel_row. An iteration is the whole stretch of the patch. */
bool kernel_row_setup(void *user, gbench_state *state);
void kernel_row_run(void *user, int64_t iterations);
void kernel_row_report(void *user, gbench_state *state);
void kernel_row_teardown(void *user);

#endif
