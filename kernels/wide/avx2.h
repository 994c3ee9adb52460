/* SPDX-License-Identifier: MIT */
/* AVX2 and FMA: 8 lanes. */
#ifndef DUNLIN_KERNELS_WIDE_AVX2_H
#define DUNLIN_KERNELS_WIDE_AVX2_H

#include <simde/x86/avx2.h>
#include <simde/x86/fma.h>

#define DUNLIN_LANES 8

typedef simde__m256 wide;
typedef simde__m256 wide_mask;
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

WIDE_INLINE wide_mask wide_le(wide a, wide b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LE_OQ); }
WIDE_INLINE wide_mask wide_lt(wide a, wide b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LT_OQ); }
WIDE_INLINE wide_mask wide_and(wide_mask a, wide_mask b) { return simde_mm256_and_ps(a, b); }
WIDE_INLINE wide_mask wide_or(wide_mask a, wide_mask b) { return simde_mm256_or_ps(a, b); }
WIDE_INLINE bool wide_any(wide_mask m) { return simde_mm256_movemask_ps(m) != 0; }
WIDE_INLINE wide_mask wide_other_lanes(uint32_t lane) {
    static const int32_t window[2 * DUNLIN_LANES] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1};
    return simde_mm256_castsi256_ps(wide_int_load(window + DUNLIN_LANES - lane));
}

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

WIDE_INLINE wide_int wide_int_set(int32_t a) { return simde_mm256_set1_epi32(a); }
WIDE_INLINE wide_int wide_int_load(const int32_t *p) { return simde_mm256_loadu_si256((const simde__m256i *)p); }
WIDE_INLINE void wide_int_store(int32_t *p, wide_int a) { simde_mm256_storeu_si256((simde__m256i *)p, a); }
WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b) { return simde_mm256_castsi256_ps(simde_mm256_cmpgt_epi32(b, a)); }
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
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    *value = simde_mm_cvtsi128_si32(simde_mm256_castsi256_si128(a));
    return simde_mm256_movemask_epi8(simde_mm256_cmpeq_epi32(a, simde_mm256_set1_epi32(*value))) == -1;
}
/* The mask's bits select the numbers of the lanes that are kept, four bits each. */
WIDE_INLINE uint32_t wide_int_pack(int32_t *to, wide_mask keep, wide_int a) {
    static const uint32_t order[256] = {
        0x00000000, 0x00000000, 0x00000001, 0x00000010, 0x00000002, 0x00000020, 0x00000021, 0x00000210, 0x00000003, 0x00000030,
        0x00000031, 0x00000310, 0x00000032, 0x00000320, 0x00000321, 0x00003210, 0x00000004, 0x00000040, 0x00000041, 0x00000410,
        0x00000042, 0x00000420, 0x00000421, 0x00004210, 0x00000043, 0x00000430, 0x00000431, 0x00004310, 0x00000432, 0x00004320,
        0x00004321, 0x00043210, 0x00000005, 0x00000050, 0x00000051, 0x00000510, 0x00000052, 0x00000520, 0x00000521, 0x00005210,
        0x00000053, 0x00000530, 0x00000531, 0x00005310, 0x00000532, 0x00005320, 0x00005321, 0x00053210, 0x00000054, 0x00000540,
        0x00000541, 0x00005410, 0x00000542, 0x00005420, 0x00005421, 0x00054210, 0x00000543, 0x00005430, 0x00005431, 0x00054310,
        0x00005432, 0x00054320, 0x00054321, 0x00543210, 0x00000006, 0x00000060, 0x00000061, 0x00000610, 0x00000062, 0x00000620,
        0x00000621, 0x00006210, 0x00000063, 0x00000630, 0x00000631, 0x00006310, 0x00000632, 0x00006320, 0x00006321, 0x00063210,
        0x00000064, 0x00000640, 0x00000641, 0x00006410, 0x00000642, 0x00006420, 0x00006421, 0x00064210, 0x00000643, 0x00006430,
        0x00006431, 0x00064310, 0x00006432, 0x00064320, 0x00064321, 0x00643210, 0x00000065, 0x00000650, 0x00000651, 0x00006510,
        0x00000652, 0x00006520, 0x00006521, 0x00065210, 0x00000653, 0x00006530, 0x00006531, 0x00065310, 0x00006532, 0x00065320,
        0x00065321, 0x00653210, 0x00000654, 0x00006540, 0x00006541, 0x00065410, 0x00006542, 0x00065420, 0x00065421, 0x00654210,
        0x00006543, 0x00065430, 0x00065431, 0x00654310, 0x00065432, 0x00654320, 0x00654321, 0x06543210, 0x00000007, 0x00000070,
        0x00000071, 0x00000710, 0x00000072, 0x00000720, 0x00000721, 0x00007210, 0x00000073, 0x00000730, 0x00000731, 0x00007310,
        0x00000732, 0x00007320, 0x00007321, 0x00073210, 0x00000074, 0x00000740, 0x00000741, 0x00007410, 0x00000742, 0x00007420,
        0x00007421, 0x00074210, 0x00000743, 0x00007430, 0x00007431, 0x00074310, 0x00007432, 0x00074320, 0x00074321, 0x00743210,
        0x00000075, 0x00000750, 0x00000751, 0x00007510, 0x00000752, 0x00007520, 0x00007521, 0x00075210, 0x00000753, 0x00007530,
        0x00007531, 0x00075310, 0x00007532, 0x00075320, 0x00075321, 0x00753210, 0x00000754, 0x00007540, 0x00007541, 0x00075410,
        0x00007542, 0x00075420, 0x00075421, 0x00754210, 0x00007543, 0x00075430, 0x00075431, 0x00754310, 0x00075432, 0x00754320,
        0x00754321, 0x07543210, 0x00000076, 0x00000760, 0x00000761, 0x00007610, 0x00000762, 0x00007620, 0x00007621, 0x00076210,
        0x00000763, 0x00007630, 0x00007631, 0x00076310, 0x00007632, 0x00076320, 0x00076321, 0x00763210, 0x00000764, 0x00007640,
        0x00007641, 0x00076410, 0x00007642, 0x00076420, 0x00076421, 0x00764210, 0x00007643, 0x00076430, 0x00076431, 0x00764310,
        0x00076432, 0x00764320, 0x00764321, 0x07643210, 0x00000765, 0x00007650, 0x00007651, 0x00076510, 0x00007652, 0x00076520,
        0x00076521, 0x00765210, 0x00007653, 0x00076530, 0x00076531, 0x00765310, 0x00076532, 0x00765320, 0x00765321, 0x07653210,
        0x00007654, 0x00076540, 0x00076541, 0x00765410, 0x00076542, 0x00765420, 0x00765421, 0x07654210, 0x00076543, 0x00765430,
        0x00765431, 0x07654310, 0x00765432, 0x07654320, 0x07654321, 0x76543210,
    };
    const uint32_t bits = (uint32_t)simde_mm256_movemask_ps(keep);
    const wide_int shifts = simde_mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    const wide_int lanes = simde_mm256_srlv_epi32(simde_mm256_set1_epi32((int32_t)order[bits]), shifts);
    wide_int_store(to, simde_mm256_permutevar8x32_epi32(a, lanes));
    return (uint32_t)__builtin_popcount(bits);
}

WIDE_INLINE wide wide_from_int(wide_int a) { return simde_mm256_cvtepi32_ps(a); }
WIDE_INLINE wide_int wide_to_int(wide a) { return simde_mm256_cvttps_epi32(a); }
WIDE_INLINE wide_int wide_to_bits(wide a) { return simde_mm256_castps_si256(a); }
WIDE_INLINE wide wide_from_bits(wide_int bits) { return simde_mm256_castsi256_ps(bits); }

#endif
