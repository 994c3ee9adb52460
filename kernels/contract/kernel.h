/* SPDX-License-Identifier: MIT */
/*
 * A kernel is a set of SIMD inner loops, compiled once an instruction set from kernel.c. Lanes are agents: a lane's sums are
 * added up one neighbour at a time, in run order, so every kernel gives the same bits. docs/kernels_howto.md says how to
 * add one.
 *
 * Arrays are [axis][slot], and padded: a kernel may read and write DUN_PADDING elements past the last one it was asked
 * for, whatever is there (even NaN) and whatever it computes from it.
 */
#ifndef DUNLIN_KERNELS_KERNEL_H
#define DUNLIN_KERNELS_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "spatial/runs.h"
#include "kernels/contract/behave.h"
#include "kernels/contract/varied.h"

#define DUN_PADDING    16    /* elements; no kernel has more lanes */
#define DUN_CACHE_LINE 64    /* bytes, of every array's start */
#define DUN_FARTHEST   1e38f /* world units, of any coordinate: offsets are finite. No step is long enough to lead beyond */

/* ---- interact: sums over neighbours ----------------------------------------------------------------------------------- */

typedef enum dun_push { DUN_PUSH_NONE = 0, DUN_PUSH_INVERSE, DUN_PUSH_LINEAR, DUN_PUSH_CONSTANT } dun_push;

/* Which sums there are; each combination has a loop of its own. */
typedef struct dun_shape {
    int dimensions;
    dun_push separation;
    bool alignment;
    bool cohesion;
    bool nested; /* alignment and cohesion have one radius, separation no wider one; otherwise every rule has its own */
} dun_shape;

#define DUN_ALL_AROUND   -2.0f /* of dun_sight.view: below any cosine's square */
#define DUN_MOST_NEAREST 32

/* Whom a rule counts. */
typedef struct dun_sight {
    float r2;     /* squared radius; < 0 where the rule is off */
    float min_r2; /* squared: whoever is nearer is not counted */
    float view;   /* c·|c|, c the cosine of half the field of view; or DUN_ALL_AROUND */
} dun_sight;

/* Whom an interaction counts where the radii do not say it all. Made by dun_selection_of(). */
typedef struct dun_selection {
    dun_sight rule[3]; /* separation, alignment, cohesion; where off, its view is another's. Whoever is in one is seen */
    bool same;         /* alignment and cohesion count everyone who is seen */
    bool plain; /* `same`, all rules with one view, and nothing else is asked but how many are nearest or, where the view is
                   all around, whether they are coincident */
    uint32_t nearest; /* only so many of those who are seen, the nearest; 0: all, at most DUN_MOST_NEAREST */
    uint32_t most;    /* only so many of those, the first; 0: all */
} dun_selection;

/* ignore_coincident: of the same interaction. */
dun_selection dun_selection_of(const dun_sight rule[3], uint32_t nearest, uint32_t most, bool ignore_coincident);

/* One interaction in one frame. */
typedef struct dun_interact {
    dun_shape shape;
    const float *observer[3]; /* positions */
    const float *position[3]; /* of the observed */
    const float *velocity[3];
    float size[3];       /* of a periodic world; folds at half of it */
    float widest_r2;     /* squared radii; a neighbour at exactly the radius is seen */
    float separation_r2; /* < 0 where a rule is off */
    float alignment_r2;  /* not nested only, like cohesion_r2 */
    float cohesion_r2;
    float inverse_separation_radius; /* DUN_PUSH_LINEAR only */
    bool own;                        /* observers and observed are the same snapshot: slot i does not see slot i */
    bool ignore_coincident;
    const float *radius_scale;         /* of each observer, > 0, <= 1: its radii are so much shorter; NULL: 1 */
    const float *observer_velocity[3]; /* this and the following are for select functions; id for closest too */
    const uint32_t *id;                /* of the observed */
    const dun_selection *selection;
} dun_interact;

/* Where a group's sums go: lane l of the group to element at + l of every column. */
typedef struct dun_sums {
    float *push[3];     /* sum of -Δ·f(d) */
    float *velocity[3]; /* sum of neighbours' velocities */
    float *offset[3];   /* sum of Δ */
    int32_t *seen;      /* neighbours within the widest radius; of a selection, those who are seen */
    int32_t *aligned;   /* neighbours within alignment's radius; the same array as `seen` where nested */
    int32_t *cohered;
} dun_sums;

/* Sums over all runs for a group. Lanes beyond group.count are written too. */
typedef void dun_interact_fn(const dun_interact *interact, dun_group group, const dun_run *runs, uint32_t run_count,
                             const dun_sums *sums, uint32_t at);

/* The slot of the one with the lowest id of those within widest_r2, over all runs, for each lane; UINT32_MAX: there is nobody.
 * Observers and observed are not the same, and no rule is on: separation_r2 < 0. */
typedef void dun_lowest_fn(const dun_interact *interact, dun_group group, const dun_run *runs, uint32_t run_count,
                           int32_t *slot);

/* The least and the greatest of x[0 .. count), count >= 1. */
typedef void dun_span_fn(const float *x, uint32_t count, float ends[2]);

typedef struct dun_corners {
    float of[3][2]; /* of a box: low and high, an axis */
} dun_corners;

/* Lists those of a run, ascending, who are within widest_r2 of somewhere in a box, and so all whom any observer in there sees.
 * `slots` has room for the whole run and a group more. */
typedef uint32_t dun_nearby_fn(const dun_interact *interact, int dimensions, const dun_corners *corners, dun_run run,
                               int32_t *slots);

/* ---- respond: sums to forces ------------------------------------------------------------------------------------------ */

/* One rule's response for `count` agents, added to `force`. */
typedef struct dun_respond {
    int dimensions;
    bool steer;          /* Reynolds' steering; else the vector itself */
    bool unit;           /* not steer: at length 1 */
    bool average;        /* not steer: divide the sum by the count */
    bool minus_velocity; /* not steer: subtract the agent's velocity */
    dun_varied weight;
    dun_varied max_speed; /* steer only */
    dun_varied limit;     /* of the response's length; INFINITY: none */
    float in_turn;        /* the agent's velocity is taken as velocity + in_turn * force so far; 0: as it is */
    const float *sum[3];
    const int32_t *seen; /* neighbours in the sum */
    const float *velocity[3];
    float *force[3];
} dun_respond;

typedef void dun_respond_fn(const dun_respond *respond, uint32_t count);

/* ---- integrate: forces to motion -------------------------------------------------------------------------------------- */

typedef enum dun_edge {
    DUN_EDGE_OPEN = 0,
    DUN_EDGE_PERIODIC,
    DUN_EDGE_TELEPORT,
    DUN_EDGE_OVERSHOOT,
    DUN_EDGE_REFLECT
} dun_edge;

typedef struct dun_integrate {
    int dimensions;
    dun_edge edge;
    float size[3];
    float margin;
    float time_step;
    float force_scale; /* time_step, or 1 where forces are increments */
    float min_speed;
    dun_varied max_speed; /* where it is below min_speed, it counts */
    const float *mass;    /* forces are divided by it; NULL: 1 */
    float keep;           /* 1 - drag */
    bool explicit_motion;
    const float *position[3], *velocity[3], *force[3]; /* the snapshot, and forces */
    float *to_position[3], *to_velocity[3];            /* may be the same arrays as position and velocity */
} dun_integrate;

/* For the agents [0, count). */
typedef void dun_integrate_fn(const dun_integrate *integrate, uint32_t count);

/* ---- touch: who may come to an obstacle ------------------------------------------------------------------------------- */

typedef struct dun_touch {
    const dun_obstacle_bins *bins; /* of one obstacle at least */
    float radius;                  /* the agents' */
    const float *from[3], *to[3];  /* positions before and after a step */
} dun_touch;

/* Lists the agents of [0, count), ascending, whose step comes near an obstacle: all who touch one, and some who do not. */
typedef uint32_t dun_touch_fn(const dun_touch *touch, uint32_t count, int32_t *touched);

/* ---- the kernel ------------------------------------------------------------------------------------------------------- */

typedef struct dun_kernel {
    const char *name;
    uint32_t lanes;
    dun_interact_fn *(*interact)(const dun_shape *shape);
    dun_interact_fn *const *select;  /* [dimensions - 2]: as dun_interact.selection says, any shape */
    dun_interact_fn *const *closest; /* [dimensions - 2]: of those within widest_r2 the nearest, of several the lowest id: its
                                           velocity, offset, and whether there is one. Its group may be of any length */
    dun_lowest_fn *lowest;
    dun_span_fn *span;
    dun_nearby_fn *nearby;
    dun_respond_fn *respond;
    dun_integrate_fn *integrate;
    dun_behave_fn *const *behave; /* [DUN_BEHAVE_COUNT] */
    dun_touch_fn *touch;
    dun_integrate_fn *bound; /* only applies the edge, in place, to to_position and to_velocity */
} dun_kernel;

/* ---- the registry ----------------------------------------------------------------------------------------------------- */

/* Slow before fast. `position`: 0 .. dun_kernels_count() - 1. */
int dun_kernels_count(void);
const dun_kernel *dun_kernels_at(int position);
const char *dun_kernels_description(int position);
bool dun_kernels_runs_here(int position);

/* The position of the kernel of that name, whether or not it runs here; "auto": the fastest that does. -1: unknown. */
int dun_kernels_find(const char *name);

#endif
