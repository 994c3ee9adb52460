/* SPDX-License-Identifier: MIT */
/* The random numbers with which FLAME GPU 2 starts its Circles benchmark. */
#ifndef DUNLIN_HARNESS_VALIDATE_MERSENNE_H
#define DUNLIN_HARNESS_VALIDATE_MERSENNE_H

#include <stdint.h>

enum { MERSENNE_WORDS = 312 };

typedef struct mersenne {
    uint64_t word[MERSENNE_WORDS];
    int next;
} mersenne;

/* M. Matsumoto and T. Nishimura's twister of 64-bit words: C++'s mt19937_64. */
void mersenne_seed(mersenne *m, uint64_t seed);
uint64_t mersenne_draw(mersenne *m);

/* C++'s uniform_real_distribution<float>(0, high), as in GNU's library: one word per number. */
float mersenne_even(mersenne *m, float high);

#endif
