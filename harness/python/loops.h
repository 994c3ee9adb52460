/* SPDX-License-Identifier: MIT */
/* What Python hands to loops.c: a part of both modules' types. */
#ifndef DUNLIN_HARNESS_PYTHON_LOOPS_H
#define DUNLIN_HARNESS_PYTHON_LOOPS_H

#include <dunlin/dunlin.h>

/* The forces of one step, and the ids of the agents that they act on. */
typedef struct dunlin_python_forces {
    uint32_t count;
    const uint32_t *id;    /* [count] ascending */
    const float *force[3]; /* [dimensions][count] */
} dunlin_python_forces;

/* What compiled functions get as `user`. */
typedef struct dunlin_python_own {
    uint64_t seed;
    float radius;
} dunlin_python_own;

#endif
