/* SPDX-License-Identifier: MIT */
/*
 * Models from the literature, each a callback on the public interface (DUNLIN_BEHAVIOUR_PAIRS): what Dunlin is held to in
 * docs/validation.md, and worked examples of interactions of one's own. A model sets velocities: it adds the force that makes
 * of an agent's velocity the model's, so there should be no other forces, no drag and no mass but 1, and the species' limits of
 * speed should allow its speeds.
 *
 * An agent's answer is a function of the snapshot, the seed, its id and the step, so it has the same bits whatever the threads
 * and kernels.
 */
#ifndef DUNLIN_HARNESS_MODEL_H
#define DUNLIN_HARNESS_MODEL_H

#include <dunlin/dunlin.h>

/*
 * T. Vicsek et al., Phys. Rev. Lett. 75, 1226 (1995). The new heading is that of the sum of the velocities of everyone within
 * the radius, oneself included, turned by an angle drawn evenly from [-noise/2, noise/2]. In the plane; the speed is the
 * species' max_speed. They move with the old velocity where the world's integrator is explicit.
 */
typedef struct model_vicsek {
    float radius; /* world units, 1e-9 .. 1e9 */
    float noise;  /* radians, 0 .. 2 pi */
} model_vicsek;

/*
 * I. D. Couzin et al., J. Theor. Biol. 218, 1 (2002). With r the unit vectors to others and v theirs: is anyone within
 * `repulsion`, d = -sum r; otherwise, of those who are not in the blind cone behind, d = sum v of those within `orientation` of
 * that, sum r of those within `attraction` of the latter, or, where there are both, half of both sums; without any, d = v. d is
 * turned by an angle that is close to normal with the deviation `noise`, in any direction, and the agent turns to it, by no
 * more than turning·time_step. The speed is the species' max_speed. Formulas 1 to 3 of the paper; its zone of repulsion has no
 * blind cone.
 */
typedef struct model_couzin {
    float repulsion;   /* world units, > 0: the zone's radius */
    float orientation; /* world units, >= 0: how far that zone goes on beyond the one before */
    float attraction;  /* world units, >= 0: likewise. All three together: 1e-9 .. 1e9 */
    float blind;       /* degrees, 0 .. 360: the cone's whole angle */
    float turning;     /* degrees a time unit, 0 .. 1e6 */
    float noise;       /* radians, 0 .. 10 */
} model_couzin;

/*
 * R. Chisholm, P. Richmond and S. Maddock, "A standardised benchmark for assessing the performance of fixed radius near
 * neighbours" (Euro-Par 2016), as FLAME GPU 2 runs it: in space, an agent's place moves by the mean over all who are at a
 * distance 0 < s < radius of strength·sin(-2·3.141·s/radius) times the unit vector to them. Its velocity is that displacement
 * in a time step.
 */
typedef struct model_circles {
    float radius;   /* world units, 1e-9 .. 1e9 */
    float strength; /* world units a time step, -1e6 .. 1e6 */
} model_circles;

/*
 * The flocking model with which agent-based modelling frameworks are compared (Agents.jl, Mesa, NetLogo, MASON). Over the n
 * others within the radius: v + (cohere·sum Δ - separate·sum of the Δ shorter than distance + match·sum of their velocities) /
 * n, at length max_speed.
 */
typedef struct model_matching {
    float radius;                  /* world units, 1e-9 .. 1e9 */
    float distance;                /* world units, 0 .. 1e9 */
    float cohere, separate, match; /* -1e6 .. 1e6 */
} model_matching;

typedef enum model_kind { MODEL_VICSEK, MODEL_COUZIN, MODEL_CIRCLES, MODEL_MATCHING, MODEL_KINDS } model_kind;

/* What a model's callback reads. It must stay where it is as long as the world has its behaviour. */
typedef struct model {
    model_kind kind;
    union {
        model_vicsek vicsek;
        model_couzin couzin;
        model_circles circles;
        model_matching matching;
    };
    /* of the world and the species; set by model_put() */
    uint64_t seed;
    float speed;
    float time_step;
    float per_change; /* force that changes a velocity by 1 */
} model;

/*
 * Adds the model's behaviour to a species, or sets it, where the world has a behaviour of that number. Call it again where the
 * world's or the species' definition has changed. What is out of range is an error that names a field of `model`.
 */
dunlin_result model_put(dunlin_world *world, int species, int behaviour, model *m, dunlin_error *error);

#endif
