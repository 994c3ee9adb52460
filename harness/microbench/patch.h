/* SPDX-License-Identifier: MIT */
/*
 * What a kernel meets in a frame, in a size that stays in cache: consecutive agents of a row, and the rows around it.
 *
 * The world is a beam, some rows across and long enough that the stretch in its middle row is whole: 256 agents in 2D and 128
 * in 3D, the same for every kernel, in packets of as many lanes as the kernel has. As in the interior of a large world, none of
 * them is near an edge. The positions and velocities that the stretch reads, and its sums, take 20 to 25 KiB in 2D: L1. In 3D
 * they take 35 KiB at 20 neighbours and 55 KiB at 200, but a packet shares nearly all of it with the next: L1, and a little
 * from L2.
 *
 * An iteration goes through the whole stretch, as a frame goes through a row, so that the loops over ranges and near candidates
 * have dozens to hundreds of lengths before the same ones come again. Measured (avx2, Zen 3, 20 neighbours): four times as many
 * agents take the same time each.
 */
#ifndef DUNLIN_HARNESS_MICROBENCH_PATCH_H
#define DUNLIN_HARNESS_MICROBENCH_PATCH_H

#include "kernels/contract/kernel.h"

typedef struct patch_packet {
    dun_packet slots;
    uint32_t first_range, range_count;
} patch_packet;

typedef struct patch {
    int dimensions;
    float size[3];
    uint32_t agents;
    float *block;                           /* [column][agents + padding], of the following */
    const float *position[3], *velocity[3]; /* in the order of the grid */
    uint32_t begin, end;                    /* the stretch */
    patch_packet *packets;                  /* of the stretch */
    uint32_t packet_count;
    dun_range *ranges;
    uint32_t range_count;
    uint64_t candidates; /* in the ranges of all packets together */
    uint64_t near;       /* of these, those that the kernel lists, because a lane may see them: vector iterations */
} patch;

/* A mean of `neighbours` within the radius of 1. false: no memory. Always free it. */
bool patch_make(patch *made, int dimensions, int neighbours, const dun_kernel *kernel);
void patch_free(patch *made);

#endif
