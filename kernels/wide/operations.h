/* SPDX-License-Identifier: MIT */
/*
 * The operations that every target defines, over its types `wide`, `wide_mask` and `wide_int`: DUNLIN_LANES binary32 numbers,
 * truth values and 32-bit integers. A target's file defines these types and DUNLIN_LANES, includes this list, and then defines
 * every operation; compilers warn of one that is missing or has another signature. Targets are the only files that know
 * intrinsics. The kernels are written once over the operations, and include DUNLIN_WIDE, the path of the target's file.
 *
 * Every operation gives each lane the same bits on every target. Arithmetic is rounded once: there is no fused multiply-add but
 * an exact one, and no estimate. Everything is `static inline`, so that no instruction leaks from a kernel's object into
 * another.
 */
#ifndef DUNLIN_KERNELS_WIDE_OPERATIONS_H
#define DUNLIN_KERNELS_WIDE_OPERATIONS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef DUNLIN_SMALL /* a kernel that is not meant to be fast: one function serves all shapes */
#define WIDE_INLINE static inline __attribute__((unused))
#else
#define WIDE_INLINE static inline __attribute__((always_inline, unused))
#endif

/* JOIN(dun_kernel_, DUNLIN_KERNEL) is the name that one kernel gives to what leaves its objects. */
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

/* Numbers. Memory need not be aligned. */
WIDE_INLINE wide wide_set(float a); /* a in every lane */
WIDE_INLINE wide wide_load(const float *p);
WIDE_INLINE void wide_store(float *p, wide a);
WIDE_INLINE wide wide_gather(const float *base, wide_int index); /* base[index] */
WIDE_INLINE wide wide_add(wide a, wide b);
WIDE_INLINE wide wide_sub(wide a, wide b);
WIDE_INLINE wide wide_mul(wide a, wide b);
/* a·b + c, of which the product is rounded, too, where a processor has no fused operation. Only for what no bit of a result
 * depends on. */
WIDE_INLINE wide wide_fma(wide a, wide b, wide c);
WIDE_INLINE wide wide_div(wide a, wide b);
WIDE_INLINE wide wide_sqrt(wide a);
WIDE_INLINE wide wide_min(wide a, wide b); /* a < b ? a : b, so b where one of them is NaN */
WIDE_INLINE wide wide_max(wide a, wide b); /* a > b ? a : b, likewise */
WIDE_INLINE wide wide_min_across(wide a);  /* the minimum of all lanes, in every lane */
WIDE_INLINE wide wide_max_across(wide a);

/* Masks. Comparisons with NaN are false. */
WIDE_INLINE wide_mask wide_le(wide a, wide b);
WIDE_INLINE wide_mask wide_lt(wide a, wide b);
WIDE_INLINE wide_mask wide_and(wide_mask a, wide_mask b);
WIDE_INLINE wide_mask wide_or(wide_mask a, wide_mask b);
WIDE_INLINE bool wide_any(wide_mask m);

/* By a mask. Sums begin at +0 and so are never -0: a lane that is off may add ±0. What is added is finite. */
WIDE_INLINE wide wide_blend(wide_mask m, wide a, wide b); /* m ? a : b */
WIDE_INLINE wide wide_keep(wide_mask m, wide a);          /* m ? a : +0 */
WIDE_INLINE wide wide_add_if(wide a, wide_mask m, wide b);
WIDE_INLINE wide_int wide_count_if(wide_int a, wide_mask m); /* a + 1 where set */

/* Integers. They wrap around. */
WIDE_INLINE wide_int wide_int_set(int32_t a);
WIDE_INLINE wide_int wide_int_load(const int32_t *p);
WIDE_INLINE void wide_int_store(int32_t *p, wide_int a);
WIDE_INLINE wide_mask wide_int_lt(wide_int a, wide_int b);              /* signed */
WIDE_INLINE wide_mask wide_and_eq(wide_mask m, wide_int a, wide_int b); /* m && a == b */
WIDE_INLINE wide_mask wide_and_ne(wide_mask m, wide_int a, wide_int b); /* m && a != b */
WIDE_INLINE wide_int wide_int_add(wide_int a, wide_int b);
WIDE_INLINE wide_int wide_int_mul(wide_int a, wide_int b);
WIDE_INLINE void wide_int_multiply(wide_int a, uint32_t b, wide_int *high, wide_int *low); /* unsigned, 64 bits */
WIDE_INLINE wide_int wide_int_and(wide_int a, wide_int b);
WIDE_INLINE wide_int wide_int_xor(wide_int a, wide_int b);
WIDE_INLINE wide_int wide_int_shift_left(wide_int a, int by);
WIDE_INLINE wide_int wide_int_shift_right(wide_int a, int by); /* zeros come in */
WIDE_INLINE bool wide_int_uniform(wide_int a, int32_t *value); /* whether all lanes are equal; the first lane's value */
/* Stores the lanes that are kept, in their order, and anything behind them. Returns their number. */
WIDE_INLINE uint32_t wide_int_pack(int32_t *to, wide_mask keep, wide_int a);

/* From one type to the other. */
WIDE_INLINE wide wide_from_int(wide_int a);
WIDE_INLINE wide_int wide_to_int(wide a); /* towards zero; undefined where it does not fit */
WIDE_INLINE wide_int wide_to_bits(wide a);
WIDE_INLINE wide wide_from_bits(wide_int bits);

/* What targets with masks in registers of their own have in common. Such a mask is an integer with a bit per lane. */
#ifdef WIDE_MASK_REGISTERS
WIDE_INLINE wide_mask wide_and(wide_mask a, wide_mask b) { return (wide_mask)(a & b); }
WIDE_INLINE wide_mask wide_or(wide_mask a, wide_mask b) { return (wide_mask)(a | b); }
WIDE_INLINE bool wide_any(wide_mask m) { return m != 0; }
#endif

#endif
