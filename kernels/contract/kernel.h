/* SPDX-License-Identifier: MIT */
/*
 * A kernel is a set of SIMD inner loops. The same sources, kernel.c and what it includes, are compiled once per target. Each
 * lane is one agent: the kernel adds its neighbours one at a time, in range order, so every kernel gives the same bits.
 * docs/extending.md says how to add a kernel, docs/glossary.md what the words mean.
 *
 * Arrays are [axis][slot], and padded: a kernel may read and write up to DUN_PADDING elements past the last one that it is
 * asked for. What it finds there, even NaN, and what it writes there mean nothing.
 */
#ifndef DUNLIN_KERNELS_KERNEL_H
#define DUNLIN_KERNELS_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "spatial/ranges.h"
#include "kernels/contract/behave.h"

#define DUN_PADDING        16    /* elements; no kernel has more lanes */
#define DUN_CACHE_LINE     64    /* bytes; every array starts at a multiple */
#define DUN_MAX_COORDINATE 1e38f /* world units, of either sign: offsets are finite. No step is long enough to lead beyond */

/* ---- interact: sums over neighbours ----------------------------------------------------------------------------------- */

typedef enum dun_push { DUN_PUSH_NONE = 0, DUN_PUSH_INVERSE, DUN_PUSH_LINEAR, DUN_PUSH_CONSTANT } dun_push;

/* Which sums an interaction needs. Shapes that differ in more than separation have loops of their own. */
typedef struct dun_shape {
    int dimensions;
    dun_push separation;
    bool alignment;
    bool cohesion;
    bool nested;  /* alignment and cohesion share one radius, and separation's is no larger; else each rule has its own */
    bool nearest; /* and the distance to the nearest, for metrics */
    bool kin;     /* alignment and cohesion count an agent's own group only, and otherwise are nested; `nested` is off */
} dun_shape;

/* Which neighbours a rule counts, by their groups. */
typedef enum dun_kin { DUN_KIN_ALL = 0, DUN_KIN_SAME_GROUP, DUN_KIN_OTHER_GROUPS } dun_kin;

#define DUN_ALL_AROUND  -2.0f /* a dun_rule_selection.view below that of any angle */
#define DUN_MAX_NEAREST 32

/* Which neighbours one rule counts. */
typedef struct dun_rule_selection {
    float r2;     /* squared radius; < 0 where the rule is off */
    float min_r2; /* squared minimum radius: a neighbour within it does not count */
    float view;   /* c·|c| for c, the cosine of half the field of view; or DUN_ALL_AROUND */
    dun_kin kin;
} dun_rule_selection;

/* Which neighbours an interaction counts where the radii alone do not say it. Made by dun_selection_of(). */
typedef struct dun_selection {
    dun_rule_selection rule[3]; /* separation, alignment, cohesion. A neighbour that any of them counts is seen. A rule that is
                                   off has another's view */
    bool same;                  /* alignment and cohesion count every neighbour that is seen */
    bool plain;       /* `same`, all rules have one view, none counts kin, and there are no other conditions but `nearest`,
                         `max_neighbours` and, where the view is all around, ignore_coincident */
    uint32_t nearest; /* of those that are seen only so many, the nearest, up to DUN_MAX_NEAREST; 0: all */
    uint32_t max_neighbours; /* of those only so many, the first; 0: all */
} dun_selection;

/* ignore_coincident: that of the same interaction. */
dun_selection dun_selection_of(const dun_rule_selection rule[3], uint32_t nearest, uint32_t max_neighbours,
                               bool ignore_coincident);

/* Obstacles that hide neighbours. */
typedef struct dun_sight dun_sight;

/* One interaction in one frame. */
typedef struct dun_interact {
    dun_shape shape;
    const float *observer[3]; /* positions */
    const float *position[3]; /* of the observed */
    const float *velocity[3];
    float size[3];       /* of a periodic world; offsets fold at half of it */
    float max_r2;        /* the maximum of the rules' squared radii, scaled; a neighbour may be at exactly the radius */
    float separation_r2; /* < 0 where a rule is off */
    float alignment_r2;  /* read where not nested only, like cohesion_r2 */
    float cohesion_r2;
    float inverse_separation_radius;     /* DUN_PUSH_LINEAR only */
    bool own;                            /* observers and observed are the same snapshot: slot i is no neighbour of slot i */
    const float *radius_scale;           /* [slot] of each observer, > 0, a factor of all its radii; NULL: 1. Above 1 only
                                            for selections that are not plain */
    dun_kin separation_kin;              /* where the shape has kin */
    float kin_apart;                     /* likewise: a power of two, at least 1, whose square is above max_r2 */
    const float *observer_group, *group; /* of each observer and observed, never -0; where shape or selection counts kin */

    /* for selections only */
    const float *observer_velocity[3];
    const float *rule_scale[3]; /* [slot] likewise, a factor of one rule's radii; not for plain selections */
    bool ignore_coincident;
    const uint32_t *id; /* of the observed; for `nearest` and `min_id`, too */
    const dun_selection *selection;

    const dun_sight *sight; /* for `sight` only */
    const dun_near *near;   /* the kernel sets it: the obstacles near a packet */
} dun_interact;

/* Where a packet's sums go: those of lane l to element at + l of every column. */
typedef struct dun_sums {
    float *push[3];     /* sum of -Δ·f(d) */
    float *velocity[3]; /* sum of neighbours' velocities */
    float *offset[3];   /* sum of Δ */
    int32_t *seen;      /* neighbours, or those that the selection keeps */
    int32_t *aligned;   /* those that alignment counts; the same array as `seen` where nested */
    int32_t *cohered;
    float *nearest; /* the minimum of d²; above max_r2 if nothing is seen */
} dun_sums;

/* Sums over all ranges for a packet. Lanes beyond packet.count are written, too. */
typedef void dun_interact_fn(const dun_interact *interact, dun_packet packet, const dun_range *ranges, uint32_t range_count,
                             const dun_sums *sums, uint32_t at);

struct dun_sight {
    const dun_obstacle_bins *bins; /* of at least one obstacle */
    dun_interact_fn *clear;        /* sums where no obstacle is near */
    dun_selection selection;       /* the same neighbours, never `plain` */
};

/* For each lane the slot of the neighbour with the minimum id; UINT32_MAX: it has none. Observers and observed are different
 * species, and no rule is on: separation_r2 < 0. */
typedef void dun_min_id_fn(const dun_interact *interact, dun_packet packet, const dun_range *ranges, uint32_t range_count,
                           int32_t *slot);

/* Minimum and maximum of x[0 .. count), count >= 1. */
typedef void dun_min_max_fn(const float *x, uint32_t count, float ends[2]);

typedef struct dun_box {
    float of[3][2]; /* minimum and maximum, by axis */
} dun_box;

/* Lists the candidates of the ranges, in their order, for all observers in a box: those within max_r2 of the box. `slots` has
 * room for all of the ranges and a packet more. Returns how many they are. */
typedef uint32_t dun_candidates_fn(const dun_interact *interact, int dimensions, const dun_box *box, const dun_range *ranges,
                                   uint32_t range_count, int32_t *slots);

/* ---- respond: sums to forces ------------------------------------------------------------------------------------------ */

/* One rule's response of `count` agents. The kernel adds it to `force`. */
typedef struct dun_respond {
    int dimensions;
    bool steer;          /* Reynolds' steering; else the vector itself */
    bool unit;           /* if not steer: make it a unit vector */
    bool average;        /* if not steer: divide the sum by the count */
    bool minus_velocity; /* if not steer: subtract the agent's velocity */
    dun_varied weight;
    dun_varied max_speed; /* for steer only */
    dun_varied limit;     /* of the response's length; INFINITY: none */
    float in_turn;        /* the response sees velocity + in_turn·force for the agent's velocity; 0: the velocity itself */
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
    DUN_EDGE_REFLECT,
    DUN_EDGE_MIXED /* axes differ: see dun_integrate.edges */
} dun_edge;

typedef struct dun_integrate {
    int dimensions;
    dun_edge edge;
    dun_edge edges[3]; /* of each axis; DUN_EDGE_MIXED only */
    float size[3];
    float margin;
    float time_step;
    float force_scale; /* time_step, or 1 where forces are increments */
    float min_speed;
    dun_varied max_speed; /* takes precedence over min_speed */
    const float *mass;    /* divides forces; NULL: 1 */
    float keep;           /* 1 - drag */
    float friction;       /* speed that a step takes at last, down to 0 */
    bool explicit_motion;
    const float *position[3], *velocity[3], *force[3]; /* the snapshot, and forces */
    float *to_position[3], *to_velocity[3];            /* may be the same arrays as position and velocity */
} dun_integrate;

/* For the agents [0, count). */
typedef void dun_integrate_fn(const dun_integrate *integrate, uint32_t count);

/* The numbers of the cells of the agents [0, count). */
typedef void dun_number_fn(const dun_cells *cells, const float *const position[3], uint32_t count, uint32_t *number);

/* ---- touch: which agents may hit an obstacle -------------------------------------------------------------------------- */

typedef struct dun_touch {
    const dun_obstacle_bins *bins; /* of at least one obstacle */
    float radius;                  /* the agents' */
    const float *from[3], *to[3];  /* positions before and after a step */
} dun_touch;

/* Lists the agents of [0, count), ascending, that may touch an obstacle on their way: all that do, and some that do not. */
typedef uint32_t dun_touch_fn(const dun_touch *touch, uint32_t count, int32_t *touched);

/* ---- measure: sums over agents in binary64, the same bits in every kernel ------------------------------------------------ */

enum { DUN_BLOCK = 256 }; /* agents */

/* The whole numbers below count so many units of 1. */
#define DUN_UNIT_EXPONENT -50

/* The agents whose motion is measured. */
typedef struct dun_motion {
    int dimensions;
    const float *position[3], *velocity[3];
    double centre[3];
    double size[3]; /* of a periodic world, where offsets fold at half of it; 0: of another */
    double min_r2;  /* an agent whose squared distance from the centre is not above has no direction from it */
} dun_motion;

/* r: the offset from the centre, v: the velocity; sums over a block in units, and what is left to add up. */
typedef struct dun_motion_sums {
    int64_t heading[3];                              /* v/|v| */
    int64_t turning[3];                              /* r × v/|r||v| */
    double speed[DUN_BLOCK], momentum[3][DUN_BLOCK]; /* r × v. In 2D only the last component is written, here and above */
} dun_motion_sums;

/* Of the agents [first, first + count), at most DUN_BLOCK. */
typedef void dun_motion_fn(const dun_motion *motion, uint32_t first, uint32_t count, dun_motion_sums *sums);

/* Sums of the cosine and the sine, in units, of 2·pi·x/size; 0 <= x <= size. At most 2^12 numbers. */
typedef void dun_circle_fn(const float *x, uint32_t count, double size, int64_t sums[2]);

/* The roots of the numbers up to the maximum, and 0 for the others. Returns how many are up to the maximum. */
typedef uint32_t dun_distances_fn(const float *d2, uint32_t count, float max_d2, double *distances);

/* The minimum squared distance from an agent to any other in the ranges, all of its own species; INFINITY: there is no other.
 */
typedef float dun_alone_fn(const dun_interact *interact, int dimensions, uint32_t agent, const dun_range *ranges,
                           uint32_t range_count);

/* The sum of up to DUN_BLOCK terms as high·2^high_exponent + low·2^low_exponent, which is exact if `whole`. */
typedef struct dun_parts {
    bool whole;
    int64_t high, low;
    int high_exponent, low_exponent;
} dun_parts;

typedef void dun_parts_fn(const double *terms, uint32_t count, dun_parts *parts);

/* Agents and their groups. */
typedef struct dun_grouped {
    int dimensions;
    const float *position[3], *velocity[3], *group;
    float last;                      /* the number of the last group */
    const float *leader[3];          /* by group: where its leader is */
    float size[3];                   /* of a periodic world, where offsets fold at half of it; 0: of another */
    double per_offset, per_velocity; /* powers of two: units in a world unit, and in one of velocity */
    bool headings;                   /* are wanted, too */
} dun_grouped;

/* What each agent adds to the sums over its group: its offset from the leader and its velocity, in units, rounded; its heading,
 * in units of 2^-30. At most 2^30 units. */
typedef struct dun_group_terms {
    int32_t offset[3][DUN_BLOCK], velocity[3][DUN_BLOCK], heading[3][DUN_BLOCK];
} dun_group_terms;

/* Of the agents [first, first + count), at most DUN_BLOCK. */
typedef void dun_group_terms_fn(const dun_grouped *grouped, uint32_t first, uint32_t count, dun_group_terms *terms);

/* ---- hash ------------------------------------------------------------------------------------------------------------- */

/* The finaliser of splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static inline uint64_t dun_mix(uint64_t a) {
    a = (a ^ (a >> 30)) * 0xbf58476d1ce4e5b9u;
    a = (a ^ (a >> 27)) * 0x94d049bb133111ebu;
    return a ^ (a >> 31);
}

enum { DUN_MAX_HASHED = 16 };

/* Agents of one species. */
typedef struct dun_hashed {
    uint32_t species;
    const uint32_t *id;
    int columns;
    const float *column[DUN_MAX_HASHED];
} dun_hashed;

/* The sum of the hashes of `count` agents: of the species, the id and the numbers, each mixed into the hash so far. */
typedef uint64_t dun_hash_fn(const dun_hashed *hashed, uint32_t count);

/* ---- the kernel ------------------------------------------------------------------------------------------------------- */

typedef struct dun_kernel {
    const char *name;
    uint32_t lanes;
    dun_interact_fn *(*interact)(const dun_shape *shape);
    dun_interact_fn *const *select; /* [dimensions - 2] sums over what dun_interact.selection keeps, for any shape */
    /* [dimensions - 2] the nearest neighbour, of equally distant ones that with the minimum id: its velocity and offset, and in
     * `seen` whether there is one. Takes packets of any length. */
    dun_interact_fn *const *nearest;
    /* [dimensions - 2] sums over the neighbours that no obstacle hides. Takes packets of any length. */
    dun_interact_fn *const *sight;
    dun_min_id_fn *min_id;
    dun_min_max_fn *min_max;
    dun_candidates_fn *candidates;
    dun_respond_fn *respond;
    dun_integrate_fn *integrate;
    dun_behave_fn *const *behave; /* [DUN_BEHAVE_COUNT] */
    dun_touch_fn *touch;
    dun_number_fn *number;
    dun_integrate_fn *bound; /* applies the edge only, in place, to to_position and to_velocity */
    dun_motion_fn *motion;
    dun_circle_fn *circle;
    dun_distances_fn *distances;
    dun_alone_fn *nearest_of;
    dun_parts_fn *parts;
    dun_group_terms_fn *group_terms;
    dun_hash_fn *hash;
} dun_kernel;

/* ---- the registry ----------------------------------------------------------------------------------------------------- */

/* Slow before fast. `position`: 0 .. dun_kernels_count() - 1. */
int dun_kernels_count(void);
const dun_kernel *dun_kernels_at(int position);
const char *dun_kernels_description(int position);
bool dun_kernels_runs_here(int position);

/* Whether `auto` may take it: it runs here, and is not the reference. */
bool dun_kernels_contends(int position);

/* The position of the kernel of that name, whether or not it runs here; of "auto" that of the kernel to begin with; -1:
 * unknown. */
int dun_kernels_find(const char *name);

#endif
