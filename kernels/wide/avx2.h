/* SPDX-License-Identifier: MIT */
/* AVX2 and FMA: 8 lanes. */
#ifndef DUNLIN_KERNELS_WIDE_AVX2_H
#define DUNLIN_KERNELS_WIDE_AVX2_H

#include <simde/x86/avx2.h>
#include <simde/x86/fma.h>

#define WIDE_MASKED_FMA /* wide_add_if() is one */

typedef simde__m256 wide_mask;

#include "kernels/wide/avx256.h"
#include "kernels/wide/pack.h"

WIDE_INLINE wide_mask wide_le(wide a, wide b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LE_OQ); }
WIDE_INLINE wide_mask wide_lt(wide a, wide b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LT_OQ); }
WIDE_INLINE wide_mask wide_and(wide_mask a, wide_mask b) { return simde_mm256_and_ps(a, b); }
WIDE_INLINE wide_mask wide_or(wide_mask a, wide_mask b) { return simde_mm256_or_ps(a, b); }
WIDE_INLINE bool wide_any(wide_mask m) { return simde_mm256_movemask_ps(m) != 0; }

WIDE_INLINE wide wide_blend(wide_mask m, wide a, wide b) { return simde_mm256_blendv_ps(b, a, m); }
WIDE_INLINE wide wide_keep(wide_mask m, wide a) { return simde_mm256_and_ps(m, a); }
/*
 * The product of b and 1 or 0 is exact, so the FMA rounds once, as the addition does. The `and` is shared by all additions
 * under one mask.
 */
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) {
    return simde_mm256_fmadd_ps(b, simde_mm256_and_ps(m, simde_mm256_set1_ps(1.0f)), a);
}
WIDE_INLINE wide_int wide_count_if(wide_int a, wide_mask m) { return simde_mm256_sub_epi32(a, simde_mm256_castps_si256(m)); }

WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b) { return simde_mm256_castsi256_ps(simde_mm256_cmpgt_epi32(b, a)); }
WIDE_INLINE wide_mask wide_and_eq(wide_mask m, wide_int a, wide_int b) {
    return simde_mm256_and_ps(simde_mm256_castsi256_ps(simde_mm256_cmpeq_epi32(a, b)), m);
}
WIDE_INLINE wide_mask wide_and_ne(wide_mask m, wide_int a, wide_int b) {
    return simde_mm256_andnot_ps(simde_mm256_castsi256_ps(simde_mm256_cmpeq_epi32(a, b)), m);
}
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    *value = simde_mm_cvtsi128_si32(simde_mm256_castsi256_si128(a));
    return simde_mm256_movemask_epi8(simde_mm256_cmpeq_epi32(a, simde_mm256_set1_epi32(*value))) == -1;
}

WIDE_INLINE uint32_t wide_int_pack(int32_t *to, wide_mask keep, wide_int a) {
    const uint32_t bits = (uint32_t)simde_mm256_movemask_ps(keep);
    const wide_int shifts = simde_mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    const wide_int lanes = simde_mm256_srlv_epi32(simde_mm256_set1_epi32((int32_t)pack_order8[bits]), shifts);
    wide_int_store(to, simde_mm256_permutevar8x32_epi32(a, lanes));
    return (uint32_t)__builtin_popcount(bits);
}

#endif
