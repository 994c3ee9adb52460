/* SPDX-License-Identifier: MIT */
/* Small worlds of all kinds, each with something that is hard for the engine. Their states after some steps are golden
 * (test_determinism.c), and memory runs out at each of their allocations (test_out_of_memory.c). */
#ifndef DUNLIN_TESTS_GOLDEN_WORLDS_H
#define DUNLIN_TESTS_GOLDEN_WORLDS_H

#include "tests/lib/worlds.h"

typedef struct golden_world {
    const char *name;
    void (*define)(dunlin_world_def *def);
    void (*furnish)(dunlin_world *world);  /* species and interactions */
    uint32_t agents[3];                    /* by species, anywhere; numbers that leave the last group and tile incomplete */
    void (*populate)(dunlin_world *world); /* with more agents; NULL: there are none */
    void (*grow)(dunlin_world *world);     /* after half of the steps; NULL: no agent is born */
    int steps;
    bool no_brute;
    bool rich; /* has all at once, and takes long */
} golden_world;

extern const golden_world golden_worlds[];
enum { GOLDEN_WORLDS = 17 };

/* The world without agents; `how` has its threads, kernel and index. */
dunlin_world *golden_make(const golden_world *golden, dunlin_world_def how);
void golden_populate(const golden_world *golden, dunlin_world *world);

/* The last two (golden_reserve.c). */
void define_reserve(dunlin_world_def *def);
void define_reserve_in_space(dunlin_world_def *def);
void furnish_reserve(dunlin_world *world);
void connect_reserve(void *context, int behaviour, dunlin_behaviour_def *def); /* its callbacks */

/* An open world, and one with bodies. */
static inline bool golden_refused_on_ranks(const golden_world *golden) {
    return strcmp(golden->name, "clumps") == 0 || strcmp(golden->name, "creatures") == 0;
}

#endif
