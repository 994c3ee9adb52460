/* SPDX-License-Identifier: MIT */
/* The cells of agents, as the grid of spatial/grid.c numbers them. */
#ifndef DUNLIN_KERNELS_NUMBER_H
#define DUNLIN_KERNELS_NUMBER_H

#include "kernels/contract/kernel.h"
#include "kernels/wide/vector.h"

WIDE_INLINE void number_lanes(const dun_cells *c, int dimensions, const float *const position[3], uint32_t i,
                              uint32_t *number) {
    wide_int sum = wide_int_set(0);
    for (int a = 0; a < dimensions; a++) {
        const wide from_min = wide_sub(wide_load(position[a] + i), wide_set(c->min[a]));
        const wide column = wide_max(wide_mul(from_min, wide_set(c->per_unit[a])), wide_zero());
        const wide_int whole = wide_to_int(wide_min(column, wide_set(c->last[a])));
        sum = wide_int_add(sum, wide_int_mul(whole, wide_int_set((int32_t)c->stride[a])));
    }
    wide_int_store((int32_t *)number + i, sum);
}

static void number_cells(const dun_cells *cells, const float *const position[3], uint32_t count, uint32_t *number) {
    const dun_cells c = *cells;
    FOR_EACH_PACKET(c.dimensions, count, number_lanes(&c, dimensions, position, i, number))
}

#endif
