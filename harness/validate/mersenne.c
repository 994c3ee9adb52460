/* SPDX-License-Identifier: MIT */
#include "harness/validate/mersenne.h"

enum { MIDDLE = 156 };

void mersenne_seed(mersenne *m, uint64_t seed) {
    m->word[0] = seed;
    for (uint64_t i = 1; i < MERSENNE_WORDS; i++)
        m->word[i] = UINT64_C(6364136223846793005) * (m->word[i - 1] ^ (m->word[i - 1] >> 62)) + i;
    m->next = MERSENNE_WORDS;
}

static void twist(mersenne *m) {
    for (int i = 0; i < MERSENNE_WORDS; i++) {
        const uint64_t high = m->word[i] & UINT64_C(0xffffffff80000000);
        const uint64_t both = high | (m->word[(i + 1) % MERSENNE_WORDS] & UINT64_C(0x7fffffff));
        const uint64_t odd = both & 1 ? UINT64_C(0xb5026f5aa96619e9) : 0;
        m->word[i] = m->word[(i + MIDDLE) % MERSENNE_WORDS] ^ (both >> 1) ^ odd;
    }
    m->next = 0;
}

uint64_t mersenne_draw(mersenne *m) {
    if (m->next == MERSENNE_WORDS) twist(m);
    uint64_t x = m->word[m->next++];
    x ^= (x >> 29) & UINT64_C(0x5555555555555555);
    x ^= (x << 17) & UINT64_C(0x71d67fffeda60000);
    x ^= (x << 37) & UINT64_C(0xfff7eee000000000);
    return x ^ (x >> 43);
}

/* A number that rounds to 1 becomes the one before it. */
float mersenne_even(mersenne *m, float high) {
    const float share = (float)mersenne_draw(m) * 0x1p-64f;
    return (share < 1.0f ? share : 0x1.fffffep-1f) * high;
}
