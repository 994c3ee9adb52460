/* SPDX-License-Identifier: MIT */
/*
 * What agents do by themselves, as kernels see it: each function adds one behaviour's force to a stretch of a species' agents.
 * A lane is an agent. The formulas stand with the public names, in dunlin.h.
 */
#ifndef DUNLIN_KERNELS_BEHAVE_H
#define DUNLIN_KERNELS_BEHAVE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum dunlin_behave_kind {
    DUNLIN_BEHAVE_TARGET = 0, /* seek, flee, arrive, pursue, evade */
    DUNLIN_BEHAVE_WANDER,
    DUNLIN_BEHAVE_CONTAIN,
    DUNLIN_BEHAVE_FORCE,
    DUNLIN_BEHAVE_DRAG,
    DUNLIN_BEHAVE_COUNT
} dunlin_behave_kind;

typedef struct dunlin_behave_target {
    float position[3], velocity[3]; /* the target's, now */
    float radius2;                  /* squared; INFINITY: everyone */
    bool away;
    bool slows;
    float slowing_radius;
    bool predicts;
    bool by_distance;
    float time;
} dunlin_behave_target;

typedef struct dunlin_behave_wander {
    float distance, radius;
    uint32_t key[2];    /* the random numbers', and their counter's third word (engine/random.h) */
    uint32_t stream;
    uint64_t direction; /* the random direction last passed, everyone's */
    float share;        /* 0 .. 1: of the way from it to the next */
} dunlin_behave_wander;

typedef struct dunlin_behave_contain {
    float low[3], high[3]; /* beyond these agents turn; -INFINITY and INFINITY: no walls */
    bool last;             /* only the last axis counts */
} dunlin_behave_contain;

typedef struct dunlin_behave_drag {
    float linear, quadratic;
} dunlin_behave_drag;

/* One behaviour in one frame. */
typedef struct dunlin_behave {
    int dimensions;
    bool periodic;
    float size[3]; /* of a periodic world; offsets fold at half of it */
    float max_speed;
    float max_force;                        /* INFINITY: none */
    float weight;                           /* negated where the force is */
    const float *position[3], *velocity[3]; /* the snapshot's */
    const uint32_t *id;
    float *force[3];                        /* added to */
    union {
        dunlin_behave_target target;
        dunlin_behave_wander wander;
        dunlin_behave_contain contain;
        float constant[3];
        dunlin_behave_drag drag;
    };
} dunlin_behave;

/* For the agents [0, count); arrays as kernel.h says. */
typedef void dunlin_behave_fn(const dunlin_behave *behave, uint32_t count);

#endif
