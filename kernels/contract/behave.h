/* SPDX-License-Identifier: MIT */
/*
 * What agents do by themselves, as kernels see it: each function adds one behaviour's force to a stretch of a species' agents.
 * A lane is an agent. The formulas stand with the public names, in dunlin.h.
 */
#ifndef DUNLIN_KERNELS_BEHAVE_H
#define DUNLIN_KERNELS_BEHAVE_H

#include "kernels/motion/obstacles.h"
#include "kernels/contract/varied.h"

typedef enum dun_behave_kind {
    DUN_BEHAVE_TARGET = 0, /* seek, flee, arrive, pursue, evade */
    DUN_BEHAVE_WANDER,
    DUN_BEHAVE_CONTAIN,
    DUN_BEHAVE_PATH,
    DUN_BEHAVE_AVOID,
    DUN_BEHAVE_VIEW,
    DUN_BEHAVE_FORCE,
    DUN_BEHAVE_DRAG,
    DUN_BEHAVE_FLOW,
    DUN_BEHAVE_WIND,
    DUN_BEHAVE_COUNT
} dun_behave_kind;

/* Those whom each agent sees. */
typedef struct dun_behave_others {
    const float *offset[3], *velocity[3]; /* sums of Δ and of velocities */
    const int32_t *seen;                  /* how many; NULL: it sees nobody, nor is it asked to */
} dun_behave_others;

typedef struct dun_behave_target {
    float position[3], velocity[3]; /* the target's, now; not where others are the target, in their middle */
    float radius2;                  /* squared; INFINITY: everyone */
    bool away;
    bool slows;
    float slowing_radius;
    bool predicts;
    bool by_distance;
    float time;
} dun_behave_target;

typedef struct dun_behave_wander {
    float distance, radius;
    uint32_t key[2]; /* the random numbers', and their counter's third word (engine/base/random.h) */
    uint32_t stream;
    uint64_t direction; /* the random direction last passed, everyone's */
    float share;        /* 0 .. 1: of the way from it to the next */
} dun_behave_wander;

typedef struct dun_behave_contain {
    float low[3], high[3]; /* beyond these agents turn; -INFINITY and INFINITY: no walls */
    bool last;             /* only the last axis counts */
} dun_behave_contain;

#define DUN_PATH_LEVELS 6 /* enough for a million segments */

/*
 * A polyline. Segment k runs from point k to point k + 1. Over its segments, where they are many, stand boxes: box b of level 0
 * is around the segments from b * FAN on, box b of a higher level around the boxes from b * FAN on of the level below.
 */
typedef struct dun_polyline {
    uint32_t segments;                /* 1 .. 2^24 */
    bool closed;                      /* after the last segment comes the first */
    float *point[3];                  /* [segments + 1] |coordinate| <= 1e9 */
    float *along[3];                  /* [segments] point k + 1 - point k */
    float *inverse2;                  /* [segments] 1 / |along|^2; 0 where a segment has no direction */
    int levels;                       /* 0: no boxes, every segment is visited */
    dun_boxes boxes[DUN_PATH_LEVELS]; /* around start, end and start + along; at most FAN of the highest level */
} dun_polyline;

typedef enum dun_path_off { DUN_PATH_CLAMP = 0, DUN_PATH_END, DUN_PATH_NEXT } dun_path_off;

typedef struct dun_behave_path {
    const dun_polyline *line;
    dun_path_off off; /* what stands for a foot that is off its segment */
    float radius2;    /* squared */
    bool predicts_by_speed, ahead_by_speed;
    float prediction, ahead; /* world units, or time units where by speed */
} dun_behave_path;

typedef struct dun_behave_avoid {
    const dun_obstacle_bins *bins;
    float look_ahead; /* time units */
    float agent_radius;
} dun_behave_avoid;

typedef struct dun_behave_drag {
    float linear, quadratic;
} dun_behave_drag;

/* A grid of vectors: the cell at (i, j, k) is at i + stride[1]·j + stride[2]·k. */
typedef struct dun_behave_flow {
    const float *vectors[3];
    float cells[3];    /* >= 1, whole, and all of them together fit an int32_t */
    int32_t stride[3]; /* [0] is 1 */
    float low[3];      /* of the grid */
    float per_unit[3]; /* 1 / width of a cell */
    float per_cell[3]; /* 1 / cells */
    float look_ahead;
    bool linear;
    bool wraps; /* the grid goes on around beyond its edges, where the cells of the edge would otherwise */
} dun_behave_flow;

/* One behaviour in one frame. */
typedef struct dun_behave {
    int dimensions;
    bool periodic;
    float size[3]; /* of a periodic world; offsets fold at half of it */
    dun_varied max_speed;
    dun_varied max_force;                   /* INFINITY: none */
    dun_varied weight;                      /* negated where the force is */
    const float *position[3], *velocity[3]; /* the snapshot's */
    const uint32_t *id;
    float *force[3];          /* added to */
    dun_behave_others others; /* where they are the target, or in the way */
    union {
        dun_behave_target target;
        dun_behave_wander wander;
        dun_behave_contain contain;
        dun_behave_path path;
        dun_behave_avoid avoid;
        float constant[3];
        dun_behave_drag drag;
        dun_behave_flow flow;
    };
} dun_behave;

/* For the agents [0, count); arrays as kernel.h says. */
typedef void dun_behave_fn(const dun_behave *behave, uint32_t count);

#endif
