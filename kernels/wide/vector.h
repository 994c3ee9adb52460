/* SPDX-License-Identifier: MIT */
/* Lanes and vectors of lanes: lengths, directions, limits. */
#ifndef DUNLIN_KERNELS_VECTOR_H
#define DUNLIN_KERNELS_VECTOR_H

#include <float.h>

#include "kernels/contract/behave.h"
#include DUNLIN_WIDE

WIDE_INLINE wide wide_zero(void) { return wide_set(0.0f); }

static const int32_t lane_number[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

WIDE_INLINE uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

WIDE_INLINE uint32_t max_u32(uint32_t a, uint32_t b) { return a < b ? b : a; }

/* The first `count` lanes, count below 2^31; or all. */
WIDE_INLINE wide_mask first_lanes(uint32_t count) {
    return wide_int_lt(wide_int_load(lane_number), wide_int_set((int32_t)count));
}

WIDE_INLINE wide wide_varied(dun_varied v, uint32_t i) {
    if (v.each) return wide_mul(wide_set(v.all), wide_load(v.each + i));
    return wide_set(v.all);
}

WIDE_INLINE wide inner(const wide a[3], const wide b[3], int dimensions) {
    wide sum = wide_add(wide_mul(a[0], b[0]), wide_mul(a[1], b[1]));
    if (dimensions == 3) sum = wide_add(sum, wide_mul(a[2], b[2]));
    return sum;
}

WIDE_INLINE wide length2(const wide v[3], int dimensions) { return inner(v, v, dimensions); }

WIDE_INLINE void add_scaled(const wide a[3], wide scale, const wide b[3], int dimensions, wide out[3]) {
    for (int axis = 0; axis < dimensions; axis++) out[axis] = wide_add(a[axis], wide_mul(scale, b[axis]));
}

WIDE_INLINE wide_int blend_int(wide_mask m, wide_int a, wide_int b) {
    return wide_to_bits(wide_blend(m, wide_from_bits(a), wide_from_bits(b)));
}

/* The offset to the nearest image. Antisymmetric: fold(-d) = -fold(d). */
WIDE_INLINE wide fold(wide d, float size) {
    const wide half = wide_set(0.5f * size);
    const wide back = wide_keep(wide_lt(half, d), wide_set(size));
    const wide ahead = wide_keep(wide_lt(d, wide_set(-0.5f * size)), wide_set(size));
    return wide_add(wide_sub(d, back), ahead);
}

/* To compare unsigned numbers: comparisons are signed, and with the top bit turned both orders are the same. */
WIDE_INLINE wide_int wide_turned(uint32_t number) { return wide_int_set((int32_t)(number ^ (1u << 31))); }

/*
 * Keeps squared lengths finite. Only sums over agents with distances of about 1e-18 get there; parameters are limited so that
 * nothing else overflows (docs/numerics.md).
 */
WIDE_INLINE wide saturate(wide a) { return wide_max(wide_min(a, wide_set(1e18f)), wide_set(-1e18f)); }

/* A vector whose squared length is below the normal numbers counts as zero, since that length has lost its precision. */
WIDE_INLINE wide_mask has_direction(wide length2) { return wide_le(wide_set(FLT_MIN), length2); }

/* The factor that brings the length of v down to `limit`; 1 where it is below already. */
WIDE_INLINE wide limit_scale(const wide v[3], int dimensions, wide limit) {
    const wide v2 = length2(v, dimensions);
    const wide_mask over = wide_lt(wide_mul(limit, limit), v2);
    return wide_blend(over, wide_div(limit, wide_sqrt(v2)), wide_set(1.0f));
}

WIDE_INLINE void to_unit(wide v[3], int dimensions) {
    const wide scale = wide_div(wide_set(1.0f), wide_sqrt(length2(v, dimensions)));
    for (int a = 0; a < dimensions; a++) v[a] = wide_mul(v[a], scale);
}

/* ---- directions that lead aside, past what is ahead ------------------------------------------------------------------- */

/* Some direction across the heading; in 2D to its left. */
WIDE_INLINE void turn_aside(const wide heading[3], int dimensions, wide across[3]) {
    across[0] = wide_sub(wide_zero(), heading[1]);
    across[1] = heading[0];
    if (dimensions != 3) return;
    const wide_mask flat = wide_lt(wide_mul(heading[2], heading[2]), wide_mul(heading[0], heading[0]));
    across[0] = wide_keep(flat, across[0]);
    across[1] = wide_blend(flat, across[1], wide_sub(wide_zero(), heading[2]));
    across[2] = wide_blend(flat, wide_zero(), heading[1]);
}

/* The direction of that part of n which is across the heading, both unit vectors; where it vanishes, some direction across. */
WIDE_INLINE void aside_of(const wide n[3], const wide heading[3], int dimensions, wide side[3]) {
    wide aside[3];
    add_scaled(n, wide_sub(wide_zero(), inner(n, heading, dimensions)), heading, dimensions, side);
    const wide_mask head_on = wide_lt(length2(side, dimensions), wide_set(1e-8f));
    turn_aside(heading, dimensions, aside);
    for (int a = 0; a < dimensions; a++) side[a] = wide_blend(head_on, aside[a], side[a]);
    to_unit(side, dimensions);
}

/*
 * Runs the statement for all packets of `count` agents, with the dimensions as a constant in it, and with i, the number of the
 * packet's first agent.
 */
#define FOR_EACH_PACKET(dimensions_here, count, statement)                                                                     \
    if ((dimensions_here) == 3) {                                                                                              \
        enum { dimensions = 3 };                                                                                               \
        for (uint32_t i = 0; i < (count); i += DUNLIN_LANES) statement;                                                        \
    } else {                                                                                                                   \
        enum { dimensions = 2 };                                                                                               \
        for (uint32_t i = 0; i < (count); i += DUNLIN_LANES) statement;                                                        \
    }

#endif
