/* SPDX-License-Identifier: MIT */
/*
 * The oracle: Dunlin's rules over all pairs in binary64, written from docs/numerics.md and not from the kernels.
 *
 * Offsets to neighbours are computed in binary32, as the contract says, and folded to the nearest image in a periodic world. So
 * is the decision which agents are seen. (oracle_offset_error() says how far such an offset may be from the exact one.)
 * Everything after that is binary64. An agent closer than 2^-63 pushes as if it were that far away (docs/numerics.md).
 *
 * Beside each sum stands the sum of its terms' absolute values: the rounding of a binary32 sum of n terms, added one by one, is
 * at most (n - 1)·u·Σ|terms| to first order, u = 2^-24, wherever its own value lies, even at 0.
 */
#ifndef DUNLIN_TESTS_ORACLE_H
#define DUNLIN_TESTS_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#define ORACLE_U 0x1p-24 /* half a unit in the last place of binary32, relative */

/* ---- sums over neighbours --------------------------------------------------------------------------------------------- */

typedef enum oracle_falloff { ORACLE_INVERSE, ORACLE_LINEAR, ORACLE_CONSTANT } oracle_falloff;
typedef enum oracle_rule { ORACLE_SEPARATION, ORACLE_ALIGNMENT, ORACLE_COHESION, ORACLE_RULES } oracle_rule;

/* The agents that may be seen, and the radii. */
typedef struct oracle_scene {
    int dimensions;
    bool periodic;
    uint32_t walled; /* axes, bit a each, along which a periodic world does not repeat */
    float size[3];
    uint32_t count;
    const float *position[3], *velocity[3];
    float radius[ORACLE_RULES]; /* by oracle_rule; 0: off */
    oracle_falloff falloff;
    bool ignore_coincident;
} oracle_scene;

typedef struct oracle_sum {
    double sum[3];
    double terms[3]; /* Σ|terms|; of a linear push each term counts as the two that it is the difference of */
    uint32_t count;  /* neighbours within the rule's radius, coincident ones included unless they are ignored */
} oracle_sum;

typedef struct oracle_view {
    oracle_sum rule[ORACLE_RULES];
    uint32_t seen;    /* within the widest radius */
    float nearest_d2; /* binary32; INFINITY: no agent is there */
} oracle_view;

#define ORACLE_NOBODY UINT32_MAX

/* The sums for an agent at `at`. self: its own slot in the scene, or ORACLE_NOBODY. */
oracle_view oracle_look(const oracle_scene *scene, const float at[3], uint32_t self);

/* The binary32 offset from `at` to an agent of the scene, and its squared length. */
float oracle_offset(const oracle_scene *scene, const float at[3], uint32_t agent, float delta[3]);

/* Whether the agent is within `radius` of `at`, by the contract's binary32 expression. */
bool oracle_sees(const oracle_scene *scene, const float at[3], uint32_t agent, float radius);

/* |binary32 offset - exact offset to that image| on an axis, in units of u times the numbers it is made from. */
double oracle_offset_error(const oracle_scene *scene, const float at[3], uint32_t agent, int axis);

/*
 * The c of |got - want| <= c·u·Σ|terms| that rounding can explain, for a sum of n terms in binary32: n - 1 for adding them up,
 * and each term's own operations. The longest chain is the linear push's: d² (3 roundings in 3D), √, times 1/R (itself
 * rounded), 1 - …, / d, times Δ. The error of d² is halved by the root but is met twice: 9 at most, and the others have fewer,
 * even where squares are denormal. One more covers the second order, for any n here.
 */
double oracle_bound(uint32_t terms);

/* ---- one agent's response and motion ---------------------------------------------------------------------------------- */

typedef struct oracle_response {
    int dimensions;
    bool steer, average, minus_velocity;
    double weight, max_speed, limit; /* limit: INFINITY: none */
    double in_turn;
} oracle_response;

/* Adds a rule's response to `force`. `size` receives the lengths it is made from, by which its rounding is measured. */
void oracle_respond(const oracle_response *rule, const float sum[3], int32_t count, const float velocity[3], double force[3],
                    double *size);

typedef struct oracle_motion {
    int dimensions;
    double time_step, force_scale, min_speed, max_speed, drag, friction;
    bool explicit_motion;
} oracle_motion;

/* Motion without an edge. `size` receives the lengths by which the velocity's rounding is measured. */
void oracle_move(const oracle_motion *motion, const float position[3], const float velocity[3], const float force[3],
                 double to_position[3], double to_velocity[3], double *size);

typedef enum oracle_edge { ORACLE_OPEN, ORACLE_PERIODIC, ORACLE_TELEPORT, ORACLE_OVERSHOOT, ORACLE_REFLECT } oracle_edge;

/* The position that the boundary gives an agent at x; *turns: its velocity is mirrored. */
double oracle_bound_axis(oracle_edge edge, double size, double margin, double x, bool *turns);

#endif
