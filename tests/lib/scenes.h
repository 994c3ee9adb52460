/* SPDX-License-Identifier: MIT */
/* Worlds of all kinds, small, each with what is hard for the engine: their states after some steps are golden
 * (test_determinism.c), and memory runs out in them at every place (test_out_of_memory.c). */
#ifndef DUNLIN_TESTS_SCENES_H
#define DUNLIN_TESTS_SCENES_H

#include "tests/lib/worlds.h"

typedef struct scene {
    const char *name;
    void (*define)(dunlin_world_def *def);
    void (*furnish)(dunlin_world *world);  /* species and interactions */
    void (*populate)(dunlin_world *world); /* numbers of agents that leave the last group and tile incomplete */
    void (*grow)(dunlin_world *world);     /* after half of the steps; NULL: nobody is born */
    int steps;
    bool no_brute;
} scene;

extern const scene scenes[];
enum { SCENES = 11 };

#endif
