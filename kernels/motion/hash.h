/* SPDX-License-Identifier: MIT */
/* Hashes of agents, in plain C: the compiler's vectors are as wide as the kernel's, and whole numbers have the same bits in
 * any. */
#ifndef DUNLIN_KERNELS_HASH_H
#define DUNLIN_KERNELS_HASH_H

#include <string.h>

#include "kernels/contract/kernel.h"
#include "kernels/wide/vector.h"

/* GCC 12 runs the two loops as one without vectors. */
WIDE_INLINE void mix_column(uint64_t *restrict hashes, const float *restrict values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hashes[i] += 0x9e3779b97f4a7c15u + bits;
    }
    for (uint32_t i = 0; i < count; i++) hashes[i] = dun_mix(hashes[i]);
}

static uint64_t hash_block(const dun_hashed *in, uint32_t first, uint32_t count) {
    uint64_t hashes[DUN_BLOCK], sum = 0;
    for (uint32_t i = 0; i < count; i++) hashes[i] = dun_mix(((uint64_t)in->species << 32) + in->id[first + i]);
    for (int c = 0; c < in->columns; c++) mix_column(hashes, in->column[c] + first, count);
    for (uint32_t i = 0; i < count; i++) sum += hashes[i];
    return sum;
}

static uint64_t hash_sum(const dun_hashed *in, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t first = 0; first < count; first += DUN_BLOCK) sum += hash_block(in, first, min_u32(count - first, DUN_BLOCK));
    return sum;
}

#endif
