/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_ENGINE_INTERACTION_H
#define DUNLIN_ENGINE_INTERACTION_H

#include "engine/world/edges.h"
#include "engine/world/world.h"

/* What a checked definition amounts to. */
dun_interaction dun_interaction_of(const dunlin_world *world, const dunlin_interaction_def *def);

/* Makes all interactions again: attributes may have come after those that they scale. */
void dun_interactions_scale(dunlin_world *world);

/* The kernel's function for it. */
static inline dun_interact_fn *dun_interact_by(const dun_kernel *kernel, const dun_interaction *interaction) {
    const int shape = interaction->shape.dimensions - 2;
    if (interaction->sums_over == DUN_SUMS_NEAREST) return kernel->nearest[shape];
    return interaction->sums_over == DUN_SUMS_SELECTED ? kernel->select[shape] : kernel->interact(&interaction->shape);
}

/* The kernel's view of observers and observed agents in a snapshot. The caller adds shape and radii. */
static inline dun_interact dun_interact_between(const dunlin_world *world, const dun_agents *observer,
                                                const dun_agents *observed) {
    dun_interact job = {.own = observer == observed, .id = observed->id};
    for (int a = 0; a < world->def.dimensions; a++) {
        job.observer[a] = observer->position[a];
        job.observer_velocity[a] = observer->velocity[a];
        job.position[a] = observed->position[a];
        job.velocity[a] = observed->velocity[a];
        job.size[a] = dun_fold_size(&world->def, a);
    }
    return job;
}

/* A radius squared; -1 for a rule that is off, since no squared distance is below 0. */
static inline float dun_squared_radius(float radius) {
    return radius > 0.0f ? radius * radius : -1.0f;
}

#endif
