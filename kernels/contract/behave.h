/* SPDX-License-Identifier: MIT */
/*
 * What kernels know of behaviours. Each function adds one behaviour's force to a stretch of a species' agents; a lane is an
 * agent. behaviours.h gives the formulas.
 */
#ifndef DUNLIN_KERNELS_BEHAVE_H
#define DUNLIN_KERNELS_BEHAVE_H

#include "kernels/contract/obstacles.h"

/* A number that may differ from agent to agent: all·each[i] for agent i of a stretch; `all` where `each` is NULL. */
typedef struct dun_varied {
    float all;
    const float *each;
} dun_varied;

typedef enum dun_behave_kind {
    DUN_BEHAVE_TARGET = 0, /* seek, flee, arrive, pursue, evade */
    DUN_BEHAVE_WANDER,
    DUN_BEHAVE_CONTAIN,
    DUN_BEHAVE_PATH,
    DUN_BEHAVE_AVOID,
    DUN_BEHAVE_SIDESTEP,
    DUN_BEHAVE_FORCE,
    DUN_BEHAVE_DRAG,
    DUN_BEHAVE_FLOW,
    DUN_BEHAVE_WIND,
    DUN_BEHAVE_GIVEN,   /* each group has a force of its own */
    DUN_BEHAVE_ATTRACT, /* reads `target`, as DUN_BEHAVE_TARGET does */
    DUN_BEHAVE_COUNT
} dun_behave_kind;

/* A length ahead that depends on the speed: distance + time·speed. */
typedef struct dun_ahead {
    float distance, time;
} dun_ahead;

/* What each agent sees. */
typedef struct dun_behave_others {
    const float *offset[3], *velocity[3]; /* sums of Δ and of velocities */
    const int32_t *seen;                  /* how many; NULL: the behaviour observes no agents */
    const float *group;                   /* the number of each agent's group; NULL: the behaviour has no groups */
} dun_behave_others;

/* What there is to know of groups, in tables by number. An agent whose number is beyond them has no group there. */
typedef struct dun_behave_groups {
    float last;                          /* the last number */
    const float *there;                  /* 0: the group has no agents; otherwise 1 */
    const float *place[3], *velocity[3]; /* targets. place NULL: the target is ahead, where the velocity leads */
    const float *force[3];               /* DUN_BEHAVE_GIVEN */
} dun_behave_groups;

typedef struct dun_behave_attract {
    float strength, min_distance, max_distance;
    int power;
} dun_behave_attract;

typedef struct dun_behave_target {
    float position[3], velocity[3]; /* the target's, now; unused where the middle of what an agent sees is the target */
    float radius2;                  /* squared: agents that are farther ignore the target; INFINITY: none does */
    bool away;
    bool slows;
    float slowing_radius;
    bool predicts;
    bool by_distance;
    dun_ahead ahead; /* of the target's place */
    dun_behave_attract attract;
} dun_behave_target;

enum { DUN_WANDER_LEVELS = 2 };

/* How a stretch of time, at both ends of which the walk is known, is divided into equal parts: 16, or in 3D 4. */
typedef struct dun_wander_level {
    uint64_t stretch; /* its number, the same for all agents */
    uint32_t stream;  /* the third word of the counter of its random numbers */
    uint32_t part;    /* the part in which the step is */
    float scale;      /* of the random byte in the middle */
} dun_wander_level;

typedef struct dun_behave_wander {
    float distance, radius;
    uint32_t key[2]; /* of the random numbers (engine/base/random.h), and the third word of their counter */
    uint32_t stream;
    uint64_t block; /* the number of the stretch of time between two independent places, the same for all agents */
    int levels;     /* how many times that stretch is divided, each time the part in which the step is */
    dun_wander_level level[DUN_WANDER_LEVELS];
    float share; /* 0 .. 1: how much of the last part is over */
} dun_behave_wander;

typedef struct dun_behave_contain {
    float min[3], max[3]; /* agents beyond these turn; -INFINITY and INFINITY: no walls */
    bool last;            /* only the last axis counts */
} dun_behave_contain;

#define DUN_PATH_LEVELS 6 /* enough for a million segments */

/*
 * A polyline. Segment k leads from point k to point k + 1. Boxes help to search many segments: box b of level 0 is around the
 * DUN_BOX_FAN segments from b * DUN_BOX_FAN on, and box b of a higher level around as many boxes of the level below.
 */
typedef struct dun_polyline {
    uint32_t segments;                /* 1 .. 2^24 */
    bool closed;                      /* the first segment follows the last one */
    float *point[3];                  /* [segments + 1] |coordinate| <= 1e9 */
    float *along[3];                  /* [segments] point k + 1 - point k */
    float *inverse2;                  /* [segments] 1 / |along|^2; 0 where a segment has no direction */
    int levels;                       /* 0: there are no boxes, so every segment is visited */
    dun_boxes boxes[DUN_PATH_LEVELS]; /* around start, end and start + along; at most FAN on the last level */
} dun_polyline;

typedef enum dun_path_off { DUN_PATH_CLAMP = 0, DUN_PATH_END, DUN_PATH_NEXT } dun_path_off;

typedef struct dun_behave_path {
    const dun_polyline *line;
    dun_path_off off; /* what replaces a foot that is off its segment */
    float radius2;    /* squared */
    dun_ahead prediction, ahead;
    float ahead_share; /* of the distance from the path: further ahead */
} dun_behave_path;

typedef struct dun_behave_avoid {
    const dun_obstacle_bins *bins;
    dun_ahead look_ahead;
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
    float min[3];      /* the grid's corner */
    float per_unit[3]; /* 1 / width of a cell */
    float per_cell[3]; /* 1 / cells */
    dun_ahead look_ahead;
    bool linear;
    uint32_t wraps; /* axes, bit a each: beyond the edge the grid begins again; otherwise the cells of the edge continue */
} dun_behave_flow;

/* One behaviour in one frame. */
typedef struct dun_behave {
    int dimensions;
    bool periodic; /* along some axis */
    float size[3]; /* of a periodic world; offsets fold at half of it. INFINITY: that axis does not repeat */
    dun_varied max_speed;
    dun_varied max_force;                   /* INFINITY: none */
    dun_varied weight;                      /* below 0 where the force is turned around */
    const float *position[3], *velocity[3]; /* the snapshot's */
    const uint32_t *id;
    float *force[3];          /* the kernel adds to it */
    dun_behave_others others; /* the target, or what is in the way */
    dun_behave_groups groups; /* where others.group is not NULL */
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

/* For the agents [0, count); kernel.h says how arrays are padded. */
typedef void dun_behave_fn(const dun_behave *behave, uint32_t count);

#endif
