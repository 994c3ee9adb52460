/* SPDX-License-Identifier: MIT */
/* What a flock of the bench can do or see besides flocking, so that the cost can be measured: scenarios with the bench's rules.
 */
#ifndef DUNLIN_HARNESS_BENCH_ADDITION_H
#define DUNLIN_HARNESS_BENCH_ADDITION_H

#include "harness/measure/workload.h"

#include <dunlin/scenario.h>

/* Texts are parts of a scenario, or NULL; addition.c says what stands for numbers in them. */
typedef struct bench_addition {
    const char *name;
    double max_ratio;   /* promised: a frame with it takes at most so many times a frame of the plain flock; 0: no promise */
    const char *flock;  /* more of the flock's entry of `species` */
    const char *others; /* more entries of `species` */
    const char *rules;  /* more of `alignment` and of `cohesion` */
    const char *interaction; /* more of the entry of `interactions` */
    const char *rest;        /* more sections */
} bench_addition;

enum { BENCH_ADDITIONS = 20 };
extern const bench_addition bench_additions[BENCH_ADDITIONS];

/* Makes the start's flock with the addition; *made has the world. After a failure it is NULL. */
dunlin_result bench_addition_make(const bench_addition *addition, const bench_start *start, int threads, const char *kernel,
                                  const char *index, dunlin_simulation **made, dunlin_error *error);

/* "plain" for NULL. */
const char *bench_addition_name(const bench_addition *addition);

#endif
