/* SPDX-License-Identifier: MIT */
/* A sum of whole numbers in 128 bits. It never rounds, so it does not depend on the order of its terms: each worker may add up
 * what it likes. 2^63 terms fit. */
#ifndef DUNLIN_ENGINE_WIDE_SUM_H
#define DUNLIN_ENGINE_WIDE_SUM_H

#include <math.h>
#include <stdint.h>

/* high·2^64 + low */
typedef struct dun_wide_sum {
    uint64_t low;
    int64_t high;
} dun_wide_sum;

static inline void dun_wide_add(dun_wide_sum *sum, int64_t term) {
    const uint64_t low = sum->low + (uint64_t)term;
    sum->high += (term < 0 ? -1 : 0) + (low < sum->low);
    sum->low = low;
}

static inline void dun_wide_join(dun_wide_sum *sum, dun_wide_sum other) {
    sum->low += other.low;
    sum->high += other.high + (sum->low < other.low);
}

/* The nearest binary64, or one next to it. */
static inline double dun_wide_value(dun_wide_sum sum) {
    if (sum.high >= 0) return ldexp((double)sum.high, 64) + (double)sum.low;
    const dun_wide_sum negated = {.low = 0 - sum.low, .high = -sum.high - (sum.low != 0)};
    return -(ldexp((double)negated.high, 64) + (double)negated.low);
}

#endif
