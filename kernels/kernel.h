/* SPDX-License-Identifier: MIT */
/*
 * A kernel is a set of SIMD inner loops, compiled once an instruction set from kernel.c. Lanes are agents: a lane's sums are
 * added up one neighbour at a time, in run order, so every strict kernel gives the same bits. docs/kernels_howto.md says how to
 * add one.
 *
 * Arrays are [axis][slot], and padded: a kernel may read and write DUNLIN_PADDING elements past the last one it was asked
 * for, whatever is there (even NaN) and whatever it computes from it.
 */
#ifndef DUNLIN_KERNELS_KERNEL_H
#define DUNLIN_KERNELS_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "../spatial/runs.h"
#include "behave.h"
#include "varied.h"

#define DUNLIN_PADDING 16   /* elements; no kernel has more lanes */
#define DUNLIN_CACHE_LINE 64 /* bytes, of every array's start */
#define DUNLIN_FARTHEST 1e38f /* world units, of any coordinate: offsets are finite. No step is long enough to lead beyond */

/* ---- interact: sums over neighbours ----------------------------------------------------------------------------------- */

typedef enum dunlin_push { DUNLIN_PUSH_NONE = 0, DUNLIN_PUSH_INVERSE, DUNLIN_PUSH_LINEAR, DUNLIN_PUSH_CONSTANT } dunlin_push;

/* Which sums there are; each combination has a loop of its own. */
typedef struct dunlin_shape {
    int dimensions;
    dunlin_push separation;
    bool alignment;
    bool cohesion;
    bool nested; /* alignment and cohesion have one radius, separation no wider one; otherwise every rule has its own */
} dunlin_shape;

#define DUNLIN_ALL_AROUND -2.0f /* of dunlin_sight.view: below any cosine's square */
#define DUNLIN_MOST_NEAREST 32

/* Whom a rule counts. */
typedef struct dunlin_sight {
    float r2;     /* squared radius; < 0 where the rule is off */
    float min_r2; /* squared: whoever is nearer is not counted */
    float view;   /* c·|c|, c the cosine of half the field of view; or DUNLIN_ALL_AROUND */
} dunlin_sight;

/* Whom an interaction counts where the radii do not say it all. Made by dunlin_selection_of(). */
typedef struct dunlin_selection {
    dunlin_sight rule[3]; /* separation, alignment, cohesion; where off, its view is another's. Whoever is in one is seen */
    bool same;            /* alignment and cohesion count everyone who is seen */
    bool plain;           /* `same`, all rules with one view, and nothing else is asked, but how many are nearest */
    uint32_t nearest;     /* only so many of those who are seen, the nearest; 0: all, at most DUNLIN_MOST_NEAREST */
    uint32_t most;        /* only so many of those, the first; 0: all */
} dunlin_selection;

/* ignore_coincident: of the same interaction. */
dunlin_selection dunlin_selection_of(const dunlin_sight rule[3], uint32_t nearest, uint32_t most, bool ignore_coincident);

/* One interaction in one frame. */
typedef struct dunlin_interact {
    dunlin_shape shape;
    const float *observer[3]; /* positions */
    const float *position[3]; /* of the observed */
    const float *velocity[3];
    float size[3];           /* of a periodic world; folds at half of it */
    float widest_r2;         /* squared radii; a neighbour at exactly the radius is seen */
    float separation_r2;     /* < 0 where a rule is off */
    float alignment_r2;      /* not nested only, like cohesion_r2 */
    float cohesion_r2;
    float inverse_separation_radius; /* DUNLIN_PUSH_LINEAR only */
    bool own;                        /* observers and observed are the same snapshot: slot i does not see slot i */
    bool ignore_coincident;
    const float *radius_scale;       /* of each observer, > 0, <= 1: its radii are so much shorter; NULL: 1 */
    const float *observer_velocity[3]; /* this and the following are for select functions; id for closest too */
    const uint32_t *id;                /* of the observed */
    const dunlin_selection *selection;
} dunlin_interact;

/* Where a group's sums go: lane l of the group to element at + l of every column. */
typedef struct dunlin_sums {
    float *push[3];          /* sum of -Δ·f(d) */
    float *velocity[3];      /* sum of neighbours' velocities */
    float *offset[3];        /* sum of Δ */
    int32_t *seen;           /* neighbours within the widest radius; of a selection, those who are seen */
    int32_t *aligned;        /* neighbours within alignment's radius; the same array as `seen` where nested */
    int32_t *cohered;
} dunlin_sums;

/* Sums over all runs for a group. Lanes beyond group.count are written too. */
typedef void dunlin_interact_fn(const dunlin_interact *interact, dunlin_group group, const dunlin_run *runs, uint32_t run_count,
                                const dunlin_sums *sums, uint32_t at);

/* The nearest neighbour's squared distance (INFINITY: none) and the neighbours within widest_r2, over all runs. */
typedef void dunlin_nearest_fn(const dunlin_interact *interact, dunlin_group group, const dunlin_run *runs, uint32_t run_count,
                               float *nearest_d2, int32_t *seen);

/* The slot of the one with the lowest id of those within widest_r2, over all runs, for each lane; UINT32_MAX: there is nobody.
 * Observers and observed are not the same, and no rule is on: separation_r2 < 0. */
typedef void dunlin_lowest_fn(const dunlin_interact *interact, dunlin_group group, const dunlin_run *runs, uint32_t run_count,
                              int32_t *slot);

/* The least and the greatest of x[0 .. count), count >= 1. */
typedef void dunlin_span_fn(const float *x, uint32_t count, float ends[2]);

typedef struct dunlin_corners {
    float of[3][2]; /* of a box: low and high, an axis */
} dunlin_corners;

/* Lists those of a run, ascending, who are within widest_r2 of somewhere in a box, and so all whom any observer in there sees.
 * `slots` has room for the whole run and a group more. */
typedef uint32_t dunlin_nearby_fn(const dunlin_interact *interact, int dimensions, const dunlin_corners *corners, dunlin_run run,
                                  int32_t *slots);

/* ---- respond: sums to forces ------------------------------------------------------------------------------------------ */

/* One rule's response for `count` agents, added to `force`. */
typedef struct dunlin_respond {
    int dimensions;
    bool steer;           /* Reynolds' steering; else the vector itself */
    bool unit;            /* not steer: at length 1 */
    bool average;         /* not steer: divide the sum by the count */
    bool minus_velocity;  /* not steer: subtract the agent's velocity */
    dunlin_varied weight;
    dunlin_varied max_speed; /* steer only */
    dunlin_varied limit;     /* of the response's length; INFINITY: none */
    float in_turn;        /* the agent's velocity is taken as velocity + in_turn * force so far; 0: as it is */
    const float *sum[3];
    const int32_t *seen;  /* neighbours in the sum */
    const float *velocity[3];
    float *force[3];
} dunlin_respond;

typedef void dunlin_respond_fn(const dunlin_respond *respond, uint32_t count);

/* ---- integrate: forces to motion -------------------------------------------------------------------------------------- */

typedef enum dunlin_edge { DUNLIN_EDGE_OPEN = 0, DUNLIN_EDGE_PERIODIC, DUNLIN_EDGE_TELEPORT, DUNLIN_EDGE_OVERSHOOT, DUNLIN_EDGE_REFLECT } dunlin_edge;

typedef struct dunlin_integrate {
    int dimensions;
    dunlin_edge edge;
    float size[3];
    float margin;
    float time_step;
    float force_scale; /* time_step, or 1 where forces are increments */
    float min_speed;
    dunlin_varied max_speed; /* where it is below min_speed, it counts */
    const float *mass;       /* forces are divided by it; NULL: 1 */
    float keep;              /* 1 - drag */
    bool explicit_motion;
    const float *position[3], *velocity[3], *force[3]; /* the snapshot, and forces */
    float *to_position[3], *to_velocity[3];            /* may be the same arrays as position and velocity */
} dunlin_integrate;

/* For the agents [0, count). */
typedef void dunlin_integrate_fn(const dunlin_integrate *integrate, uint32_t count);

/* ---- touch: who may come to an obstacle ------------------------------------------------------------------------------- */

typedef struct dunlin_touch {
    const dunlin_obstacle_bins *bins; /* of one obstacle at least */
    float radius;                     /* the agents' */
    const float *from[3], *to[3];     /* positions before and after a step */
} dunlin_touch;

/* Lists the agents of [0, count), ascending, whose step comes near an obstacle: all who touch one, and some who do not. */
typedef uint32_t dunlin_touch_fn(const dunlin_touch *touch, uint32_t count, int32_t *touched);

/* ---- the kernel ------------------------------------------------------------------------------------------------------- */

typedef struct dunlin_kernel {
    const char *name;
    uint32_t lanes;
    bool strict;
    dunlin_interact_fn *(*interact)(const dunlin_shape *shape);
    dunlin_interact_fn *const *select; /* [dimensions - 2]: as dunlin_interact.selection says, any shape */
    dunlin_interact_fn *const *closest; /* [dimensions - 2]: of those within widest_r2 the nearest, of several the lowest id: its
                                           velocity, offset, and whether there is one. Its group may be of any length */
    dunlin_nearest_fn *(*nearest)(int dimensions);
    dunlin_lowest_fn *lowest;
    dunlin_span_fn *span;
    dunlin_nearby_fn *nearby;
    dunlin_respond_fn *respond;
    dunlin_integrate_fn *integrate;
    dunlin_behave_fn *const *behave; /* [DUNLIN_BEHAVE_COUNT] */
    dunlin_touch_fn *touch;
    dunlin_integrate_fn *bound; /* only applies the edge, in place, to to_position and to_velocity */
} dunlin_kernel;

/* ---- the registry ----------------------------------------------------------------------------------------------------- */

/* Narrow before wide. `position`: 0 .. dunlin_kernels_count() - 1. */
int dunlin_kernels_count(void);
const dunlin_kernel *dunlin_kernels_at(int position);
const char *dunlin_kernels_description(int position);
bool dunlin_kernels_runs_here(int position);

/* The position of the kernel of that name, whether or not it runs here; "auto": the widest strict one that does. -1: unknown. */
int dunlin_kernels_find(const char *name);

#endif
