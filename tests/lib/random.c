/* SPDX-License-Identifier: MIT */
#include "tests/lib/random.h"

#include <math.h>

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
uint64_t test_bits(test_random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint32_t test_below(test_random *random, uint32_t count) {
    return (uint32_t)(((test_bits(random) >> 32) * count) >> 32);
}

double test_share(test_random *random) {
    return (double)(test_bits(random) >> 11) * 0x1p-53;
}

float test_uniform(test_random *random, float low, float high) {
    const double share = (double)(test_bits(random) >> 40) * 0x1p-24;
    return (float)((double)low + share * ((double)high - (double)low));
}

float test_nudge(test_random *random, float x, uint32_t most) {
    const uint32_t steps = test_below(random, most + 1);
    const float toward = test_below(random, 2) ? INFINITY : -INFINITY;
    for (uint32_t i = 0; i < steps; i++) x = nextafterf(x, toward);
    return x;
}

void test_shuffle(test_random *random, uint32_t *order, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t j = test_below(random, i), last = order[i - 1];
        order[i - 1] = order[j];
        order[j] = last;
    }
}
