/* SPDX-License-Identifier: MIT */
/* The few operations of simd128.h that 64-bit Arm has in its own way, where SIMDe would take a detour. simd128.h includes this.
 */
#ifndef DUNLIN_KERNELS_WIDE_NEON128_H
#define DUNLIN_KERNELS_WIDE_NEON128_H

#include <arm_neon.h>

#define WIDE_MASKED_FMA

WIDE_INLINE int32x4_t neon_int(wide_int a) { return vreinterpretq_s32_s64(a); }
WIDE_INLINE wide_int neon_wide(uint32x4_t a) { return vreinterpretq_s64_u32(a); }
WIDE_INLINE uint32x4_t neon_mask(wide_mask m) { return vreinterpretq_u32_f32(m); }

WIDE_INLINE wide wide_gather(const float *base, wide_int index) {
    const int32x4_t at = neon_int(index);
    wide lanes = vdupq_n_f32(base[vgetq_lane_s32(at, 0)]);
    lanes = vld1q_lane_f32(base + vgetq_lane_s32(at, 1), lanes, 1);
    lanes = vld1q_lane_f32(base + vgetq_lane_s32(at, 2), lanes, 2);
    return vld1q_lane_f32(base + vgetq_lane_s32(at, 3), lanes, 3);
}
WIDE_INLINE wide wide_fma(wide a, wide b, wide c) { return vfmaq_f32(c, a, b); }
/* fmin and fmax treat NaN and -0 in ways of their own. */
WIDE_INLINE wide wide_min(wide a, wide b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
WIDE_INLINE wide wide_max(wide a, wide b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
WIDE_INLINE bool wide_any(wide_mask m) { return vmaxvq_u32(neon_mask(m)) != 0; }
/* One exact FMA, as in avx2.h: it multiplies by a single number, which then need not be in every lane. */
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) { return vfmaq_f32(a, b, wide_keep(m, vdupq_n_f32(1.0f))); }

WIDE_INLINE void wide_int_multiply(wide_int a, uint32_t b, wide_int *high, wide_int *low) {
    const uint32x4_t factors = vreinterpretq_u32_s64(a);
    const uint32x4_t first = vreinterpretq_u32_u64(vmull_n_u32(vget_low_u32(factors), b));
    const uint32x4_t last = vreinterpretq_u32_u64(vmull_high_n_u32(factors, b));
    *high = neon_wide(vuzp2q_u32(first, last));
    *low = neon_wide(vuzp1q_u32(first, last));
}
/* Compilers accept only literals for SIMDe's. */
WIDE_INLINE wide_int wide_int_shift_left(wide_int a, int by) { return vreinterpretq_s64_s32(neon_int(a) << by); }
WIDE_INLINE wide_int wide_int_shift_right(wide_int a, int by) { return neon_wide(vreinterpretq_u32_s64(a) >> (uint32_t)by); }
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    const int32x4_t lanes = neon_int(a);
    *value = vgetq_lane_s32(lanes, 0);
    return vminvq_u32(vceqq_s32(lanes, vdupq_laneq_s32(lanes, 0))) != 0;
}
WIDE_INLINE uint32_t wide_int_pack(int32_t *to, wide_mask keep, wide_int a) {
    static const uint32_t bit[] = {1, 2, 4, 8};
    const uint32_t bits = vaddvq_u32(vandq_u32(neon_mask(keep), vld1q_u32(bit)));
    const uint8x16_t order = vreinterpretq_u8_s8(vld1q_s8(pack_order4[bits]));
    wide_int_store(to, vreinterpretq_s64_u8(vqtbl1q_u8(vreinterpretq_u8_s64(a), order)));
    return pack_count4[bits];
}

WIDE_INLINE wide_int wide_to_int(wide a) { return vreinterpretq_s64_s32(vcvtq_s32_f32(a)); }

#endif
