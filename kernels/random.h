/* SPDX-License-Identifier: MIT */
/* engine/random.h's numbers, of a lane each: the same bits. */
#ifndef DUNLIN_KERNELS_RANDOM_H
#define DUNLIN_KERNELS_RANDOM_H

#include "wide.h"

/* Philox 4x32-10 (Salmon et al., SC 2011): the counter becomes four random words. */
WIDE_INLINE void wide_philox(wide_int counter[4], const uint32_t key[2]) {
    uint32_t k[2] = {key[0], key[1]};
    for (int round = 0; round < 10; round++) {
        wide_int high[2], low[2];
        wide_int_multiply(counter[0], 0xd2511f53u, &high[0], &low[0]);
        wide_int_multiply(counter[2], 0xcd9e8d57u, &high[1], &low[1]);
        counter[0] = wide_int_xor(wide_int_xor(high[1], counter[1]), wide_int_set((int32_t)k[0]));
        counter[1] = low[1];
        counter[2] = wide_int_xor(wide_int_xor(high[0], counter[3]), wide_int_set((int32_t)k[1]));
        counter[3] = low[0];
        k[0] += 0x9e3779b9u;
        k[1] += 0xbb67ae85u;
    }
}

/* A random word as a number in [0, 1), a multiple of 2^-24. */
WIDE_INLINE wide unit_interval(wide_int word) {
    return wide_mul(wide_from_int(wide_int_shift_right(word, 8)), wide_set(0x1p-24f));
}

#endif
