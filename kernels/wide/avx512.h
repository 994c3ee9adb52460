/* SPDX-License-Identifier: MIT */
/* AVX-512 F, DQ, BW and VL: 16 lanes, and masks in registers of their own. */
#ifndef DUNLIN_KERNELS_WIDE_AVX512_H
#define DUNLIN_KERNELS_WIDE_AVX512_H

#include <simde/x86/avx512.h>

#define DUNLIN_LANES 16
#define WIDE_MASK_REGISTERS

typedef simde__m512 wide;
typedef simde__mmask16 wide_mask;
typedef simde__m512i wide_int;

#include "kernels/wide/operations.h"

WIDE_INLINE wide wide_set(float a) { return simde_mm512_set1_ps(a); }
WIDE_INLINE wide wide_load(const float *p) { return simde_mm512_loadu_ps(p); }
WIDE_INLINE void wide_store(float *p, wide a) { simde_mm512_storeu_ps(p, a); }
/* SIMDe 0.7.4 lacks simde_mm512_i32gather_ps. */
WIDE_INLINE wide wide_gather(const float *base, wide_int index) {
#if defined(SIMDE_X86_AVX512F_NATIVE)
    return _mm512_i32gather_ps(index, base, 4);
#else
    int32_t from[16];
    float to[16];
    wide_int_store(from, index);
    for (int lane = 0; lane < 16; lane++) to[lane] = base[from[lane]];
    return wide_load(to);
#endif
}
WIDE_INLINE wide wide_add(wide a, wide b) { return simde_mm512_add_ps(a, b); }
WIDE_INLINE wide wide_sub(wide a, wide b) { return simde_mm512_sub_ps(a, b); }
WIDE_INLINE wide wide_mul(wide a, wide b) { return simde_mm512_mul_ps(a, b); }
WIDE_INLINE wide wide_fma(wide a, wide b, wide c) { return simde_mm512_fmadd_ps(a, b, c); }
WIDE_INLINE wide wide_div(wide a, wide b) { return simde_mm512_div_ps(a, b); }
WIDE_INLINE wide wide_sqrt(wide a) { return simde_mm512_sqrt_ps(a); }
WIDE_INLINE wide wide_min(wide a, wide b) { return simde_mm512_min_ps(a, b); }
WIDE_INLINE wide wide_max(wide a, wide b) { return simde_mm512_max_ps(a, b); }
WIDE_INLINE wide wide_across(wide a, simde__m128 (*join)(simde__m128, simde__m128)) {
    simde__m128 quarter = join(simde_mm512_extractf32x4_ps(a, 0), simde_mm512_extractf32x4_ps(a, 1));
    quarter = join(quarter, simde_mm512_extractf32x4_ps(a, 2));
    quarter = join(quarter, simde_mm512_extractf32x4_ps(a, 3));
    quarter = join(quarter, simde_mm_shuffle_ps(quarter, quarter, 0x4e));
    return wide_set(simde_mm_cvtss_f32(join(quarter, simde_mm_shuffle_ps(quarter, quarter, 0xb1))));
}
WIDE_INLINE wide wide_min_across(wide a) { return wide_across(a, simde_mm_min_ps); }
WIDE_INLINE wide wide_max_across(wide a) { return wide_across(a, simde_mm_max_ps); }

WIDE_INLINE wide_mask wide_le(wide a, wide b) { return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LE_OQ); }
WIDE_INLINE wide_mask wide_lt(wide a, wide b) { return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LT_OQ); }

WIDE_INLINE wide wide_blend(wide_mask m, wide a, wide b) { return simde_mm512_mask_blend_ps(m, b, a); }
WIDE_INLINE wide wide_keep(wide_mask m, wide a) { return simde_mm512_maskz_mov_ps(m, a); }
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) { return simde_mm512_mask_add_ps(a, m, a, b); }
WIDE_INLINE wide_int wide_count_if(wide_int a, wide_mask m) {
    return simde_mm512_mask_add_epi32(a, m, a, simde_mm512_set1_epi32(1));
}

WIDE_INLINE wide_int wide_int_set(int32_t a) { return simde_mm512_set1_epi32(a); }
WIDE_INLINE wide_int wide_int_load(const int32_t *p) { return simde_mm512_loadu_si512(p); }
WIDE_INLINE void wide_int_store(int32_t *p, wide_int a) { simde_mm512_storeu_si512(p, a); }
WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b) { return simde_mm512_cmpgt_epi32_mask(b, a); }
WIDE_INLINE wide_mask wide_and_eq(wide_mask m, wide_int a, wide_int b) { return simde_mm512_mask_cmpeq_epi32_mask(m, a, b); }
WIDE_INLINE wide_mask wide_and_ne(wide_mask m, wide_int a, wide_int b) {
    return (wide_mask)(m & ~simde_mm512_cmpeq_epi32_mask(a, b));
}
WIDE_INLINE wide_int wide_int_add(wide_int a, wide_int b) { return simde_mm512_add_epi32(a, b); }
WIDE_INLINE wide_int wide_int_mul(wide_int a, wide_int b) { return simde_mm512_mullo_epi32(a, b); }
/* Even and odd lanes separately: a product is as wide as two lanes. */
WIDE_INLINE void wide_int_multiply(wide_int a, uint32_t b, wide_int *high, wide_int *low) {
    const wide_int factor = wide_int_set((int32_t)b);
    const wide_int even = simde_mm512_mul_epu32(a, factor), odd = simde_mm512_mul_epu32(simde_mm512_srli_epi64(a, 32), factor);
    *high = simde_mm512_mask_blend_epi32(0xaaaa, simde_mm512_srli_epi64(even, 32), odd);
    *low = simde_mm512_mask_blend_epi32(0xaaaa, even, simde_mm512_slli_epi64(odd, 32));
}
WIDE_INLINE wide_int wide_int_and(wide_int a, wide_int b) { return simde_mm512_and_si512(a, b); }
WIDE_INLINE wide_int wide_int_xor(wide_int a, wide_int b) { return simde_mm512_xor_si512(a, b); }
/* Shifts by vectors: without optimisation compilers accept only literals for the others. */
WIDE_INLINE wide_int wide_int_shift_left(wide_int a, int by) { return simde_mm512_sllv_epi32(a, wide_int_set(by)); }
WIDE_INLINE wide_int wide_int_shift_right(wide_int a, int by) { return simde_mm512_srlv_epi32(a, wide_int_set(by)); }
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    *value = simde_mm_cvtsi128_si32(simde_mm512_castsi512_si128(a));
    return simde_mm512_cmpeq_epi32_mask(a, simde_mm512_set1_epi32(*value)) == 0xffff;
}
/* To a register and then to memory: some processors take a hundred cycles to compress to memory. */
WIDE_INLINE uint32_t wide_int_pack(int32_t *to, wide_mask keep, wide_int a) {
    wide_int_store(to, simde_mm512_maskz_compress_epi32(keep, a));
    return (uint32_t)__builtin_popcount(keep);
}

/* SIMDe 0.7.4 lacks both conversions. Compilers turn each of these loops into one instruction. */
WIDE_INLINE wide wide_from_int(wide_int a) {
    int32_t from[16];
    float to[16];
    wide_int_store(from, a);
    for (int lane = 0; lane < 16; lane++) to[lane] = (float)from[lane];
    return wide_load(to);
}
WIDE_INLINE wide_int wide_to_int(wide a) {
    float from[16];
    int32_t to[16];
    wide_store(from, a);
    for (int lane = 0; lane < 16; lane++) to[lane] = (int32_t)from[lane];
    return wide_int_load(to);
}
WIDE_INLINE wide_int wide_to_bits(wide a) { return simde_mm512_castps_si512(a); }
WIDE_INLINE wide wide_from_bits(wide_int bits) { return simde_mm512_castsi512_ps(bits); }

#endif
