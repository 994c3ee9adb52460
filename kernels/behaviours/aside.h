/* SPDX-License-Identifier: MIT */
/* Directions that lead aside, past an obstacle or other agents ahead. */
#ifndef DUNLIN_KERNELS_ASIDE_H
#define DUNLIN_KERNELS_ASIDE_H

#include "kernels/wide/vector.h"

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

#endif
