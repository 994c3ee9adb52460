/* SPDX-License-Identifier: MIT */
/* The operations on 8 lanes without masks, for the targets avx2 and avx512vl. They define `wide_mask`, and include this file.
 */
#ifndef DUNLIN_KERNELS_WIDE_AVX256_H
#define DUNLIN_KERNELS_WIDE_AVX256_H

#define DUNLIN_LANES 8

typedef simde__m256 wide;
typedef simde__m256i wide_int;

#include "kernels/wide/operations.h"

WIDE_INLINE wide wide_set(float a) { return simde_mm256_set1_ps(a); }
WIDE_INLINE wide wide_load(const float *p) { return simde_mm256_loadu_ps(p); }
WIDE_INLINE void wide_store(float *p, wide a) { simde_mm256_storeu_ps(p, a); }
WIDE_INLINE wide wide_gather(const float *base, wide_int index) { return simde_mm256_i32gather_ps(base, index, 4); }
WIDE_INLINE wide wide_add(wide a, wide b) { return simde_mm256_add_ps(a, b); }
WIDE_INLINE wide wide_sub(wide a, wide b) { return simde_mm256_sub_ps(a, b); }
WIDE_INLINE wide wide_mul(wide a, wide b) { return simde_mm256_mul_ps(a, b); }
WIDE_INLINE wide wide_fma(wide a, wide b, wide c) { return simde_mm256_fmadd_ps(a, b, c); }
WIDE_INLINE wide wide_div(wide a, wide b) { return simde_mm256_div_ps(a, b); }
WIDE_INLINE wide wide_sqrt(wide a) { return simde_mm256_sqrt_ps(a); }
WIDE_INLINE wide wide_min(wide a, wide b) { return simde_mm256_min_ps(a, b); }
WIDE_INLINE wide wide_max(wide a, wide b) { return simde_mm256_max_ps(a, b); }
WIDE_INLINE wide wide_across(wide a, wide (*join)(wide, wide)) {
    a = join(a, simde_mm256_permute2f128_ps(a, a, 1));
    a = join(a, simde_mm256_permute_ps(a, 0x4e));
    return join(a, simde_mm256_permute_ps(a, 0xb1));
}
WIDE_INLINE wide wide_min_across(wide a) { return wide_across(a, wide_min); }
WIDE_INLINE wide wide_max_across(wide a) { return wide_across(a, wide_max); }

WIDE_INLINE wide_int wide_int_set(int32_t a) { return simde_mm256_set1_epi32(a); }
WIDE_INLINE wide_int wide_int_load(const int32_t *p) { return simde_mm256_loadu_si256((const simde__m256i *)p); }
WIDE_INLINE void wide_int_store(int32_t *p, wide_int a) { simde_mm256_storeu_si256((simde__m256i *)p, a); }
WIDE_INLINE wide_int wide_int_add(wide_int a, wide_int b) { return simde_mm256_add_epi32(a, b); }
WIDE_INLINE wide_int wide_int_mul(wide_int a, wide_int b) { return simde_mm256_mullo_epi32(a, b); }
/* Even and odd lanes separately: a product is as wide as two lanes. */
WIDE_INLINE void wide_int_multiply(wide_int a, uint32_t b, wide_int *high, wide_int *low) {
    const wide_int factor = wide_int_set((int32_t)b);
    const wide_int even = simde_mm256_mul_epu32(a, factor), odd = simde_mm256_mul_epu32(simde_mm256_srli_epi64(a, 32), factor);
    *high = simde_mm256_blend_epi32(simde_mm256_srli_epi64(even, 32), odd, 0xaa);
    *low = simde_mm256_blend_epi32(even, simde_mm256_slli_epi64(odd, 32), 0xaa);
}
WIDE_INLINE wide_int wide_int_and(wide_int a, wide_int b) { return simde_mm256_and_si256(a, b); }
WIDE_INLINE wide_int wide_int_xor(wide_int a, wide_int b) { return simde_mm256_xor_si256(a, b); }
WIDE_INLINE wide_int wide_int_shift_left(wide_int a, int by) { return simde_mm256_slli_epi32(a, by); }
WIDE_INLINE wide_int wide_int_shift_right(wide_int a, int by) { return simde_mm256_srli_epi32(a, by); }

WIDE_INLINE wide wide_from_int(wide_int a) { return simde_mm256_cvtepi32_ps(a); }
WIDE_INLINE wide_int wide_to_int(wide a) { return simde_mm256_cvttps_epi32(a); }
WIDE_INLINE wide_int wide_to_bits(wide a) { return simde_mm256_castps_si256(a); }
WIDE_INLINE wide wide_from_bits(wide_int bits) { return simde_mm256_castsi256_ps(bits); }

#endif
