/* SPDX-License-Identifier: MIT */
/* Crowds: agents under a spatial index, in spaces of every kind, at the places that are hardest for it. */
#ifndef DUNLIN_TESTS_CROWDS_H
#define DUNLIN_TESTS_CROWDS_H

#include "spatial/index.h"
#include "tests/lib/support.h"

enum { CROWD_MOST = 320 }; /* agents that crowd_some_count() may say */

typedef struct crowd {
    const dun_index_type *type;
    dun_index *index;
    dun_space space;
    uint32_t count;
    test_array from[3], to[3];
    const float *position[3]; /* the snapshot */
} crowd;

/* Agents yet without places, and an empty index. */
crowd crowd_new(const dun_index_type *type, const dun_space *space, uint32_t count);

/* Builds the index over the agents where they are now in from[]. */
void crowd_sort(crowd *c);

void crowd_free(crowd *c);

/*
 * SPREAD: anywhere in the world. POINT: all at one place. CLUMPS: in one corner, where every seam meets, and two other places,
 * in an open world very far apart. PAIRS: two and two a radius from each other, to the last bits. EDGES: on ends of the world
 * and of cells. OUTSIDE: in and around a bounded world.
 */
typedef enum crowd_layout { SPREAD, POINT, CLUMPS, PAIRS, EDGES, OUTSIDE, LAYOUTS } crowd_layout;

/* Agents of a periodic world are held in [0, size], as the engine holds them. */
void crowd_scatter(test_random *random, crowd *c, crowd_layout layout);

/* A place on an axis, held there. */
float crowd_held(const dun_space *space, int a, float x);

/* x, up to a step of numbers as large as the world away: across a seam offsets are rounded to such steps, then folded. */
float crowd_blurred(test_random *random, const dun_space *space, int a, float x);

uint32_t crowd_some_count(test_random *random);
float crowd_some_radius(test_random *random, const dun_space *space);

/* Far narrower than a cell, about as many cells wide as a group may look at, or of far more cells than agents. */
dun_space crowd_some_space(test_random *random);

#endif
