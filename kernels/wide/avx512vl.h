/* SPDX-License-Identifier: MIT */
/*
 * AVX-512 F, DQ, BW and VL on half its registers: 8 lanes, and masks in registers of their own. A group of 8 agents has fewer
 * candidates than one of 16, and masked additions save the instructions that avx2 spends on masks.
 */
#ifndef DUNLIN_KERNELS_WIDE_AVX512VL_H
#define DUNLIN_KERNELS_WIDE_AVX512VL_H

#include <simde/x86/avx512.h>

#define DUNLIN_LANES        8
#define WIDE_MASK_REGISTERS /* a mask is no vector */

typedef simde__m256 wide;
typedef simde__mmask8 wide_mask;
typedef simde__m256i wide_int;

#include "kernels/wide/operations.h"

WIDE_INLINE wide wide_set(float a) { return simde_mm256_set1_ps(a); }
WIDE_INLINE wide wide_load(const float *p) { return simde_mm256_loadu_ps(p); }
WIDE_INLINE void wide_store(float *p, wide a) { simde_mm256_storeu_ps(p, a); }
WIDE_INLINE wide wide_gather(const float *base, wide_int index) { return simde_mm256_i32gather_ps(base, index, 4); }
WIDE_INLINE wide wide_add(wide a, wide b) { return simde_mm256_add_ps(a, b); }
WIDE_INLINE wide wide_sub(wide a, wide b) { return simde_mm256_sub_ps(a, b); }
WIDE_INLINE wide wide_mul(wide a, wide b) { return simde_mm256_mul_ps(a, b); }
WIDE_INLINE wide wide_div(wide a, wide b) { return simde_mm256_div_ps(a, b); }
WIDE_INLINE wide wide_sqrt(wide a) { return simde_mm256_sqrt_ps(a); }
WIDE_INLINE wide wide_min(wide a, wide b) { return simde_mm256_min_ps(a, b); }
WIDE_INLINE wide wide_max(wide a, wide b) { return simde_mm256_max_ps(a, b); }
WIDE_INLINE wide wide_min_across(wide a) {
    a = wide_min(a, simde_mm256_permute2f128_ps(a, a, 1));
    a = wide_min(a, simde_mm256_permute_ps(a, 0x4e));
    return wide_min(a, simde_mm256_permute_ps(a, 0xb1));
}
WIDE_INLINE wide wide_max_across(wide a) {
    a = wide_max(a, simde_mm256_permute2f128_ps(a, a, 1));
    a = wide_max(a, simde_mm256_permute_ps(a, 0x4e));
    return wide_max(a, simde_mm256_permute_ps(a, 0xb1));
}

WIDE_INLINE wide_mask wide_le(wide a, wide b) { return simde_mm256_cmp_ps_mask(a, b, SIMDE_CMP_LE_OQ); }
WIDE_INLINE wide_mask wide_lt(wide a, wide b) { return simde_mm256_cmp_ps_mask(a, b, SIMDE_CMP_LT_OQ); }
WIDE_INLINE wide_mask wide_and(wide_mask a, wide_mask b) { return (wide_mask)(a & b); }
WIDE_INLINE wide_mask wide_or(wide_mask a, wide_mask b) { return (wide_mask)(a | b); }
WIDE_INLINE bool wide_any(wide_mask m) { return m != 0; }
WIDE_INLINE wide_mask wide_other_lanes(uint32_t lane) { return (wide_mask) ~(1u << lane); }

WIDE_INLINE wide wide_blend(wide_mask m, wide a, wide b) { return simde_mm256_mask_blend_ps(m, b, a); }
WIDE_INLINE wide wide_keep(wide_mask m, wide a) { return simde_mm256_maskz_mov_ps(m, a); }

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
/* To a register and then to memory: some processors take a hundred cycles to compress to memory. */
WIDE_INLINE uint32_t wide_int_pack(int32_t *to, wide_mask keep, wide_int a) {
    wide_int_store(to, simde_mm256_maskz_compress_epi32(keep, a));
    return (uint32_t)__builtin_popcount(keep);
}

WIDE_INLINE wide wide_from_int(wide_int a) { return simde_mm256_cvtepi32_ps(a); }
WIDE_INLINE wide_int wide_to_int(wide a) { return simde_mm256_cvttps_epi32(a); }
WIDE_INLINE wide_int wide_to_bits(wide a) { return simde_mm256_castps_si256(a); }
WIDE_INLINE wide wide_from_bits(wide_int bits) { return simde_mm256_castsi256_ps(bits); }

/* SIMDe 0.7.4 lacks these on 256 bits. */
#if defined(__AVX512VL__)
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) { return _mm256_mask_add_ps(a, m, a, b); }
WIDE_INLINE wide_int wide_count_if(wide_int a, wide_mask m) { return _mm256_mask_add_epi32(a, m, a, wide_int_set(1)); }
WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b) { return _mm256_cmplt_epi32_mask(a, b); }
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    *value = _mm256_cvtsi256_si32(a);
    return _mm256_cmpeq_epi32_mask(a, wide_int_set(*value)) == 0xff;
}
#else
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) { return wide_blend(m, wide_add(a, b), a); }
WIDE_INLINE wide_int wide_count_if(wide_int a, wide_mask m) { return simde_mm256_mask_add_epi32(a, m, a, wide_int_set(1)); }
WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b) {
    return (wide_mask)simde_mm256_movemask_ps(wide_from_bits(simde_mm256_cmpgt_epi32(b, a)));
}
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    *value = simde_mm_cvtsi128_si32(simde_mm256_castsi256_si128(a));
    return simde_mm256_movemask_epi8(simde_mm256_cmpeq_epi32(a, wide_int_set(*value))) == -1;
}
#endif

#endif
