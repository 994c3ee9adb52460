/* SPDX-License-Identifier: MIT */
/* The random numbers of engine/base/random.h, one generator per lane: the same bits. */
#ifndef DUNLIN_KERNELS_RANDOM_H
#define DUNLIN_KERNELS_RANDOM_H

#include DUNLIN_WIDE

/* The keys of the ten rounds. */
typedef struct wide_keys {
    wide_int round[10][2];
} wide_keys;

WIDE_INLINE void wide_keys_of(const uint32_t key[2], wide_keys *keys) {
    uint32_t k[2] = {key[0], key[1]};
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 2; i++) keys->round[round][i] = wide_int_set((int32_t)k[i]);
        k[0] += 0x9e3779b9u;
        k[1] += 0xbb67ae85u;
    }
}

WIDE_INLINE void philox_round(wide_int counter[4], const wide_int key[2]) {
    wide_int high[2], low[2];
    wide_int_multiply(counter[0], 0xd2511f53u, &high[0], &low[0]);
    wide_int_multiply(counter[2], 0xcd9e8d57u, &high[1], &low[1]);
    counter[0] = wide_int_xor(wide_int_xor(high[1], counter[1]), key[0]);
    counter[1] = low[1];
    counter[2] = wide_int_xor(wide_int_xor(high[0], counter[3]), key[1]);
    counter[3] = low[0];
}

/*
 * Philox 4x32-10 (Salmon et al., SC 2011): turns each counter into four random words. Every round depends on the one before, so
 * several counters at once keep a core busier than one. Once the loop is unrolled, compilers compute once what all lanes have
 * in common in the first rounds.
 */
WIDE_INLINE void wide_philox(wide_int counter[][4], int counters, const wide_keys *keys) {
#pragma GCC unroll 10
    for (int round = 0; round < 10; round++)
        for (int c = 0; c < counters; c++) philox_round(counter[c], keys->round[round]);
}

/* A random word as a number in [0, 1), a multiple of 2^-24. */
WIDE_INLINE wide unit_interval(wide_int word) {
    return wide_mul(wide_from_int(wide_int_shift_right(word, 8)), wide_set(0x1p-24f));
}

#endif
