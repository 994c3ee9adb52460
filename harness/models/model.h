/* SPDX-License-Identifier: MIT */
/*
 * Models from the literature, each a callback on the public interface (DUNLIN_BEHAVIOUR_PAIRS). docs/validation.md compares
 * them with their published figures; they are also examples of interactions of your own. A model sets velocities: it adds the
 * force that turns an agent's velocity into the model's. So there should be no other forces, no drag or friction and no mass
 * but 1, and the species' limits should allow the model's speeds.
 *
 * An agent's velocity is a function of the snapshot, the seed, its id and the step, so it has the same bits for all threads and
 * kernels.
 */
#ifndef DUNLIN_HARNESS_MODEL_H
#define DUNLIN_HARNESS_MODEL_H

#include <dunlin/dunlin.h>

/*
 * T. Vicsek et al., Phys. Rev. Lett. 75, 1226 (1995), in the plane. The new heading is that of the sum of the velocities of all
 * agents within the radius, the agent itself included, turned by a uniform random angle in [-noise/2, noise/2]. The speed is
 * the species' max_speed. If the world's integrator is explicit, agents move with the old velocity.
 */
typedef struct model_vicsek {
    float radius; /* world units, 1e-9 .. 1e9 */
    float noise;  /* radians, 0 .. 2 pi */
} model_vicsek;

/*
 * I. D. Couzin et al., J. Theor. Biol. 218, 1 (2002), formulas 1 to 3. Let r be the unit vectors to other agents and v their
 * headings. If any agent is in the zone of repulsion, d = -sum r over that zone, which has no blind cone. Otherwise, over
 * agents that are not in the blind cone behind, d = sum v over the zone of orientation, or sum r over the zone of attraction,
 * or half of both sums if there are agents in both; without any, d is the agent's own heading. d is turned in a random
 * direction by a nearly normal angle with the deviation `noise`, and the agent turns towards it by at most turning·time_step.
 * The speed is the species' max_speed.
 */
typedef struct model_couzin {
    float repulsion;   /* world units, > 0: the zone's radius */
    float orientation; /* world units, >= 0: width of the zone beyond that of repulsion */
    float attraction;  /* world units, >= 0: width of the zone beyond that of orientation. The sum of the three: 1e-9 .. 1e9 */
    float blind;       /* degrees, 0 .. 360: the cone's whole angle */
    float turning;     /* degrees per time unit, 0 .. 1e6 */
    float noise;       /* radians, 0 .. 10 */
} model_couzin;

/*
 * R. Chisholm, P. Richmond and S. Maddock, "A standardised benchmark for assessing the performance of fixed radius near
 * neighbours" (Euro-Par 2016), as FLAME GPU 2 runs it, in space: an agent moves by the mean, over all agents at a distance 0 <
 * s < radius, of strength·sin(-2·3.141·s/radius) times the unit vector to them. Its velocity is that displacement per time
 * step.
 */
typedef struct model_circles {
    float radius;   /* world units, 1e-9 .. 1e9 */
    float strength; /* world units per time step, -1e6 .. 1e6 */
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

/* What a model's callback reads. It must not move as long as the world has its behaviour. */
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

    /* of Couzin's zones: squared radii; seen where the cosine between heading and offset is at least this */
    float repulsion2, orientation2, attraction2, blind_cosine;
} model;

/* The callback of the model's behaviour, for a world that is created from a checkpoint. Its user is the model. */
dunlin_packet_fn *model_callback(model_kind kind);

/*
 * Adds the model's behaviour to a species, or replaces the world's behaviour of that number. Call it again after the definition
 * of the world or the species has changed. A value out of range is an error that names a field of `model`.
 */
dunlin_result model_put(dunlin_world *world, int species, int behaviour, model *m, dunlin_error *error);

#endif
