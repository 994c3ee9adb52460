/* SPDX-License-Identifier: MIT */
/* Agents for kernels: difficult inputs, every shape of an interaction, and several groups in one call. */
#ifndef DUNLIN_TESTS_FLOCKS_H
#define DUNLIN_TESTS_FLOCKS_H

#include "tests/lib/oracle.h"
#include "tests/lib/random.h"
#include "tests/lib/support.h"

#define FLOCK_RADIUS 8.0f  /* the widest radius, for which the layouts are made */
#define FLOCK_SIZE   32.0f /* of the world */

typedef enum flock_layout {
    FLOCK_SPREAD,      /* evenly in the world */
    FLOCK_POINT,       /* all at one point */
    FLOCK_PAIRS,       /* two by two at the same place */
    FLOCK_LATTICE,     /* exact offsets, many of them exactly a radius long; some positions are 0 or the size */
    FLOCK_EDGES,       /* at and a few binary32 numbers beside multiples of the radius, and beside the seam */
    FLOCK_FAR,         /* a million world units from the origin */
    FLOCK_VERY_FAR,    /* a hundred million: a world unit is an eighth of the distance between neighbouring numbers */
    FLOCK_DENORMAL,    /* positions and velocities below the smallest normal number */
    FLOCK_TINY,        /* distances whose squares are denormal or 0 */
    FLOCK_AROUND_ZERO, /* both signs, and both zeros */
    FLOCK_LAYOUTS
} flock_layout;

typedef struct flock {
    int dimensions;
    uint32_t count;
    test_array position[3], velocity[3];
} flock;

flock flock_new(flock_layout layout, int dimensions, uint32_t count, test_random *random);
void flock_free(flock *agents);
const char *flock_layout_name(flock_layout layout);

/* ---- shapes ----------------------------------------------------------------------------------------------------------- */

enum { FLOCK_SHAPES = 19 };

/* A shape that an interaction can have: 0 <= number < FLOCK_SHAPES. */
dun_shape flock_shape(int dimensions, int number);

/* An interaction of that shape, with radii up to FLOCK_RADIUS in a world of FLOCK_SIZE. own: observer == observed. */
dun_interact flock_interact(const flock *observer, const flock *observed, dun_shape shape);

/* The same interaction for the oracle. */
oracle_scene flock_scene(const dun_interact *interact, uint32_t observed, bool periodic);

/* ---- a stretch of groups ---------------------------------------------------------------------------------------------- */

typedef struct flock_sums {
    dun_sums sums;
    test_array column[12]; /* push, velocity, offset, each by axis; seen, aligned, cohered */
} flock_sums;

flock_sums flock_sums_new(uint32_t count);
void flock_sums_free(flock_sums *sums);
void flock_sums_reset(flock_sums *sums);

/* Sums for the agents [begin, end), group by group; all groups have the same runs. */
void flock_sum(const dun_kernel *kernel, const dun_interact *interact, uint32_t begin, uint32_t end, const dun_range *ranges,
               uint32_t range_count, flock_sums *sums);

/* Fails if any of the first `count` sums differs in a bit, or if a canary was overwritten. */
void flock_sums_same(const flock_sums *got, const flock_sums *want, uint32_t count, const char *what);

#endif
