/* SPDX-License-Identifier: MIT */
/*
 * What a kernel meets in a frame, in a size that stays in cache: all packets of a small flock of the bench's workload, the same
 * agents for every kernel, in packets of as many lanes as the kernel has.
 *
 * The positions and velocities take 64 KiB in 2D and 96 KiB in 3D. A packet shares nearly all that it reads with the next, so
 * kernels read L1, and a little from L2. The loops over ranges and near candidates have hundreds of lengths before the same
 * ones come again.
 */
#ifndef DUNLIN_HARNESS_MICROBENCH_PATCH_H
#define DUNLIN_HARNESS_MICROBENCH_PATCH_H

#include "kernels/contract/kernel.h"

typedef struct patch_packet {
    dun_packet slots;
    uint32_t first_range, range_count;
} patch_packet;

typedef struct patch {
    const dun_kernel *kernel;
    int dimensions;
    uint32_t agents;
    float size[3];
    float *block;                           /* [column][agents + padding], of the following */
    const float *position[3], *velocity[3]; /* in the order of the grid */
    patch_packet *packets;
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
