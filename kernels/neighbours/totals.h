/* SPDX-License-Identifier: MIT */
/* The sums of a packet while candidates are added: in registers, not in memory. */
#ifndef DUNLIN_KERNELS_TOTALS_H
#define DUNLIN_KERNELS_TOTALS_H

#include <float.h>

#include "kernels/contract/kernel.h"
#include "kernels/wide/vector.h"

typedef struct totals {
    wide push[3], velocity[3], offset[3];
    wide_int seen, aligned, cohered;
    wide nearest;
} totals;

WIDE_INLINE void totals_load(dun_shape shape, const dun_sums *sums, uint32_t at, totals *t) {
    for (int a = 0; a < shape.dimensions; a++) {
        if (shape.separation != DUN_PUSH_NONE) t->push[a] = wide_load(sums->push[a] + at);
        if (shape.alignment) t->velocity[a] = wide_load(sums->velocity[a] + at);
        if (shape.cohesion) t->offset[a] = wide_load(sums->offset[a] + at);
    }
    t->seen = wide_int_load(sums->seen + at);
    if (shape.nearest) t->nearest = wide_load(sums->nearest + at);
    if (shape.nested) return;
    t->aligned = wide_int_load(sums->aligned + at);
    t->cohered = wide_int_load(sums->cohered + at);
}

WIDE_INLINE void totals_store(dun_shape shape, const totals *t, const dun_sums *sums, uint32_t at) {
    for (int a = 0; a < shape.dimensions; a++) {
        if (shape.separation != DUN_PUSH_NONE) wide_store(sums->push[a] + at, t->push[a]);
        if (shape.alignment) wide_store(sums->velocity[a] + at, t->velocity[a]);
        if (shape.cohesion) wide_store(sums->offset[a] + at, t->offset[a]);
    }
    wide_int_store(sums->seen + at, t->seen);
    if (shape.nearest) wide_store(sums->nearest + at, t->nearest);
    if (shape.nested) return;
    wide_int_store(sums->aligned + at, t->aligned);
    wide_int_store(sums->cohered + at, t->cohered);
}

WIDE_INLINE totals totals_none(void) {
    totals none;
    for (int a = 0; a < 3; a++) none.push[a] = none.velocity[a] = none.offset[a] = wide_zero();
    none.seen = none.aligned = none.cohered = wide_int_set(0);
    none.nearest = wide_set(FLT_MAX);
    return none;
}

WIDE_INLINE void totals_clear(dun_shape shape, const dun_sums *sums, uint32_t at) {
    const totals none = totals_none();
    totals_store(shape, &none, sums, at);
}

/* f(d) of the push -Δ·f(d). inverse_radius: 1/R, for LINEAR only. The minimum of d² keeps it finite for coincident agents,
 * whose Δ is 0. */
WIDE_INLINE wide push_factor(dun_push push, wide inverse_radius, wide d2) {
    const wide safe = wide_max(d2, wide_set(FLT_MIN));
    if (push == DUN_PUSH_INVERSE) return wide_div(wide_set(1.0f), safe);
    /* the distance of a candidate that no lane counts may be infinite, and inf/inf would be a NaN, which 0·NaN is, too */
    const wide d = wide_sqrt(push == DUN_PUSH_LINEAR ? wide_min(safe, wide_set(FLT_MAX)) : safe);
    if (push == DUN_PUSH_CONSTANT) return wide_div(wide_set(1.0f), d);
    const wide share = wide_sub(wide_set(1.0f), wide_mul(d, inverse_radius));
    return wide_div(share, d);
}

/* Adds the push from the candidate at `delta` to the lanes within the radius. */
WIDE_INLINE void add_push(dun_push push, wide inverse_radius, int dimensions, wide_mask within, const wide delta[3], wide d2,
                          wide sum[3]) {
    const wide factor = wide_keep(within, push_factor(push, inverse_radius, d2));
    for (int a = 0; a < dimensions; a++) sum[a] = wide_sub(sum[a], wide_mul(delta[a], factor));
}

#endif
