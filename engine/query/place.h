/* SPDX-License-Identifier: MIT */
/* Points and directions of questions. */
#ifndef DUNLIN_ENGINE_QUERY_PLACE_H
#define DUNLIN_ENGINE_QUERY_PLACE_H

#include <math.h>

#include "engine/world/edges.h"

#define DUN_PI   3.14159265f /* the binary32 number that callers have */
#define DUN_TURN 6.283185307179586

/* The image of x in [0, size). fmod() is exact. */
static inline double dun_wrap_double(double x, double size) {
    if (x >= 0.0 && x < size) return x;
    const double rest = fmod(x, size);
    const double wrapped = rest < 0.0 ? rest + size : rest;
    return wrapped < size ? wrapped : 0.0;
}

static inline float dun_wrap(float x, float size) {
    if (x >= 0.0f && x < size) return x;
    const float wrapped = (float)dun_wrap_double((double)x, (double)size);
    return wrapped < size ? wrapped : 0.0f;
}

static inline double dun_fold_double(double offset, double size) {
    const double back = 0.5 * size < offset ? size : 0.0, ahead = offset < -0.5 * size ? size : 0.0;
    return offset - back + ahead;
}

/* The point's image in the world, along the axes that repeat. */
static inline void dun_query_place(const dunlin_world_def *def, const float point[3], float image[3]) {
    for (int a = 0; a < def->dimensions; a++) image[a] = dun_repeats(def, a) ? dun_wrap(point[a], def->size[a]) : point[a];
}

/* The unit vector. */
static inline void dun_query_direction(const float direction[3], int dimensions, double unit[3]) {
    double length2 = 0.0;
    for (int a = 0; a < dimensions; a++) length2 += (double)direction[a] * (double)direction[a];
    for (int a = 0; a < dimensions; a++) unit[a] = (double)direction[a] / sqrt(length2);
}

#endif
