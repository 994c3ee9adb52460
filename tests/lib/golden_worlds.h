/* SPDX-License-Identifier: MIT */
/* Small worlds of all kinds, each with something that is hard for the engine. Their states after some steps are golden
 * (test_determinism.c), and memory runs out at each of their allocations (test_out_of_memory.c). */
#ifndef DUNLIN_TESTS_GOLDEN_WORLDS_H
#define DUNLIN_TESTS_GOLDEN_WORLDS_H

#include <string.h>

#include "tests/lib/worlds.h"

typedef struct golden_world {
    const char *name;
    void (*define)(dunlin_world_def *def);
    void (*furnish)(dunlin_world *world);  /* species and interactions */
    void (*populate)(dunlin_world *world); /* numbers of agents that leave the last group and tile incomplete */
    void (*grow)(dunlin_world *world);     /* after half of the steps; NULL: no agent is born */
    int steps;
    bool no_brute;
} golden_world;

extern const golden_world golden_worlds[];
enum { GOLDEN_WORLDS = 14 };

/* An open world, and one with bodies. */
static inline bool golden_refused_on_ranks(const golden_world *golden) {
    return strcmp(golden->name, "clumps") == 0 || strcmp(golden->name, "creatures") == 0;
}

#endif
