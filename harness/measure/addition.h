/* SPDX-License-Identifier: MIT */
/* What a flock of the bench can do or see besides flocking, so that the cost can be measured. */
#ifndef DUNLIN_HARNESS_BENCH_ADDITION_H
#define DUNLIN_HARNESS_BENCH_ADDITION_H

#include "harness/measure/workload.h"

typedef struct bench_addition bench_addition;
struct bench_addition {
    const char *name;
    double max_ratio; /* promised: a frame with it takes at most so many times a frame of the plain flock; 0: no promise */
    dunlin_result (*add)(dunlin_world *world, const bench_start *start, const bench_addition *addition, dunlin_error *error);

    /* for the functions that add it */
    dunlin_behaviour_kind behaviours[4];
    int count;
    float hawk_radii; /* how far hawks and prey see each other */
    dunlin_signal signal;
};

enum { BENCH_ADDITIONS = 20 };
extern const bench_addition bench_additions[BENCH_ADDITIONS];

/* Adds it to a world of bench_world_make(). NULL stands for the plain flock. After a failure the world is incomplete. */
dunlin_result bench_addition_make(const bench_addition *addition, dunlin_world *world, const bench_start *start,
                                  dunlin_error *error);

/* "plain" for NULL. */
const char *bench_addition_name(const bench_addition *addition);

#endif
