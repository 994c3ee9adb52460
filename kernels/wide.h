/* SPDX-License-Identifier: MIT */
/*
 * DUNLIN_LANES binary32 numbers at once. The only file that knows intrinsics; the kernels are written once over these operations.
 * Each is rounded once and gives every lane the same bits at every width: no FMA, no estimates. Everything is `static inline`, so
 * that no instruction leaks from a kernel's object into another.
 *
 * Comparisons with NaN are false. min and max return the second operand where one is NaN, as SSE does.
 */
#ifndef DUNLIN_KERNELS_WIDE_H
#define DUNLIN_KERNELS_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#define WIDE_INLINE static inline __attribute__((always_inline, unused))

#if DUNLIN_LANES == 1

typedef float wide;
typedef bool wide_mask;
typedef int32_t wide_int;

WIDE_INLINE wide wide_set(float a) {
    return a;
}
WIDE_INLINE wide wide_load(const float *p) {
    return *p;
}
WIDE_INLINE void wide_store(float *p, wide a) {
    *p = a;
}
WIDE_INLINE wide wide_add(wide a, wide b) {
    return a + b;
}
WIDE_INLINE wide wide_sub(wide a, wide b) {
    return a - b;
}
WIDE_INLINE wide wide_mul(wide a, wide b) {
    return a * b;
}
WIDE_INLINE wide wide_div(wide a, wide b) {
    return a / b;
}
WIDE_INLINE wide wide_sqrt(wide a) {
    return __builtin_sqrtf(a);
}
WIDE_INLINE wide wide_min(wide a, wide b) {
    return a < b ? a : b;
}
WIDE_INLINE wide wide_max(wide a, wide b) {
    return a > b ? a : b;
}
WIDE_INLINE wide_mask wide_le(wide a, wide b) {
    return a <= b;
}
WIDE_INLINE wide_mask wide_lt(wide a, wide b) {
    return a < b;
}
WIDE_INLINE wide_mask wide_and(wide_mask a, wide_mask b) {
    return a && b;
}
WIDE_INLINE wide wide_select(wide_mask m, wide a, wide b) {
    return m ? a : b;
}
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) {
    return m ? a + b : a;
}
WIDE_INLINE wide_int wide_int_set(int32_t a) {
    return a;
}
WIDE_INLINE wide_int wide_int_load(const int32_t *p) {
    return *p;
}
WIDE_INLINE void wide_int_store(int32_t *p, wide_int a) {
    *p = a;
}
WIDE_INLINE wide_int wide_count_if(wide_int a, wide_mask m) {
    return a + m;
}
WIDE_INLINE wide_mask wide_int_differ(wide_int a, wide_int b) {
    return a != b;
}
WIDE_INLINE wide wide_from_int(wide_int a) {
    return (float)a;
}

#elif DUNLIN_LANES == 4

#include <simde/x86/sse4.1.h>

typedef simde__m128 wide;
typedef simde__m128 wide_mask;
typedef simde__m128i wide_int;

WIDE_INLINE wide wide_set(float a) {
    return simde_mm_set1_ps(a);
}
WIDE_INLINE wide wide_load(const float *p) {
    return simde_mm_loadu_ps(p);
}
WIDE_INLINE void wide_store(float *p, wide a) {
    simde_mm_storeu_ps(p, a);
}
WIDE_INLINE wide wide_add(wide a, wide b) {
    return simde_mm_add_ps(a, b);
}
WIDE_INLINE wide wide_sub(wide a, wide b) {
    return simde_mm_sub_ps(a, b);
}
WIDE_INLINE wide wide_mul(wide a, wide b) {
    return simde_mm_mul_ps(a, b);
}
WIDE_INLINE wide wide_div(wide a, wide b) {
    return simde_mm_div_ps(a, b);
}
WIDE_INLINE wide wide_sqrt(wide a) {
    return simde_mm_sqrt_ps(a);
}
WIDE_INLINE wide_mask wide_le(wide a, wide b) {
    return simde_mm_cmple_ps(a, b);
}
WIDE_INLINE wide_mask wide_lt(wide a, wide b) {
    return simde_mm_cmplt_ps(a, b);
}
WIDE_INLINE wide_mask wide_and(wide_mask a, wide_mask b) {
    return simde_mm_and_ps(a, b);
}
WIDE_INLINE wide wide_select(wide_mask m, wide a, wide b) {
    return simde_mm_or_ps(simde_mm_and_ps(m, a), simde_mm_andnot_ps(m, b));
}
#if defined(__SSE4_1__)
WIDE_INLINE wide wide_min(wide a, wide b) {
    return simde_mm_min_ps(a, b);
}
WIDE_INLINE wide wide_max(wide a, wide b) {
    return simde_mm_max_ps(a, b);
}
#else /* other machines' min and max treat NaN and -0 in their own ways */
WIDE_INLINE wide wide_min(wide a, wide b) {
    return wide_select(wide_lt(a, b), a, b);
}
WIDE_INLINE wide wide_max(wide a, wide b) {
    return wide_select(wide_lt(b, a), a, b);
}
#endif
/* The sums that this is for start at +0 and so are never -0: adding +0 changes nothing. */
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) {
    return simde_mm_add_ps(a, simde_mm_and_ps(m, b));
}
WIDE_INLINE wide_int wide_int_set(int32_t a) {
    return simde_mm_set1_epi32(a);
}
WIDE_INLINE wide_int wide_int_load(const int32_t *p) {
    return simde_mm_loadu_si128((const simde__m128i *)p);
}
WIDE_INLINE void wide_int_store(int32_t *p, wide_int a) {
    simde_mm_storeu_si128((simde__m128i *)p, a);
}
WIDE_INLINE wide_int wide_count_if(wide_int a, wide_mask m) {
    return simde_mm_sub_epi32(a, simde_mm_castps_si128(m));
}
WIDE_INLINE wide_mask wide_int_differ(wide_int a, wide_int b) {
    const wide_int same = simde_mm_cmpeq_epi32(a, b);
    return simde_mm_castsi128_ps(simde_mm_cmpeq_epi32(same, simde_mm_setzero_si128()));
}
WIDE_INLINE wide wide_from_int(wide_int a) {
    return simde_mm_cvtepi32_ps(a);
}

#elif DUNLIN_LANES == 8

#include <simde/x86/avx2.h>

typedef simde__m256 wide;
typedef simde__m256 wide_mask;
typedef simde__m256i wide_int;

WIDE_INLINE wide wide_set(float a) {
    return simde_mm256_set1_ps(a);
}
WIDE_INLINE wide wide_load(const float *p) {
    return simde_mm256_loadu_ps(p);
}
WIDE_INLINE void wide_store(float *p, wide a) {
    simde_mm256_storeu_ps(p, a);
}
WIDE_INLINE wide wide_add(wide a, wide b) {
    return simde_mm256_add_ps(a, b);
}
WIDE_INLINE wide wide_sub(wide a, wide b) {
    return simde_mm256_sub_ps(a, b);
}
WIDE_INLINE wide wide_mul(wide a, wide b) {
    return simde_mm256_mul_ps(a, b);
}
WIDE_INLINE wide wide_div(wide a, wide b) {
    return simde_mm256_div_ps(a, b);
}
WIDE_INLINE wide wide_sqrt(wide a) {
    return simde_mm256_sqrt_ps(a);
}
WIDE_INLINE wide wide_min(wide a, wide b) {
    return simde_mm256_min_ps(a, b);
}
WIDE_INLINE wide wide_max(wide a, wide b) {
    return simde_mm256_max_ps(a, b);
}
WIDE_INLINE wide_mask wide_le(wide a, wide b) {
    return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LE_OQ);
}
WIDE_INLINE wide_mask wide_lt(wide a, wide b) {
    return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LT_OQ);
}
WIDE_INLINE wide_mask wide_and(wide_mask a, wide_mask b) {
    return simde_mm256_and_ps(a, b);
}
WIDE_INLINE wide wide_select(wide_mask m, wide a, wide b) {
    return simde_mm256_blendv_ps(b, a, m);
}
/* The sums that this is for start at +0 and so are never -0: adding +0 changes nothing. */
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) {
    return simde_mm256_add_ps(a, simde_mm256_and_ps(m, b));
}
WIDE_INLINE wide_int wide_int_set(int32_t a) {
    return simde_mm256_set1_epi32(a);
}
WIDE_INLINE wide_int wide_int_load(const int32_t *p) {
    return simde_mm256_loadu_si256((const simde__m256i *)p);
}
WIDE_INLINE void wide_int_store(int32_t *p, wide_int a) {
    simde_mm256_storeu_si256((simde__m256i *)p, a);
}
WIDE_INLINE wide_int wide_count_if(wide_int a, wide_mask m) {
    return simde_mm256_sub_epi32(a, simde_mm256_castps_si256(m));
}
WIDE_INLINE wide_mask wide_int_differ(wide_int a, wide_int b) {
    const wide_int same = simde_mm256_cmpeq_epi32(a, b);
    return simde_mm256_castsi256_ps(simde_mm256_cmpeq_epi32(same, simde_mm256_setzero_si256()));
}
WIDE_INLINE wide wide_from_int(wide_int a) {
    return simde_mm256_cvtepi32_ps(a);
}

#elif DUNLIN_LANES == 16

#include <simde/x86/avx512.h>

typedef simde__m512 wide;
typedef simde__mmask16 wide_mask;
typedef simde__m512i wide_int;

WIDE_INLINE wide wide_set(float a) {
    return simde_mm512_set1_ps(a);
}
WIDE_INLINE wide wide_load(const float *p) {
    return simde_mm512_loadu_ps(p);
}
WIDE_INLINE void wide_store(float *p, wide a) {
    simde_mm512_storeu_ps(p, a);
}
WIDE_INLINE wide wide_add(wide a, wide b) {
    return simde_mm512_add_ps(a, b);
}
WIDE_INLINE wide wide_sub(wide a, wide b) {
    return simde_mm512_sub_ps(a, b);
}
WIDE_INLINE wide wide_mul(wide a, wide b) {
    return simde_mm512_mul_ps(a, b);
}
WIDE_INLINE wide wide_div(wide a, wide b) {
    return simde_mm512_div_ps(a, b);
}
WIDE_INLINE wide wide_sqrt(wide a) {
    return simde_mm512_sqrt_ps(a);
}
WIDE_INLINE wide wide_min(wide a, wide b) {
    return simde_mm512_min_ps(a, b);
}
WIDE_INLINE wide wide_max(wide a, wide b) {
    return simde_mm512_max_ps(a, b);
}
WIDE_INLINE wide_mask wide_le(wide a, wide b) {
    return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LE_OQ);
}
WIDE_INLINE wide_mask wide_lt(wide a, wide b) {
    return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LT_OQ);
}
WIDE_INLINE wide_mask wide_and(wide_mask a, wide_mask b) {
    return (wide_mask)(a & b);
}
WIDE_INLINE wide wide_select(wide_mask m, wide a, wide b) {
    return simde_mm512_mask_blend_ps(m, b, a);
}
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) {
    return simde_mm512_mask_add_ps(a, m, a, b);
}
WIDE_INLINE wide_int wide_int_set(int32_t a) {
    return simde_mm512_set1_epi32(a);
}
WIDE_INLINE wide_int wide_int_load(const int32_t *p) {
    return simde_mm512_loadu_si512(p);
}
WIDE_INLINE void wide_int_store(int32_t *p, wide_int a) {
    simde_mm512_storeu_si512(p, a);
}
WIDE_INLINE wide_int wide_count_if(wide_int a, wide_mask m) {
    return simde_mm512_mask_add_epi32(a, m, a, simde_mm512_set1_epi32(1));
}
WIDE_INLINE wide_mask wide_int_differ(wide_int a, wide_int b) {
    return (wide_mask)~simde_mm512_cmpeq_epi32_mask(a, b);
}
/* SIMDe 0.7.4 has no simde_mm512_cvtepi32_ps; compilers make one instruction of this loop. */
WIDE_INLINE wide wide_from_int(wide_int a) {
    int32_t from[16];
    float to[16];
    wide_int_store(from, a);
    for (int lane = 0; lane < 16; lane++) to[lane] = (float)from[lane];
    return wide_load(to);
}

#else
#error "DUNLIN_LANES must be 1, 4, 8 or 16"
#endif

WIDE_INLINE wide wide_zero(void) {
    return wide_set(0.0f);
}

#endif
