/* SPDX-License-Identifier: MIT */
/*
 * AVX-512 F, DQ, BW and VL on half its registers: 8 lanes, and masks in registers of their own. A packet of 8 agents has fewer
 * candidates than one of 16, and masked additions save the instructions that avx2 spends on masks.
 */
#ifndef DUNLIN_KERNELS_WIDE_AVX512VL_H
#define DUNLIN_KERNELS_WIDE_AVX512VL_H

#include <simde/x86/avx512.h>

#define WIDE_MASK_REGISTERS

typedef simde__mmask8 wide_mask;

#include "kernels/wide/avx256.h"

WIDE_INLINE wide_mask wide_le(wide a, wide b) { return simde_mm256_cmp_ps_mask(a, b, SIMDE_CMP_LE_OQ); }
WIDE_INLINE wide_mask wide_lt(wide a, wide b) { return simde_mm256_cmp_ps_mask(a, b, SIMDE_CMP_LT_OQ); }

WIDE_INLINE wide wide_blend(wide_mask m, wide a, wide b) { return simde_mm256_mask_blend_ps(m, b, a); }
WIDE_INLINE wide wide_keep(wide_mask m, wide a) { return simde_mm256_maskz_mov_ps(m, a); }

/* To a register and then to memory: some processors take a hundred cycles to compress to memory. */
WIDE_INLINE uint32_t wide_int_pack(int32_t *to, wide_mask keep, wide_int a) {
    wide_int_store(to, simde_mm256_maskz_compress_epi32(keep, a));
    return (uint32_t)__builtin_popcount(keep);
}

/* SIMDe 0.7.4 lacks these on 256 bits. */
#if defined(__AVX512VL__)
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) { return _mm256_mask_add_ps(a, m, a, b); }
WIDE_INLINE wide_mask wide_and_eq(wide_mask m, wide_int a, wide_int b) {
    return (wide_mask)(m & _mm256_cmpeq_epi32_mask(a, b));
}
WIDE_INLINE wide_mask wide_and_ne(wide_mask m, wide_int a, wide_int b) {
    return (wide_mask)(m & _mm256_cmpneq_epi32_mask(a, b));
}
WIDE_INLINE wide_int wide_count_if(wide_int a, wide_mask m) { return _mm256_mask_add_epi32(a, m, a, wide_int_set(1)); }
WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b) { return _mm256_cmplt_epi32_mask(a, b); }
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    *value = _mm256_cvtsi256_si32(a);
    return _mm256_cmpeq_epi32_mask(a, wide_int_set(*value)) == 0xff;
}
#else
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) { return wide_blend(m, wide_add(a, b), a); }
WIDE_INLINE wide_mask wide_and_eq(wide_mask m, wide_int a, wide_int b) {
    return (wide_mask)(m & simde_mm256_movemask_ps(wide_from_bits(simde_mm256_cmpeq_epi32(a, b))));
}
WIDE_INLINE wide_mask wide_and_ne(wide_mask m, wide_int a, wide_int b) {
    return (wide_mask)(m & ~simde_mm256_movemask_ps(wide_from_bits(simde_mm256_cmpeq_epi32(a, b))));
}
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
