/* SPDX-License-Identifier: MIT */
/*
 * What is measured: a flock in a world, periodic unless said otherwise, sized for a mean of `neighbours` within the radius of
 * 1, with separation at half the radius and steer responses. A start is made once and shared by everything that is compared,
 * baselines included.
 */
#ifndef DUNLIN_HARNESS_BENCH_WORKLOAD_H
#define DUNLIN_HARNESS_BENCH_WORKLOAD_H

#include <dunlin/cluster.h>

typedef enum bench_distribution {
    BENCH_UNIFORM = 0, /* evenly in the whole world */
    BENCH_CLUMPED,     /* evenly in a hundredth of a larger world, as dense there as uniform */
    BENCH_FLOCKED,     /* uniform, after BENCH_FLOCKING_STEPS steps of its own rules; it then has more neighbours */
    BENCH_SCATTERED,   /* a hundred flocks, each as dense as uniform, in an open world a thousand flocks wide */
    BENCH_LINE         /* one flock as dense as uniform in an open world, ten radii wide on all axes but the first */
} bench_distribution;

enum { BENCH_FLOCKING_STEPS = 500 };

typedef struct bench_workload {
    int dimensions;    /* 2 or 3 */
    uint32_t agents;   /* >= 1 */
    double neighbours; /* mean within the radius, > 0 */
    bench_distribution distribution;
} bench_workload;

bool bench_workload_equal(const bench_workload *a, const bench_workload *b);

/* Bytes of memory per agent of a world and its start, a little more than there are. */
double bench_bytes_per_agent(int dimensions);

/* "uniform", "clumped", "flocked", "scattered", "line". */
const char *bench_distribution_name(bench_distribution distribution);

/* Whether the world is open, which baselines do not support; otherwise it is periodic. */
bool bench_distribution_is_open(bench_distribution distribution);

/* false: the name is unknown. */
bool bench_distribution_find(const char *name, bench_distribution *distribution);

/* The agents at the start: [axis][agents], in storage order. */
typedef struct bench_start {
    bench_workload workload;
    float side;         /* of the world on every axis, world units */
    float *position[3]; /* world units, 0 <= position < side */
    float *velocity[3]; /* world units per time unit */
} bench_start;

/* The rules of every bench, which baselines follow, too; the weight of alignment is 1. */
extern const float bench_radius, bench_separation_radius, bench_separation_weight, bench_cohesion_weight;
extern const float bench_min_speed, bench_max_speed, bench_max_force;

/* The side of the workload's world on every axis, in world units. */
double bench_world_side(const bench_workload *workload);

/*
 * Places that are spread evenly over a square or a cube, but not on a lattice: the share of the side at which number i is on
 * that axis, from `first` on. Multiples of the powers of 1/g, g^(d+1) = g + 1, modulo 1 (Roberts 2018, who generalizes the
 * golden ratio).
 */
double bench_even_share(int dimensions, int axis, double first, uint32_t i);

/* Makes the start; a flocked one runs first, on all processors. The arrays are the same on every machine. */
dunlin_result bench_start_make(const bench_workload *workload, bench_start *start, dunlin_error *error);
void bench_start_free(bench_start *start);

/* Adds the start's agents to the world's first species. */
dunlin_result bench_start_spawn(const bench_start *start, dunlin_world *world, dunlin_error *error);

/* A world with the bench's species and rules, and the start's agents. */
dunlin_result bench_world_make(const bench_start *start, int threads, const char *kernel, const char *index,
                               dunlin_world **world, dunlin_error *error);

/* The same flock in parts, from the workload alone, so that no rank needs memory for all agents: not flocked. Collective. */
dunlin_result bench_world_make_part(const bench_workload *workload, const dunlin_transport *transport, int threads,
                                    const char *kernel, const char *index, dunlin_world **world, dunlin_error *error);

#endif
