/* SPDX-License-Identifier: MIT */
/* SSE4.1, and through SIMDe what NEON has for it: 4 lanes. */
#ifndef DUNLIN_KERNELS_WIDE_SIMD128_H
#define DUNLIN_KERNELS_WIDE_SIMD128_H

#include <simde/x86/sse4.1.h>

#define DUNLIN_LANES 4

typedef simde__m128 wide;
typedef simde__m128 wide_mask;
typedef simde__m128i wide_int;

#include "kernels/wide/pack.h"
#include "kernels/wide/operations.h"

WIDE_INLINE wide wide_set(float a) { return simde_mm_set1_ps(a); }
WIDE_INLINE wide wide_load(const float *p) { return simde_mm_loadu_ps(p); }
WIDE_INLINE void wide_store(float *p, wide a) { simde_mm_storeu_ps(p, a); }
WIDE_INLINE wide wide_add(wide a, wide b) { return simde_mm_add_ps(a, b); }
WIDE_INLINE wide wide_sub(wide a, wide b) { return simde_mm_sub_ps(a, b); }
WIDE_INLINE wide wide_mul(wide a, wide b) { return simde_mm_mul_ps(a, b); }
WIDE_INLINE wide wide_div(wide a, wide b) { return simde_mm_div_ps(a, b); }
WIDE_INLINE wide wide_sqrt(wide a) { return simde_mm_sqrt_ps(a); }
WIDE_INLINE wide wide_across(wide a, wide (*join)(wide, wide)) {
    a = join(a, simde_mm_shuffle_ps(a, a, 0x4e));
    return join(a, simde_mm_shuffle_ps(a, a, 0xb1));
}
WIDE_INLINE wide wide_min_across(wide a) { return wide_across(a, wide_min); }
WIDE_INLINE wide wide_max_across(wide a) { return wide_across(a, wide_max); }

WIDE_INLINE wide_mask wide_le(wide a, wide b) { return simde_mm_cmple_ps(a, b); }
WIDE_INLINE wide_mask wide_lt(wide a, wide b) { return simde_mm_cmplt_ps(a, b); }
WIDE_INLINE wide_mask wide_and(wide_mask a, wide_mask b) { return simde_mm_and_ps(a, b); }
WIDE_INLINE wide_mask wide_or(wide_mask a, wide_mask b) { return simde_mm_or_ps(a, b); }

WIDE_INLINE wide wide_blend(wide_mask m, wide a, wide b) {
    return simde_mm_or_ps(simde_mm_and_ps(m, a), simde_mm_andnot_ps(m, b));
}
WIDE_INLINE wide wide_keep(wide_mask m, wide a) { return simde_mm_and_ps(m, a); }
WIDE_INLINE wide_int wide_count_if(wide_int a, wide_mask m) { return simde_mm_sub_epi32(a, simde_mm_castps_si128(m)); }

WIDE_INLINE wide_int wide_int_set(int32_t a) { return simde_mm_set1_epi32(a); }
WIDE_INLINE wide_int wide_int_load(const int32_t *p) { return simde_mm_loadu_si128((const simde__m128i *)p); }
WIDE_INLINE void wide_int_store(int32_t *p, wide_int a) { simde_mm_storeu_si128((simde__m128i *)p, a); }
WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b) { return simde_mm_castsi128_ps(simde_mm_cmplt_epi32(a, b)); }
WIDE_INLINE wide_mask wide_and_eq(wide_mask m, wide_int a, wide_int b) {
    return simde_mm_and_ps(simde_mm_castsi128_ps(simde_mm_cmpeq_epi32(a, b)), m);
}
WIDE_INLINE wide_mask wide_and_ne(wide_mask m, wide_int a, wide_int b) {
    return simde_mm_andnot_ps(simde_mm_castsi128_ps(simde_mm_cmpeq_epi32(a, b)), m);
}
WIDE_INLINE wide_int wide_int_add(wide_int a, wide_int b) { return simde_mm_add_epi32(a, b); }
WIDE_INLINE wide_int wide_int_mul(wide_int a, wide_int b) { return simde_mm_mullo_epi32(a, b); }
WIDE_INLINE wide_int wide_int_and(wide_int a, wide_int b) { return simde_mm_and_si128(a, b); }
WIDE_INLINE wide_int wide_int_xor(wide_int a, wide_int b) { return simde_mm_xor_si128(a, b); }

WIDE_INLINE wide wide_from_int(wide_int a) { return simde_mm_cvtepi32_ps(a); }
WIDE_INLINE wide_int wide_to_bits(wide a) { return simde_mm_castps_si128(a); }
WIDE_INLINE wide wide_from_bits(wide_int bits) { return simde_mm_castsi128_ps(bits); }

#if defined(__aarch64__)
#include "kernels/wide/neon128.h"
#else
WIDE_INLINE wide wide_gather(const float *base, wide_int index) {
    int32_t at[4];
    wide_int_store(at, index);
    return simde_mm_setr_ps(base[at[0]], base[at[1]], base[at[2]], base[at[3]]);
}
WIDE_INLINE wide wide_fma(wide a, wide b, wide c) { return wide_add(wide_mul(a, b), c); }
WIDE_INLINE wide wide_min(wide a, wide b) { return simde_mm_min_ps(a, b); }
WIDE_INLINE wide wide_max(wide a, wide b) { return simde_mm_max_ps(a, b); }
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) { return simde_mm_add_ps(a, simde_mm_and_ps(m, b)); }
WIDE_INLINE bool wide_any(wide_mask m) { return simde_mm_movemask_ps(m) != 0; }
/* Even and odd lanes separately: a product is as wide as two lanes. */
WIDE_INLINE void wide_int_multiply(wide_int a, uint32_t b, wide_int *high, wide_int *low) {
    const wide_int factor = wide_int_set((int32_t)b);
    const wide_int even = simde_mm_mul_epu32(a, factor), odd = simde_mm_mul_epu32(simde_mm_srli_epi64(a, 32), factor);
    *high = simde_mm_blend_epi16(simde_mm_srli_epi64(even, 32), odd, 0xcc);
    *low = simde_mm_blend_epi16(even, simde_mm_slli_epi64(odd, 32), 0xcc);
}
WIDE_INLINE wide_int wide_int_shift_left(wide_int a, int by) { return simde_mm_slli_epi32(a, by); }
WIDE_INLINE wide_int wide_int_shift_right(wide_int a, int by) { return simde_mm_srli_epi32(a, by); }
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    *value = simde_mm_cvtsi128_si32(a);
    return simde_mm_movemask_epi8(simde_mm_cmpeq_epi32(a, simde_mm_set1_epi32(*value))) == 0xffff;
}
WIDE_INLINE uint32_t wide_int_pack(int32_t *to, wide_mask keep, wide_int a) {
    const int bits = simde_mm_movemask_ps(keep);
    wide_int_store(to, simde_mm_shuffle_epi8(a, simde_mm_loadu_si128((const simde__m128i *)pack_order4[bits])));
    return pack_count4[bits];
}
WIDE_INLINE wide_int wide_to_int(wide a) { return simde_mm_cvttps_epi32(a); }
#endif

#endif
