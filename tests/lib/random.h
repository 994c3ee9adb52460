/* SPDX-License-Identifier: MIT */
/*
 * Random inputs of the tests, the same on every machine. The generator is not the engine's, so that the two share no mistake.
 * No recorded state depends on these numbers.
 */
#ifndef DUNLIN_TESTS_RANDOM_H
#define DUNLIN_TESTS_RANDOM_H

#include <stdint.h>

/* Any state is a good start. */
typedef struct test_random {
    uint64_t state;
} test_random;

uint64_t test_bits(test_random *random);
uint32_t test_below(test_random *random, uint32_t count);       /* 0 .. count - 1 */
double test_share(test_random *random);                         /* [0, 1), in steps of 2^-53 */
float test_uniform(test_random *random, float low, float high); /* [low, high], in steps of 2^-24 of the width */
float test_nudge(test_random *random, float x, uint32_t most);  /* x, up to `most` binary32 numbers further up or down */
void test_shuffle(test_random *random, uint32_t *order, uint32_t count); /* fills order with 0 .. count - 1, shuffled */

#endif
