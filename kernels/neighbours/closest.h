/* SPDX-License-Identifier: MIT */
/*
 * Interactions that count the nearest only: a selection of one (select.h) without views, shells or pushes. It needs no list,
 * for there is hardly anything to be done with a candidate that is not the nearest so far.
 */
#ifndef DUNLIN_KERNELS_CLOSEST_H
#define DUNLIN_KERNELS_CLOSEST_H

#include "kernels/neighbours/near.h"

/* The nearest so far. */
typedef struct closest_one {
    wide d2;     /* before there is any, the squared radius */
    wide_int id; /* its top bit turned, like any id that is compared; INT32_MAX: there is none */
    wide offset[3], velocity[3];
} closest_one;

WIDE_INLINE void closest_meet(const dun_interact *in, int dimensions, bool own, bool folds, const lanes *l, uint32_t j,
                              closest_one *best) {
    wide delta[3];
    const wide d2 = offset_to(in, dimensions, folds, l->at, j, delta);
    wide_mask closer = wide_le(d2, best->d2);
    if (own) closer = wide_and(closer, wide_other_lanes(least(j - l->self, NOBODY)));
    if (!wide_any(closer)) return;
    const wide_int id = wide_turned(in->id[j]);
    closer = wide_and(closer, wide_or(wide_lt(d2, best->d2), wide_int_lt(id, best->id)));
    best->d2 = wide_blend(closer, d2, best->d2);
    best->id = select_int(closer, id, best->id);
    for (int a = 0; a < dimensions; a++) {
        best->offset[a] = wide_blend(closer, delta[a], best->offset[a]);
        best->velocity[a] = wide_blend(closer, wide_set(in->velocity[a][j]), best->velocity[a]);
    }
}

WIDE_INLINE void closest_run(const dun_interact *in, int dimensions, bool own, bool folds, const lanes *l, dun_run run,
                             closest_one *best) {
    for (uint32_t j = run.begin; j < run.end; j++) closest_meet(in, dimensions, own, folds, l, j, best);
}

/* Sums of one: a zero is +0, as in other sums. */
WIDE_INLINE void closest_lanes(const dun_interact *in, int dimensions, dun_group group, const dun_run *runs, uint32_t run_count,
                               const dun_sums *sums, uint32_t at) {
    lanes l = {.self = group.first};
    closest_one best = {.d2 = wide_set(in->widest_r2), .id = wide_int_set(INT32_MAX)};
    for (int a = 0; a < dimensions; a++) {
        l.at[a] = wide_load(in->observer[a] + group.first);
        best.offset[a] = best.velocity[a] = wide_zero();
    }
    for (uint32_t r = 0; r < run_count; r++) {
        if (in->own && runs[r].folds)
            closest_run(in, dimensions, true, true, &l, runs[r], &best);
        else if (in->own)
            closest_run(in, dimensions, true, false, &l, runs[r], &best);
        else if (runs[r].folds)
            closest_run(in, dimensions, false, true, &l, runs[r], &best);
        else
            closest_run(in, dimensions, false, false, &l, runs[r], &best);
    }
    for (int a = 0; a < dimensions; a++) {
        wide_store(sums->offset[a] + at, wide_add(wide_zero(), best.offset[a]));
        wide_store(sums->velocity[a] + at, wide_add(wide_zero(), best.velocity[a]));
    }
    const wide_mask found = wide_int_lt(best.id, wide_int_set(INT32_MAX));
    wide_int_store(sums->seen + at, wide_count_if(wide_int_set(0), found));
}

WIDE_INLINE void closest_group(const dun_interact *in, int dimensions, dun_group group, const dun_run *runs, uint32_t run_count,
                               const dun_sums *sums, uint32_t at) {
    for (uint32_t i = 0; i < group.count; i += DUNLIN_LANES) {
        const dun_group here = {group.first + i, least(group.count - i, DUNLIN_LANES)};
        closest_lanes(in, dimensions, here, runs, run_count, sums, at + i);
    }
}

static void closest_2(const dun_interact *in, dun_group group, const dun_run *runs, uint32_t run_count, const dun_sums *sums,
                      uint32_t at) {
    closest_group(in, 2, group, runs, run_count, sums, at);
}

static void closest_3(const dun_interact *in, dun_group group, const dun_run *runs, uint32_t run_count, const dun_sums *sums,
                      uint32_t at) {
    closest_group(in, 3, group, runs, run_count, sums, at);
}

#endif
