/* SPDX-License-Identifier: MIT */
/* WebAssembly's 128 bits: 4 lanes. SIMDe makes up for SSE4.1 what these instructions do directly. */
#ifndef DUNLIN_KERNELS_WIDE_WASM128_H
#define DUNLIN_KERNELS_WIDE_WASM128_H

#include <wasm_simd128.h>

#define DUNLIN_LANES 4

typedef v128_t wide;
typedef v128_t wide_mask;
typedef v128_t wide_int;

#include "kernels/wide/pack.h"
#include "kernels/wide/operations.h"

WIDE_INLINE wide wide_set(float a) { return wasm_f32x4_splat(a); }
WIDE_INLINE wide wide_load(const float *p) { return wasm_v128_load(p); }
WIDE_INLINE void wide_store(float *p, wide a) { wasm_v128_store(p, a); }
WIDE_INLINE wide wide_gather(const float *base, wide_int index) {
    return wasm_f32x4_make(base[wasm_i32x4_extract_lane(index, 0)], base[wasm_i32x4_extract_lane(index, 1)],
                           base[wasm_i32x4_extract_lane(index, 2)], base[wasm_i32x4_extract_lane(index, 3)]);
}
WIDE_INLINE wide wide_add(wide a, wide b) { return wasm_f32x4_add(a, b); }
WIDE_INLINE wide wide_sub(wide a, wide b) { return wasm_f32x4_sub(a, b); }
WIDE_INLINE wide wide_mul(wide a, wide b) { return wasm_f32x4_mul(a, b); }
WIDE_INLINE wide wide_fma(wide a, wide b, wide c) { return wasm_f32x4_add(wasm_f32x4_mul(a, b), c); }
WIDE_INLINE wide wide_div(wide a, wide b) { return wasm_f32x4_div(a, b); }
WIDE_INLINE wide wide_sqrt(wide a) { return wasm_f32x4_sqrt(a); }
/* pmin(a, b) is b < a ? b : a. */
WIDE_INLINE wide wide_min(wide a, wide b) { return wasm_f32x4_pmin(b, a); }
WIDE_INLINE wide wide_max(wide a, wide b) { return wasm_f32x4_pmax(b, a); }
WIDE_INLINE wide wide_across(wide a, wide (*join)(wide, wide)) {
    a = join(a, wasm_i32x4_shuffle(a, a, 2, 3, 0, 1));
    return join(a, wasm_i32x4_shuffle(a, a, 1, 0, 3, 2));
}
WIDE_INLINE wide wide_min_across(wide a) { return wide_across(a, wide_min); }
WIDE_INLINE wide wide_max_across(wide a) { return wide_across(a, wide_max); }

WIDE_INLINE wide_mask wide_le(wide a, wide b) { return wasm_f32x4_le(a, b); }
WIDE_INLINE wide_mask wide_lt(wide a, wide b) { return wasm_f32x4_lt(a, b); }
WIDE_INLINE wide_mask wide_and(wide_mask a, wide_mask b) { return wasm_v128_and(a, b); }
WIDE_INLINE wide_mask wide_or(wide_mask a, wide_mask b) { return wasm_v128_or(a, b); }
WIDE_INLINE bool wide_any(wide_mask m) { return wasm_v128_any_true(m); }

WIDE_INLINE wide wide_blend(wide_mask m, wide a, wide b) { return wasm_v128_bitselect(a, b, m); }
WIDE_INLINE wide wide_keep(wide_mask m, wide a) { return wasm_v128_and(m, a); }
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b) { return wasm_f32x4_add(a, wasm_v128_and(m, b)); }
WIDE_INLINE wide_int wide_count_if(wide_int a, wide_mask m) { return wasm_i32x4_sub(a, m); }

WIDE_INLINE wide_int wide_int_set(int32_t a) { return wasm_i32x4_splat(a); }
WIDE_INLINE wide_int wide_int_load(const int32_t *p) { return wasm_v128_load(p); }
WIDE_INLINE void wide_int_store(int32_t *p, wide_int a) { wasm_v128_store(p, a); }
WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b) { return wasm_i32x4_lt(a, b); }
WIDE_INLINE wide_mask wide_and_eq(wide_mask m, wide_int a, wide_int b) { return wasm_v128_and(m, wasm_i32x4_eq(a, b)); }
WIDE_INLINE wide_mask wide_and_ne(wide_mask m, wide_int a, wide_int b) { return wasm_v128_and(m, wasm_i32x4_ne(a, b)); }
WIDE_INLINE wide_int wide_int_add(wide_int a, wide_int b) { return wasm_i32x4_add(a, b); }
WIDE_INLINE wide_int wide_int_mul(wide_int a, wide_int b) { return wasm_i32x4_mul(a, b); }
/* Two lanes of products each. */
WIDE_INLINE void wide_int_multiply(wide_int a, uint32_t b, wide_int *high, wide_int *low) {
    const wide_int factor = wasm_u32x4_splat(b);
    const wide_int first = wasm_u64x2_extmul_low_u32x4(a, factor), last = wasm_u64x2_extmul_high_u32x4(a, factor);
    *high = wasm_i32x4_shuffle(first, last, 1, 3, 5, 7);
    *low = wasm_i32x4_shuffle(first, last, 0, 2, 4, 6);
}
WIDE_INLINE wide_int wide_int_and(wide_int a, wide_int b) { return wasm_v128_and(a, b); }
WIDE_INLINE wide_int wide_int_xor(wide_int a, wide_int b) { return wasm_v128_xor(a, b); }
WIDE_INLINE wide_int wide_int_shift_left(wide_int a, int by) { return wasm_i32x4_shl(a, (uint32_t)by); }
WIDE_INLINE wide_int wide_int_shift_right(wide_int a, int by) { return wasm_u32x4_shr(a, (uint32_t)by); }
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value) {
    *value = wasm_i32x4_extract_lane(a, 0);
    return wasm_i32x4_all_true(wasm_i32x4_eq(a, wasm_i32x4_splat(*value)));
}
WIDE_INLINE uint32_t wide_int_pack(int32_t *to, wide_mask keep, wide_int a) {
    const uint32_t bits = wasm_i32x4_bitmask(keep);
    wasm_v128_store(to, wasm_i8x16_swizzle(a, wasm_v128_load(pack_order4[bits])));
    return pack_count4[bits];
}

WIDE_INLINE wide wide_from_int(wide_int a) { return wasm_f32x4_convert_i32x4(a); }
WIDE_INLINE wide_int wide_to_int(wide a) { return wasm_i32x4_trunc_sat_f32x4(a); }
WIDE_INLINE wide_int wide_to_bits(wide a) { return a; }
WIDE_INLINE wide wide_from_bits(wide_int bits) { return bits; }

#endif
