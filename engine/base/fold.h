/* SPDX-License-Identifier: MIT */
/* The nearest image in a world that repeats, one offset at a time. kernels/wide/vector.h has the same for lanes. */
#ifndef DUNLIN_ENGINE_FOLD_H
#define DUNLIN_ENGINE_FOLD_H

/* An offset along an axis that repeats after `size`, folded and rounded as in kernels. */
static inline __attribute__((always_inline)) float dun_fold(float offset, float size) {
    const float half = 0.5f * size;
    const float back = half < offset ? size : 0.0f, ahead = offset < -half ? size : 0.0f;
    return offset - back + ahead;
}

#endif
