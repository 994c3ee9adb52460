/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_ENGINE_INTERACTION_H
#define DUNLIN_ENGINE_INTERACTION_H

#include "engine/world/world.h"

/* What a checked definition amounts to. */
dun_interaction dun_interaction_of(const dunlin_world *world, const dunlin_interaction_def *def);

/* A radius squared; -1 for a rule that is off, since no squared distance is below 0. */
static inline float dun_squared_radius(float radius) {
    return radius > 0.0f ? radius * radius : -1.0f;
}

#endif
