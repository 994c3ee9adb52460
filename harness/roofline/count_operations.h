/* SPDX-License-Identifier: MIT */
/*
 * Makes every operation of kernels/wide/operations.h count the instructions that it becomes. This file is included after the
 * target and before a kernel's source, so it counts what that source calls. tests/program/test_roofline.c checks that no
 * operation is missing here.
 *
 * The instructions depend on the target. Masks are truth values (one lane), vectors, or have registers of their own. Work
 * outside the vector units, such as masks and integers of a single lane, counts nothing, because no measured ceiling limits it.
 * Where a compiler may save an instruction, the smaller number counts, since this is for a lower bound: AVX2 and NEON share one
 * `and` among all masked adds under one mask, and AVX-512 makes a zeroing mask part of the instruction before.
 */
#ifndef DUNLIN_HARNESS_ROOFLINE_COUNT_OPERATIONS_H
#define DUNLIN_HARNESS_ROOFLINE_COUNT_OPERATIONS_H

#include "harness/roofline/instructions.h"

/* What the target has: 1 or 0, for sums of instructions. */
enum {
    VECTORS = DUNLIN_LANES > 1,
#ifdef WIDE_MASK_REGISTERS
    MASK_VECTORS = 0,
#else
    MASK_VECTORS = VECTORS,
#endif
    MASK_REGISTERS = VECTORS && !MASK_VECTORS,
#ifdef WIDE_MASKED_FMA
    FUSED_MASKS = 1
#else
    FUSED_MASKS = 0
#endif
};

/* The minimum or maximum of all lanes: comparisons and shuffles. */
enum {
    ACROSS_COMPARE = DUNLIN_LANES == 16  ? 5
                     : DUNLIN_LANES == 8 ? 3
                                         : 2 * VECTORS,
    ACROSS_SHUFFLE = DUNLIN_LANES == 16 ? 6 : ACROSS_COMPARE
};

WIDE_INLINE void count_instructions(instruction kind, int instructions) {
    roofline_counted[kind] += (uint64_t)instructions;
}

#define COUNT(kind, instructions) count_instructions(INSTRUCTION_##kind, instructions)
#define COUNT_ACROSS              (COUNT(COMPARE, ACROSS_COMPARE), COUNT(SHUFFLE, ACROSS_SHUFFLE))

/*
 * A value that stays in its register costs nothing: a constant, or one that is set again unchanged at the same place, which
 * compilers load before a loop. There is one `counted_last` for each place.
 */
#define COUNT_SET(type, a, kind, instructions)                                                                                 \
    __extension__({                                                                                                            \
        static type counted_last;                                                                                              \
        const type counted_now = (a);                                                                                          \
        if (!__builtin_constant_p(a) && counted_now != counted_last) COUNT(kind, instructions);                                \
        counted_last = counted_now;                                                                                            \
        counted_now;                                                                                                           \
    })

WIDE_INLINE wide counted_add_if(wide a, wide_mask m, wide b) {
#if DUNLIN_LANES == 1
    COUNT(ADD, m); /* compilers jump around an add that the mask rules out */
#else
    COUNT(FMA, FUSED_MASKS);
    COUNT(ADD, !FUSED_MASKS);
    COUNT(LOGIC, MASK_VECTORS && !FUSED_MASKS);
#endif
    return wide_add_if(a, m, b);
}

WIDE_INLINE uint32_t counted_int_pack(int32_t *to, wide_mask keep, wide_int a) {
    COUNT(LOAD, MASK_VECTORS);
    COUNT(INTEGER, MASK_VECTORS && DUNLIN_LANES == 8);
    COUNT(SHUFFLE, 2 * MASK_VECTORS + MASK_REGISTERS);
    COUNT(STORE, 1);
    return wide_int_pack(to, keep, a);
}

#define wide_set(a)                        wide_set(COUNT_SET(float, a, LOAD, 1))
#define wide_load(p)                       (COUNT(LOAD, 1), wide_load(p))
#define wide_store(p, a)                   (COUNT(STORE, 1), wide_store(p, a))
#define wide_gather(base, index)           (COUNT(LOAD, DUNLIN_LANES), wide_gather(base, index)) /* each lane loads by itself */
#define wide_add(a, b)                     (COUNT(ADD, 1), wide_add(a, b))
#define wide_sub(a, b)                     (COUNT(ADD, 1), wide_sub(a, b))
#define wide_mul(a, b)                     (COUNT(MULTIPLY, 1), wide_mul(a, b))
#define wide_fma(a, b, c)                  (COUNT(FMA, 1), wide_fma(a, b, c))
#define wide_div(a, b)                     (COUNT(DIVIDE, 1), wide_div(a, b))
#define wide_sqrt(a)                       (COUNT(ROOT, 1), wide_sqrt(a))
#define wide_min(a, b)                     (COUNT(COMPARE, 1), wide_min(a, b))
#define wide_max(a, b)                     (COUNT(COMPARE, 1), wide_max(a, b))
#define wide_min_across(a)                 (COUNT_ACROSS, wide_min_across(a))
#define wide_max_across(a)                 (COUNT_ACROSS, wide_max_across(a))
#define wide_le(a, b)                      (COUNT(COMPARE, 1), wide_le(a, b))
#define wide_lt(a, b)                      (COUNT(COMPARE, 1), wide_lt(a, b))
#define wide_and(a, b)                     (COUNT(LOGIC, MASK_VECTORS), wide_and(a, b))
#define wide_or(a, b)                      (COUNT(LOGIC, MASK_VECTORS), wide_or(a, b))
#define wide_any(m)                        (COUNT(LOGIC, MASK_VECTORS), wide_any(m))
#define wide_blend(m, a, b)                (COUNT(LOGIC, VECTORS), wide_blend(m, a, b))
#define wide_keep(m, a)                    (COUNT(LOGIC, MASK_VECTORS), wide_keep(m, a))
#define wide_add_if(a, m, b)               counted_add_if(a, m, b)
#define wide_count_if(a, m)                (COUNT(INTEGER, VECTORS), wide_count_if(a, m))
#define wide_int_set(a)                    wide_int_set(COUNT_SET(int32_t, a, INTEGER, VECTORS))
#define wide_int_load(p)                   (COUNT(LOAD, 1), wide_int_load(p))
#define wide_int_store(p, a)               (COUNT(STORE, 1), wide_int_store(p, a))
#define wide_int_lt(a, b)                  (COUNT(INTEGER, VECTORS), wide_int_lt(a, b))
#define wide_and_eq(m, a, b)               (COUNT(INTEGER, VECTORS), COUNT(LOGIC, MASK_VECTORS), wide_and_eq(m, a, b))
#define wide_and_ne(m, a, b)               (COUNT(INTEGER, VECTORS), COUNT(LOGIC, MASK_VECTORS), wide_and_ne(m, a, b))
#define wide_int_add(a, b)                 (COUNT(INTEGER, VECTORS), wide_int_add(a, b))
#define wide_int_mul(a, b)                 (COUNT(INTEGER, VECTORS), wide_int_mul(a, b))
#define wide_int_multiply(a, b, high, low) (COUNT(INTEGER, 7 * VECTORS), wide_int_multiply(a, b, high, low))
#define wide_int_and(a, b)                 (COUNT(LOGIC, VECTORS), wide_int_and(a, b))
#define wide_int_xor(a, b)                 (COUNT(LOGIC, VECTORS), wide_int_xor(a, b))
#define wide_int_shift_left(a, by)         (COUNT(INTEGER, VECTORS), wide_int_shift_left(a, by))
#define wide_int_shift_right(a, by)        (COUNT(INTEGER, VECTORS), wide_int_shift_right(a, by))
#define wide_int_uniform(a, value)         (COUNT_ACROSS, wide_int_uniform(a, value))
#define wide_int_pack(to, keep, a)         counted_int_pack(to, keep, a)
#define wide_from_int(a)                   (COUNT(INTEGER, 1), wide_from_int(a))
#define wide_to_int(a)                     (COUNT(INTEGER, 1), wide_to_int(a))
#define wide_to_bits(a)                    wide_to_bits(a) /* the same register */
#define wide_from_bits(bits)               wide_from_bits(bits)

#endif
