/* SPDX-License-Identifier: MIT */
/* Plain C, one agent at a time: the reference. */
#ifndef DUNLIN_KERNELS_WIDE_SCALAR_H
#define DUNLIN_KERNELS_WIDE_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

#define DUNLIN_LANES 1

typedef float wide;
typedef bool wide_mask;
typedef int32_t wide_int;

#include "kernels/wide/operations.h"

WIDE_INLINE wide wide_set(float a) { return a; }
WIDE_INLINE wide wide_load(const float *p) { return *p; }
WIDE_INLINE void wide_store(float *p, wide a) { *p = a; }
WIDE_INLINE wide wide_gather(const float *base, wide_int index) { return base[index]; }
WIDE_INLINE wide wide_add(wide a, wide b) { return a + b; }
WIDE_INLINE wide wide_sub(wide a, wide b) { return a - b; }
WIDE_INLINE wide wide_mul(wide a, wide b) { return a * b; }
WIDE_INLINE wide wide_fma(wide a, wide b, wide c) { return a * b + c; }
WIDE_INLINE wide wide_div(wide a, wide b) { return a / b; }
WIDE_INLINE wide wide_sqrt(wide a) { return __builtin_sqrtf(a); }
WIDE_INLINE wide wide_min(wide a, wide b) { return a < b ? a : b; }
WIDE_INLINE wide wide_max(wide a, wide b) { return a > b ? a : b; }
WIDE_INLINE wide wide_min_across(wide a) { return a; }
WIDE_INLINE wide wide_max_across(wide a) { return a; }

WIDE_INLINE wide_mask wide_le(wide a, wide b) { return a <= b; }
WIDE_INLINE wide_mask wide_lt(wide a, wide b) { return a < b; }
WIDE_INLINE wide_mask wide_and(wide_mask a, wide_mask b) { return a && b; }
WIDE_INLINE wide_mask wide_or(wide_mask a, wide_mask b) { return a || b; }
WIDE_INLINE bool wide_any(wide_mask m) { return m; }

WIDE_INLINE wide wide_blend(wide_mask m, wide a, wide b) { return m ? a : b; }
WIDE_INLINE wide wide_keep(wide_mask m, wide a) { return m ? a : 0.0f; }
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) { return m ? a + b : a; }
WIDE_INLINE wide_int wide_count_if(wide_int a, wide_mask m) { return a + m; }

WIDE_INLINE wide_int wide_int_set(int32_t a) { return a; }
WIDE_INLINE wide_int wide_int_load(const int32_t *p) { return *p; }
WIDE_INLINE void wide_int_store(int32_t *p, wide_int a) { *p = a; }
WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b) { return a < b; }
WIDE_INLINE wide_mask wide_and_eq(wide_mask m, wide_int a, wide_int b) { return m && a == b; }
WIDE_INLINE wide_mask wide_and_ne(wide_mask m, wide_int a, wide_int b) { return m && a != b; }
WIDE_INLINE wide_int wide_int_add(wide_int a, wide_int b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
WIDE_INLINE wide_int wide_int_mul(wide_int a, wide_int b) { return (int32_t)((uint32_t)a * (uint32_t)b); }
WIDE_INLINE void wide_int_multiply(wide_int a, uint32_t b, wide_int *high, wide_int *low) {
    const uint64_t product = (uint64_t)(uint32_t)a * b;
    *high = (int32_t)(product >> 32);
    *low = (int32_t)(product & UINT32_MAX);
}
WIDE_INLINE wide_int wide_int_and(wide_int a, wide_int b) { return a & b; }
WIDE_INLINE wide_int wide_int_xor(wide_int a, wide_int b) { return a ^ b; }
WIDE_INLINE wide_int wide_int_shift_left(wide_int a, int by) { return (int32_t)((uint32_t)a << by); }
WIDE_INLINE wide_int wide_int_shift_right(wide_int a, int by) { return (int32_t)((uint32_t)a >> by); }
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    *value = a;
    return true;
}
WIDE_INLINE uint32_t wide_int_pack(int32_t *to, wide_mask keep, wide_int a) {
    *to = a;
    return keep;
}

WIDE_INLINE wide wide_from_int(wide_int a) { return (float)a; }
WIDE_INLINE wide_int wide_to_int(wide a) { return (int32_t)a; }
WIDE_INLINE wide_int wide_to_bits(wide a) {
    wide_int bits;
    __builtin_memcpy(&bits, &a, sizeof bits);
    return bits;
}
WIDE_INLINE wide wide_from_bits(wide_int bits) {
    wide a;
    __builtin_memcpy(&a, &bits, sizeof a);
    return a;
}

#endif
