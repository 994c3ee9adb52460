/* SPDX-License-Identifier: MIT */
/* The random numbers with which FLAME GPU 2 starts its Circles benchmark. */
#ifndef DUNLIN_TESTS_LIB_MERSENNE_H
#define DUNLIN_TESTS_LIB_MERSENNE_H

#include <stdint.h>

enum { MERSENNE_WORDS = 312, MERSENNE_MIDDLE = 156 };

/* M. Matsumoto and T. Nishimura's twister of 64-bit words: C++'s mt19937_64. */
typedef struct mersenne {
    uint64_t word[MERSENNE_WORDS];
    int next;
} mersenne;

static inline void mersenne_seed(mersenne *m, uint64_t seed) {
    m->word[0] = seed;
    for (uint64_t i = 1; i < MERSENNE_WORDS; i++)
        m->word[i] = UINT64_C(6364136223846793005) * (m->word[i - 1] ^ (m->word[i - 1] >> 62)) + i;
    m->next = 0;
}

static inline uint64_t mersenne_draw(mersenne *m) {
    const int next = (m->next + 1) % MERSENNE_WORDS;
    const uint64_t high = m->word[m->next] & UINT64_C(0xffffffff80000000);
    const uint64_t both = high | (m->word[next] & UINT64_C(0x7fffffff));
    const uint64_t odd = both & 1 ? UINT64_C(0xb5026f5aa96619e9) : 0;
    uint64_t x = m->word[(m->next + MERSENNE_MIDDLE) % MERSENNE_WORDS] ^ (both >> 1) ^ odd;
    m->word[m->next] = x;
    m->next = next;
    x ^= (x >> 29) & UINT64_C(0x5555555555555555);
    x ^= (x << 17) & UINT64_C(0x71d67fffeda60000);
    x ^= (x << 37) & UINT64_C(0xfff7eee000000000);
    return x ^ (x >> 43);
}

/* C++'s uniform_real_distribution<float>(0, high), as in GNU's library: one word per number. A number that rounds to 1 becomes
 * the one before it. */
static inline float mersenne_even(mersenne *m, float high) {
    const float share = (float)mersenne_draw(m) * 0x1p-64f;
    return (share < 1.0f ? share : 0x1.fffffep-1f) * high;
}

#endif
