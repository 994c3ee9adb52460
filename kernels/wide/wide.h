/* SPDX-License-Identifier: MIT */
/*
 * DUNLIN_LANES binary32 numbers at once. The only file that knows intrinsics; the kernels are written once over these
 * operations. Each is rounded once and gives every lane the same bits at every width: no FMA but an exact one, no estimates.
 * Everything is `static inline`, so that no instruction leaks from a kernel's object into another.
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
WIDE_INLINE wide_mask wide_or(wide_mask a, wide_mask b) {
    return a || b;
}
WIDE_INLINE bool wide_any(wide_mask m) {
    return m;
}
WIDE_INLINE wide wide_select(wide_mask m, wide a, wide b) {
    return m ? a : b;
}
WIDE_INLINE wide wide_keep(wide_mask m, wide a) {
    return m ? a : 0.0f;
}
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) {
    return m ? a + b : a;
}
WIDE_INLINE wide wide_least(wide a) {
    return a;
}
WIDE_INLINE wide wide_greatest(wide a) {
    return a;
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
WIDE_INLINE wide_mask wide_other_lanes(uint32_t lane) {
    return lane != 0;
}
WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b) {
    return a < b;
}
WIDE_INLINE wide_int wide_int_add(wide_int a, wide_int b) {
    return a + b;
}
WIDE_INLINE wide_int wide_int_and(wide_int a, wide_int b) {
    return a & b;
}
WIDE_INLINE wide_int wide_int_xor(wide_int a, wide_int b) {
    return a ^ b;
}
WIDE_INLINE wide_int wide_int_shift_left(wide_int a, int by) {
    return (int32_t)((uint32_t)a << by);
}
WIDE_INLINE wide_int wide_int_shift_right(wide_int a, int by) {
    return (int32_t)((uint32_t)a >> by);
}
WIDE_INLINE void wide_int_multiply(wide_int a, uint32_t b, wide_int *high, wide_int *low) {
    const uint64_t product = (uint64_t)(uint32_t)a * b;
    *high = (int32_t)(product >> 32);
    *low = (int32_t)(product & UINT32_MAX);
}
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
WIDE_INLINE uint32_t wide_int_pack(int32_t *to, wide_mask keep, wide_int a) {
    *to = a;
    return keep;
}
WIDE_INLINE wide wide_from_int(wide_int a) {
    return (float)a;
}
/* Towards zero; what does not fit is undefined. */
WIDE_INLINE wide_int wide_to_int(wide a) {
    return (int32_t)a;
}
WIDE_INLINE wide_int wide_int_mul(wide_int a, wide_int b) {
    return a * b;
}
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    *value = a;
    return true;
}
WIDE_INLINE wide wide_gather(const float *base, wide_int index) {
    return base[index];
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
WIDE_INLINE wide_mask wide_or(wide_mask a, wide_mask b) {
    return simde_mm_or_ps(a, b);
}
WIDE_INLINE bool wide_any(wide_mask m) {
    return simde_mm_movemask_ps(m) != 0;
}
WIDE_INLINE wide wide_select(wide_mask m, wide a, wide b) {
    return simde_mm_or_ps(simde_mm_and_ps(m, a), simde_mm_andnot_ps(m, b));
}
WIDE_INLINE wide wide_keep(wide_mask m, wide a) {
    return simde_mm_and_ps(m, a);
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
/* All lanes but that one; all where it is DUNLIN_LANES. */
WIDE_INLINE wide_mask wide_other_lanes(uint32_t lane) {
    static const int32_t window[2 * DUNLIN_LANES] = {-1, -1, -1, -1, 0, -1, -1, -1};
    return simde_mm_castsi128_ps(wide_int_load(window + DUNLIN_LANES - lane));
}
WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b) {
    return simde_mm_castsi128_ps(simde_mm_cmplt_epi32(a, b));
}
WIDE_INLINE wide_int wide_int_add(wide_int a, wide_int b) {
    return simde_mm_add_epi32(a, b);
}
WIDE_INLINE wide_int wide_int_and(wide_int a, wide_int b) {
    return simde_mm_and_si128(a, b);
}
WIDE_INLINE wide_int wide_int_xor(wide_int a, wide_int b) {
    return simde_mm_xor_si128(a, b);
}
WIDE_INLINE wide_int wide_int_shift_left(wide_int a, int by) {
    return simde_mm_slli_epi32(a, by);
}
WIDE_INLINE wide_int wide_int_shift_right(wide_int a, int by) {
    return simde_mm_srli_epi32(a, by);
}
/* Even and odd lanes apart: a product is two lanes wide. */
WIDE_INLINE void wide_int_multiply(wide_int a, uint32_t b, wide_int *high, wide_int *low) {
    const wide_int factor = wide_int_set((int32_t)b);
    const wide_int even = simde_mm_mul_epu32(a, factor), odd = simde_mm_mul_epu32(simde_mm_srli_epi64(a, 32), factor);
    *high = simde_mm_blend_epi16(simde_mm_srli_epi64(even, 32), odd, 0xcc);
    *low = simde_mm_blend_epi16(even, simde_mm_slli_epi64(odd, 32), 0xcc);
}
WIDE_INLINE wide_int wide_to_bits(wide a) {
    return simde_mm_castps_si128(a);
}
WIDE_INLINE wide wide_from_bits(wide_int bits) {
    return simde_mm_castsi128_ps(bits);
}
/* By the mask's bits: which bytes go where, and how many lanes are kept. */
WIDE_INLINE uint32_t wide_int_pack(int32_t *to, wide_mask keep, wide_int a) {
#define LANE(n) 4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3
    static const int8_t order[16][16] = {
        {0},
        {LANE(0)},
        {LANE(1)},
        {LANE(0), LANE(1)},
        {LANE(2)},
        {LANE(0), LANE(2)},
        {LANE(1), LANE(2)},
        {LANE(0), LANE(1), LANE(2)},
        {LANE(3)},
        {LANE(0), LANE(3)},
        {LANE(1), LANE(3)},
        {LANE(0), LANE(1), LANE(3)},
        {LANE(2), LANE(3)},
        {LANE(0), LANE(2), LANE(3)},
        {LANE(1), LANE(2), LANE(3)},
        {LANE(0), LANE(1), LANE(2), LANE(3)},
    };
#undef LANE
    static const uint8_t kept[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    const int bits = simde_mm_movemask_ps(keep);
    wide_int_store(to, simde_mm_shuffle_epi8(a, simde_mm_loadu_si128((const simde__m128i *)order[bits])));
    return kept[bits];
}
WIDE_INLINE wide wide_least(wide a) {
    a = wide_min(a, simde_mm_shuffle_ps(a, a, 0x4e));
    return wide_min(a, simde_mm_shuffle_ps(a, a, 0xb1));
}
WIDE_INLINE wide wide_greatest(wide a) {
    a = wide_max(a, simde_mm_shuffle_ps(a, a, 0x4e));
    return wide_max(a, simde_mm_shuffle_ps(a, a, 0xb1));
}
WIDE_INLINE wide wide_from_int(wide_int a) {
    return simde_mm_cvtepi32_ps(a);
}
WIDE_INLINE wide_int wide_to_int(wide a) {
    return simde_mm_cvttps_epi32(a);
}
WIDE_INLINE wide_int wide_int_mul(wide_int a, wide_int b) {
    return simde_mm_mullo_epi32(a, b);
}
/* Whether all lanes are the same; the first lane's. */
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    *value = simde_mm_cvtsi128_si32(a);
    return simde_mm_movemask_epi8(simde_mm_cmpeq_epi32(a, simde_mm_set1_epi32(*value))) == 0xffff;
}
WIDE_INLINE wide wide_gather(const float *base, wide_int index) {
    int32_t at[4];
    wide_int_store(at, index);
    return simde_mm_setr_ps(base[at[0]], base[at[1]], base[at[2]], base[at[3]]);
}

#elif DUNLIN_LANES == 8

#include <simde/x86/avx2.h>
#include <simde/x86/fma.h>

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
WIDE_INLINE wide_mask wide_or(wide_mask a, wide_mask b) {
    return simde_mm256_or_ps(a, b);
}
WIDE_INLINE bool wide_any(wide_mask m) {
    return simde_mm256_movemask_ps(m) != 0;
}
WIDE_INLINE wide wide_select(wide_mask m, wide a, wide b) {
    return simde_mm256_blendv_ps(b, a, m);
}
WIDE_INLINE wide wide_keep(wide_mask m, wide a) {
    return simde_mm256_and_ps(m, a);
}
/*
 * One instruction for two: b times 1 or 0 is exact, so the FMA rounds once, as the addition does. (b must be finite. Adding ±0
 * to sums that start at +0, and so are never -0, changes nothing.)
 */
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) {
    return simde_mm256_fmadd_ps(b, simde_mm256_and_ps(m, simde_mm256_set1_ps(1.0f)), a);
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
/* All lanes but that one; all where it is DUNLIN_LANES. */
WIDE_INLINE wide_mask wide_other_lanes(uint32_t lane) {
    static const int32_t window[2 * DUNLIN_LANES] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, -1, -1};
    return simde_mm256_castsi256_ps(wide_int_load(window + DUNLIN_LANES - lane));
}
WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b) {
    return simde_mm256_castsi256_ps(simde_mm256_cmpgt_epi32(b, a));
}
WIDE_INLINE wide_int wide_int_add(wide_int a, wide_int b) {
    return simde_mm256_add_epi32(a, b);
}
WIDE_INLINE wide_int wide_int_and(wide_int a, wide_int b) {
    return simde_mm256_and_si256(a, b);
}
WIDE_INLINE wide_int wide_int_xor(wide_int a, wide_int b) {
    return simde_mm256_xor_si256(a, b);
}
WIDE_INLINE wide_int wide_int_shift_left(wide_int a, int by) {
    return simde_mm256_slli_epi32(a, by);
}
WIDE_INLINE wide_int wide_int_shift_right(wide_int a, int by) {
    return simde_mm256_srli_epi32(a, by);
}
/* Even and odd lanes apart: a product is two lanes wide. */
WIDE_INLINE void wide_int_multiply(wide_int a, uint32_t b, wide_int *high, wide_int *low) {
    const wide_int factor = wide_int_set((int32_t)b);
    const wide_int even = simde_mm256_mul_epu32(a, factor), odd = simde_mm256_mul_epu32(simde_mm256_srli_epi64(a, 32), factor);
    *high = simde_mm256_blend_epi32(simde_mm256_srli_epi64(even, 32), odd, 0xaa);
    *low = simde_mm256_blend_epi32(even, simde_mm256_slli_epi64(odd, 32), 0xaa);
}
WIDE_INLINE wide_int wide_to_bits(wide a) {
    return simde_mm256_castps_si256(a);
}
WIDE_INLINE wide wide_from_bits(wide_int bits) {
    return simde_mm256_castsi256_ps(bits);
}
/* By the mask's bits: the numbers of the lanes that are kept, four bits each. */
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
WIDE_INLINE wide wide_least(wide a) {
    a = wide_min(a, simde_mm256_permute2f128_ps(a, a, 1));
    a = wide_min(a, simde_mm256_permute_ps(a, 0x4e));
    return wide_min(a, simde_mm256_permute_ps(a, 0xb1));
}
WIDE_INLINE wide wide_greatest(wide a) {
    a = wide_max(a, simde_mm256_permute2f128_ps(a, a, 1));
    a = wide_max(a, simde_mm256_permute_ps(a, 0x4e));
    return wide_max(a, simde_mm256_permute_ps(a, 0xb1));
}
WIDE_INLINE wide wide_from_int(wide_int a) {
    return simde_mm256_cvtepi32_ps(a);
}
WIDE_INLINE wide_int wide_to_int(wide a) {
    return simde_mm256_cvttps_epi32(a);
}
WIDE_INLINE wide_int wide_int_mul(wide_int a, wide_int b) {
    return simde_mm256_mullo_epi32(a, b);
}
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    *value = simde_mm_cvtsi128_si32(simde_mm256_castsi256_si128(a));
    return simde_mm256_movemask_epi8(simde_mm256_cmpeq_epi32(a, simde_mm256_set1_epi32(*value))) == -1;
}
WIDE_INLINE wide wide_gather(const float *base, wide_int index) {
    return simde_mm256_i32gather_ps(base, index, 4);
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
WIDE_INLINE wide_mask wide_or(wide_mask a, wide_mask b) {
    return (wide_mask)(a | b);
}
WIDE_INLINE bool wide_any(wide_mask m) {
    return m != 0;
}
WIDE_INLINE wide wide_select(wide_mask m, wide a, wide b) {
    return simde_mm512_mask_blend_ps(m, b, a);
}
WIDE_INLINE wide wide_keep(wide_mask m, wide a) {
    return simde_mm512_maskz_mov_ps(m, a);
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
WIDE_INLINE wide_mask wide_other_lanes(uint32_t lane) {
    return (wide_mask) ~(1u << lane);
}
WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b) {
    return simde_mm512_cmpgt_epi32_mask(b, a);
}
WIDE_INLINE wide_int wide_int_add(wide_int a, wide_int b) {
    return simde_mm512_add_epi32(a, b);
}
WIDE_INLINE wide_int wide_int_and(wide_int a, wide_int b) {
    return simde_mm512_and_si512(a, b);
}
WIDE_INLINE wide_int wide_int_xor(wide_int a, wide_int b) {
    return simde_mm512_xor_si512(a, b);
}
/* Shifts by vectors: unless they optimise, compilers take nothing but literals for the others. */
WIDE_INLINE wide_int wide_int_shift_left(wide_int a, int by) {
    return simde_mm512_sllv_epi32(a, wide_int_set(by));
}
WIDE_INLINE wide_int wide_int_shift_right(wide_int a, int by) {
    return simde_mm512_srlv_epi32(a, wide_int_set(by));
}
/* Even and odd lanes apart: a product is two lanes wide. */
WIDE_INLINE void wide_int_multiply(wide_int a, uint32_t b, wide_int *high, wide_int *low) {
    const wide_int factor = wide_int_set((int32_t)b);
    const wide_int even = simde_mm512_mul_epu32(a, factor), odd = simde_mm512_mul_epu32(simde_mm512_srli_epi64(a, 32), factor);
    *high = simde_mm512_mask_blend_epi32(0xaaaa, simde_mm512_srli_epi64(even, 32), odd);
    *low = simde_mm512_mask_blend_epi32(0xaaaa, even, simde_mm512_slli_epi64(odd, 32));
}
WIDE_INLINE wide_int wide_to_bits(wide a) {
    return simde_mm512_castps_si512(a);
}
WIDE_INLINE wide wide_from_bits(wide_int bits) {
    return simde_mm512_castsi512_ps(bits);
}
/* To a register and then to memory: straight to memory it takes some processors a hundred cycles. */
WIDE_INLINE uint32_t wide_int_pack(int32_t *to, wide_mask keep, wide_int a) {
    wide_int_store(to, simde_mm512_maskz_compress_epi32(keep, a));
    return (uint32_t)__builtin_popcount(keep);
}
WIDE_INLINE wide wide_least(wide a) {
    simde__m128 quarter = simde_mm_min_ps(simde_mm512_extractf32x4_ps(a, 0), simde_mm512_extractf32x4_ps(a, 1));
    quarter = simde_mm_min_ps(quarter, simde_mm512_extractf32x4_ps(a, 2));
    quarter = simde_mm_min_ps(quarter, simde_mm512_extractf32x4_ps(a, 3));
    quarter = simde_mm_min_ps(quarter, simde_mm_shuffle_ps(quarter, quarter, 0x4e));
    return wide_set(simde_mm_cvtss_f32(simde_mm_min_ps(quarter, simde_mm_shuffle_ps(quarter, quarter, 0xb1))));
}
WIDE_INLINE wide wide_greatest(wide a) {
    simde__m128 quarter = simde_mm_max_ps(simde_mm512_extractf32x4_ps(a, 0), simde_mm512_extractf32x4_ps(a, 1));
    quarter = simde_mm_max_ps(quarter, simde_mm512_extractf32x4_ps(a, 2));
    quarter = simde_mm_max_ps(quarter, simde_mm512_extractf32x4_ps(a, 3));
    quarter = simde_mm_max_ps(quarter, simde_mm_shuffle_ps(quarter, quarter, 0x4e));
    return wide_set(simde_mm_cvtss_f32(simde_mm_max_ps(quarter, simde_mm_shuffle_ps(quarter, quarter, 0xb1))));
}
/* SIMDe 0.7.4 has no simde_mm512_cvtepi32_ps, nor its inverse; compilers make one instruction of each of these loops. */
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
WIDE_INLINE wide_int wide_int_mul(wide_int a, wide_int b) {
    return simde_mm512_mullo_epi32(a, b);
}
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    *value = simde_mm_cvtsi128_si32(simde_mm512_castsi512_si128(a));
    return simde_mm512_cmpeq_epi32_mask(a, simde_mm512_set1_epi32(*value)) == 0xffff;
}
/* Nor simde_mm512_i32gather_ps. */
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

#else
#error "DUNLIN_LANES must be 1, 4, 8 or 16"
#endif

WIDE_INLINE wide wide_zero(void) {
    return wide_set(0.0f);
}

#endif
