/* SPDX-License-Identifier: MIT */
/*
 * What a kernel meets in a frame, in a size that stays in cache: consecutive agents of a row, and the rows around it.
 *
 * The world is a beam, some rows across and long enough that the stretch in its middle row is whole: 256 agents in 2D and 128
 * in 3D, the same ones for every kernel, in groups of as many lanes as the kernel has. Nobody there sees an edge, as next to
 * nobody does in a large world. The positions and velocities that the stretch looks at, and its sums, take 20 to 25 KiB in 2D:
 * L1. In 3D they take 35 KiB at 20 neighbours and 55 KiB at 200, but a group shares nearly all of it with the next: L1, and a
 * little from L2.
 *
 * An iteration goes through the whole stretch, as a frame goes through a row, so that the loops over runs and near candidates
 * have dozens to hundreds of lengths to predict before the same ones come again: neither learnt by heart nor all new. Measured
 * (avx2, Zen 3, 20 neighbours): four times as many agents take the same time each.
 */
#ifndef DUNLIN_HARNESS_MICROBENCH_PATCH_H
#define DUNLIN_HARNESS_MICROBENCH_PATCH_H

#include "harness/microbench/crowd.h"

typedef struct patch_group {
    dun_group slots;
    const dun_run *runs;
    uint32_t run_count;
} patch_group;

typedef struct patch {
    crowd crowd;
    const float *position[3]; /* sorted */
    const float *velocity[3];
    uint32_t begin, end; /* the stretch */
    uint32_t lanes;
    patch_group *groups;
    uint32_t group_count;
    uint64_t candidates; /* in the runs of all groups together */
    uint64_t near;       /* ... of them, so near their group that a lane might see them: vector iterations */
    dun_run *runs;
} patch;

/* Mean `neighbours` within the radius of 1. false: no memory. Always free it. */
bool patch_make(patch *made, int dimensions, int neighbours, uint32_t lanes);
void patch_free(patch *made);

#endif
