/* SPDX-License-Identifier: MIT */
/* Crowds: agents in a spatial index, in spaces of every kind, at the positions that are hardest for the index. */
#ifndef DUNLIN_TESTS_CROWDS_H
#define DUNLIN_TESTS_CROWDS_H

#include "spatial/index.h"
#include "tests/lib/random.h"
#include "tests/lib/support.h"

enum { CROWD_MAX = 320 }; /* agents; crowd_some_count() returns no more */

typedef struct crowd {
    const dun_index_type *type;
    dun_heap *heap; /* the index takes its memory from it */
    dun_index *index;
    dun_space space;
    uint32_t count;
    test_array from[3], to[3];
    const float *position[3]; /* the snapshot */
} crowd;

/* Makes agents without positions, and an empty index. */
crowd crowd_new(const dun_index_type *type, const dun_space *space, uint32_t count);

/* Builds the index from the agents' present positions in from[]. */
void crowd_sort(crowd *c);

void crowd_free(crowd *c);

/*
 * SPREAD: anywhere in the world. POINT: all at one point. CLUMPS: in one corner, where all seams meet, and at two other places,
 * which are very far apart in an open world. PAIRS: pairs a radius apart, or a bit more or less. EDGES: on edges of the world
 * and of cells. OUTSIDE: in and around a bounded world.
 */
typedef enum crowd_layout { SPREAD, POINT, CLUMPS, PAIRS, EDGES, OUTSIDE, LAYOUTS } crowd_layout;

/* Keeps agents of a periodic world in [0, size], as the engine does. */
void crowd_scatter(test_random *random, crowd *c, crowd_layout layout);

/* A position on an axis, kept in the world likewise. */
float crowd_held(const dun_space *space, int a, float x);

/* x, moved by at most the step between numbers as large as the world, to which offsets across a seam are rounded. */
float crowd_blurred(test_random *random, const dun_space *space, int a, float x);

uint32_t crowd_some_count(test_random *random);
float crowd_some_radius(test_random *random, const dun_space *space);

/* A space far narrower than a cell, a few cells wide, or with far more cells than agents. */
dun_space crowd_some_space(test_random *random);

#endif
