/* SPDX-License-Identifier: MIT */
/*
 * Exact sums of binary64 numbers, so that neither the order of additions nor the number of threads or processes shows in what
 * people see. A sum is a fixed-point number with a bit for every power of two from 2^-384 to 2^384, which holds all that can be
 * made of binary32 positions and velocities by one product. It consists of digits of 32 bits in words of 64, so additions need
 * no carry but from time to time. The idea: Neal, "Fast exact summation using small and large superaccumulators",
 * arXiv:1505.05571 (2015).
 */
#ifndef DUNLIN_ENGINE_EXACT_H
#define DUNLIN_ENGINE_EXACT_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/contract/kernel.h"

enum { DUN_EXACT_DIGITS = 24 };

/* Words of 64 bits only: processes may add up theirs word by word. */
typedef struct dun_exact {
    int64_t digit[DUN_EXACT_DIGITS]; /* of weight 2^(32·i - 384) */
    uint64_t lost;                   /* terms that were not finite, or too large: above 0, there is no sum */
} dun_exact;

/* Adds whole·2^exponent. Up to 2^29 such additions may come between two calls of another function. Bits below 2^-384 are
 * cut off. */
void dun_exact_add_whole(dun_exact *sum, int64_t whole, int exponent);

void dun_exact_add(dun_exact *sum, double term);
void dun_exact_add_all(dun_exact *sum, const dun_kernel *kernel, const double *terms, uint32_t count);
void dun_exact_add_sum(dun_exact *sum, const dun_exact *other);

/* The sum, rounded: within an ulp, and exact if a binary64 holds it. NaN: there is no sum. */
double dun_exact_value(const dun_exact *sum);

#endif
