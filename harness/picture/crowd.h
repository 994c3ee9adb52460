/* SPDX-License-Identifier: MIT */
/* How long agents are drawn of which the scenario does not say it. The page uses it, too, so nothing here needs Cairo. */
#ifndef DUNLIN_HARNESS_CROWD_H
#define DUNLIN_HARNESS_CROWD_H

#include "harness/picture/camera.h"

#include <dunlin/scenario.h>

/*
 * The distance between agents in crowds, as a share of that if they were spread over the whole picture: 0 .. 1. It is the
 * geometric mean over all agents. Species share it, so that of two that are as numerous the one that flocks is drawn no
 * smaller, and does not vanish below the other.
 */
double crowd_closeness(const dunlin_world *world, const picture_camera *camera);

/* Pixels, in the middle of the picture: about the distance between so many agents, the geometric mean of that in the whole
 * picture and that in crowds. */
double crowd_room(const picture_camera *camera, uint32_t agents, double closeness);

/* Pixels: no automatic length is greater, but for the look's scale. */
double crowd_longest(const picture_camera *camera);

/* Pixels: as the scenario says, or automatic. */
double crowd_length(const picture_camera *camera, uint32_t agents, double closeness, const dunlin_look *look);

#endif
