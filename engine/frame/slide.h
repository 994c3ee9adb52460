/* SPDX-License-Identifier: MIT */
/* Sliding along obstacles that block. */
#ifndef DUNLIN_ENGINE_SLIDE_H
#define DUNLIN_ENGINE_SLIDE_H

#include "kernels/contract/obstacles.h"

/* A step of many agents, taken as if there were no obstacles. */
typedef struct dun_slide {
    const dun_obstacle_bins *bins;
    float radius;                           /* world units, of the agents */
    const float *from[3];                   /* positions before the step */
    float *to_position[3], *to_velocity[3]; /* after it */
} dun_slide;

/* Shortens or bends the step of agent i so that it enters no obstacle. */
void dun_slide_agent(const dun_slide *slide, uint32_t i);

#endif
