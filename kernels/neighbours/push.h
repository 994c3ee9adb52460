/* SPDX-License-Identifier: MIT */
/* The push of separation, by distance. */
#ifndef DUNLIN_KERNELS_PUSH_H
#define DUNLIN_KERNELS_PUSH_H

#include <float.h>

#include "kernels/contract/kernel.h"
#include DUNLIN_WIDE

/* f(d) of the push -Δ·f(d). inverse_radius: 1/R, for LINEAR only. The minimum of d² keeps it finite for coincident agents,
 * whose Δ is 0. */
WIDE_INLINE wide push_factor(dun_push push, wide inverse_radius, wide d2) {
    const wide safe = wide_max(d2, wide_set(FLT_MIN));
    if (push == DUN_PUSH_INVERSE) return wide_div(wide_set(1.0f), safe);
    const wide d = wide_sqrt(safe);
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
