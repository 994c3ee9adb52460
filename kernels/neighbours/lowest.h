/* SPDX-License-Identifier: MIT */
/* Who is the first in line: of all within a radius the one with the lowest id. */
#ifndef DUNLIN_KERNELS_LOWEST_H
#define DUNLIN_KERNELS_LOWEST_H

#include "kernels/neighbours/near.h"

/* The lowest id that each lane has met, its top bit turned so that ids compare like any number, and whose it is. */
typedef struct lowest_met {
    wide_int id, slot;
} lowest_met;

WIDE_INLINE void lowest_meet(const dun_interact *in, int dimensions, bool folds, const lanes *l, uint32_t j, lowest_met *met) {
    wide delta[3];
    const wide d2 = offset_to(in, dimensions, folds, l->at, j, delta);
    const wide_int id = wide_turned(in->id[j]);
    const wide_mask within = wide_le(d2, wide_set(in->widest_r2));
    const wide_mask lower = wide_and(within, wide_int_lt(id, met->id));
    met->id = select_int(lower, id, met->id);
    met->slot = select_int(lower, wide_int_set((int32_t)j), met->slot);
}

WIDE_INLINE void lowest_run(const dun_interact *in, int dimensions, bool folds, const lanes *l, dun_run run, lowest_met *met) {
    near_list near;
    for (uint32_t begin = run.begin; begin < run.end;) {
        near.count = near.close_count = 0;
        begin = list_near(in, dimensions, folds, l, begin, run.end, &near);
        for (uint32_t k = 0; k < near.count; k++) lowest_meet(in, dimensions, folds, l, (uint32_t)near.slot[k], met);
    }
}

WIDE_INLINE void lowest_group(const dun_interact *in, int dimensions, dun_group group, const dun_run *runs, uint32_t run_count,
                              int32_t *lowest) {
    lanes l;
    lanes_load(in, dimensions, group, &l);
    lowest_met met = {wide_int_set(INT32_MAX), wide_int_set(-1)};
    for (uint32_t r = 0; r < run_count; r++) {
        if (runs[r].folds)
            lowest_run(in, dimensions, true, &l, runs[r], &met);
        else
            lowest_run(in, dimensions, false, &l, runs[r], &met);
    }
    wide_int_store(lowest, met.slot);
}

static void lowest(const dun_interact *in, dun_group group, const dun_run *runs, uint32_t run_count, int32_t *slot) {
    if (in->shape.dimensions == 3)
        lowest_group(in, 3, group, runs, run_count, slot);
    else
        lowest_group(in, 2, group, runs, run_count, slot);
}

#endif
