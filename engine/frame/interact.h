/* SPDX-License-Identifier: MIT */
/* One interaction of one tile, as interact.c and few.c sum it up. */
#ifndef DUNLIN_ENGINE_INTERACT_H
#define DUNLIN_ENGINE_INTERACT_H

#include "engine/world/walk.h"

typedef struct dun_summing {
    const dun_interaction *interaction;
    const dun_kernel *kernel;
    dun_scratch *scratch; /* the sums go there */
    dun_interact job;
    uint32_t begin; /* the slot whose sums are element 0 */
} dun_summing;

/* How many agents runs hold. */
static inline uint64_t dun_candidates(const dun_run *runs, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t r = 0; r < count; r++) sum += runs[r].end - runs[r].begin;
    return sum;
}

/* Sums over these candidates, in the arrays of `job`, for the walk's group. If only the nearest counts, searches on, in the
 * arrays of s->job, until every agent has found it. */
void dun_sum_group(const dun_summing *s, const dun_interact *job, const dun_walk *walk, const dun_run *runs,
                   uint32_t run_count);

/* Sums for all groups of the walk. */
void dun_sum_groups(const dun_summing *s, dun_walk *walk);

/* Whether the observed agents are few and the observers many. Then dun_sum_few() is faster, and gives the same bits. */
bool dun_observed_are_few(const dunlin_world *world, const dun_look *look);
void dun_sum_few(const dun_summing *s, dun_walk *walk);

#endif
