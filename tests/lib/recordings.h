/* SPDX-License-Identifier: MIT */
/* The states that were recorded from published sketches (tests/vectors/), and how far a world is from one. */
#ifndef DUNLIN_TESTS_RECORDINGS_H
#define DUNLIN_TESTS_RECORDINGS_H

#include "tests/lib/worlds.h"

enum { MOST_RECORDED = 1000 };

typedef struct recording {
    uint32_t count;
    uint32_t id[MOST_RECORDED];
    double number[4][MOST_RECORDED]; /* x, y, vx, vy */
} recording;

/* Reads a file of a case's folder, or fails. */
recording read_recording(const char *name, const char *file);

/* Adds the agents to species 0, with their ids. */
void spawn_recording(dunlin_world *world, const recording *r);

/* The maximum deviations of species 0, as shares of the world's longer side and of the maximum speed. */
typedef struct deviation {
    double position, velocity;
} deviation;

deviation deviation_from(dunlin_world *world, const recording *want);

#endif
