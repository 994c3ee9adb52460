/* SPDX-License-Identifier: MIT */
/*
 * Wraps every operation of kernels/wide/operations.h in a counter. Included after wide.h and before a kernel's source, so it
 * counts what that source calls. tests/program/test_roofline.c checks that no operation is missing here.
 */
#ifndef DUNLIN_HARNESS_ROOFLINE_COUNT_OPERATIONS_H
#define DUNLIN_HARNESS_ROOFLINE_COUNT_OPERATIONS_H

#include "harness/roofline/counted.h"

WIDE_INLINE void count_operation(counted_operation operation) {
    roofline_counted[operation]++;
}

/*
 * What stays in its register costs nothing: constants, and what is set again unchanged at the same place, which compilers fetch
 * before a loop. `counted_last` is one for each place.
 */
#define COUNT_SET(type, a, operation)                                                                                          \
    __extension__({                                                                                                            \
        static _Thread_local type counted_last;                                                                                \
        const type counted_now = (a);                                                                                          \
        count_operation(__builtin_constant_p(a) || counted_now == counted_last ? COUNTED_CONSTANT : (operation));              \
        counted_last = counted_now;                                                                                            \
        counted_now;                                                                                                           \
    })

/* Alone, a lane that is masked out adds nothing: compilers jump around it. */
WIDE_INLINE wide counted_add_if(wide a, wide_mask m, wide b) {
#if DUNLIN_LANES == 1
    count_operation(m ? COUNTED_ADD_IF : COUNTED_SKIPPED);
#else
    count_operation(COUNTED_ADD_IF);
#endif
    return wide_add_if(a, m, b);
}

#define wide_zero()                        (count_operation(COUNTED_CONSTANT), wide_zero())
#define wide_set(a)                        wide_set(COUNT_SET(float, a, COUNTED_BROADCAST))
#define wide_load(p)                       (count_operation(COUNTED_LOAD), wide_load(p))
#define wide_store(p, a)                   (count_operation(COUNTED_STORE), wide_store(p, a))
#define wide_add(a, b)                     (count_operation(COUNTED_ADD), wide_add(a, b))
#define wide_sub(a, b)                     (count_operation(COUNTED_SUB), wide_sub(a, b))
#define wide_mul(a, b)                     (count_operation(COUNTED_MUL), wide_mul(a, b))
#define wide_div(a, b)                     (count_operation(COUNTED_DIV), wide_div(a, b))
#define wide_sqrt(a)                       (count_operation(COUNTED_SQRT), wide_sqrt(a))
#define wide_min(a, b)                     (count_operation(COUNTED_MIN), wide_min(a, b))
#define wide_max(a, b)                     (count_operation(COUNTED_MAX), wide_max(a, b))
#define wide_le(a, b)                      (count_operation(COUNTED_LE), wide_le(a, b))
#define wide_lt(a, b)                      (count_operation(COUNTED_LT), wide_lt(a, b))
#define wide_and(a, b)                     (count_operation(COUNTED_AND), wide_and(a, b))
#define wide_or(a, b)                      (count_operation(COUNTED_AND), wide_or(a, b))
#define wide_any(m)                        (count_operation(COUNTED_AND), wide_any(m))
#define wide_blend(m, a, b)                (count_operation(COUNTED_SELECT), wide_blend(m, a, b))
#define wide_keep(m, a)                    (count_operation(COUNTED_KEEP), wide_keep(m, a))
#define wide_min_across(a)                 (count_operation(COUNTED_LEAST), wide_min_across(a))
#define wide_max_across(a)                 (count_operation(COUNTED_LEAST), wide_max_across(a))
#define wide_add_if(a, m, b)               counted_add_if(a, m, b)
#define wide_int_set(a)                    wide_int_set(COUNT_SET(int32_t, a, COUNTED_INT_BROADCAST))
#define wide_int_load(p)                   (count_operation(COUNTED_LOAD), wide_int_load(p))
#define wide_int_store(p, a)               (count_operation(COUNTED_STORE), wide_int_store(p, a))
#define wide_count_if(a, m)                (count_operation(COUNTED_COUNT_IF), wide_count_if(a, m))
#define wide_other_lanes(lane)             (count_operation(COUNTED_OTHER_LANES), wide_other_lanes(lane))
#define wide_int_lt(a, b)                  (count_operation(COUNTED_INT_LT), wide_int_lt(a, b))
#define wide_int_add(a, b)                 (count_operation(COUNTED_INT_ADD), wide_int_add(a, b))
#define wide_int_and(a, b)                 (count_operation(COUNTED_INT_LOGIC), wide_int_and(a, b))
#define wide_int_xor(a, b)                 (count_operation(COUNTED_INT_LOGIC), wide_int_xor(a, b))
#define wide_int_shift_left(a, by)         (count_operation(COUNTED_INT_SHIFT), wide_int_shift_left(a, by))
#define wide_int_shift_right(a, by)        (count_operation(COUNTED_INT_SHIFT), wide_int_shift_right(a, by))
#define wide_int_multiply(a, b, high, low) (count_operation(COUNTED_INT_MULTIPLY), wide_int_multiply(a, b, high, low))
#define wide_int_pack(to, keep, a)         (count_operation(COUNTED_INT_PACK), wide_int_pack(to, keep, a))
#define wide_from_int(a)                   (count_operation(COUNTED_FROM_INT), wide_from_int(a))
#define wide_to_int(a)                     (count_operation(COUNTED_TO_INT), wide_to_int(a))
#define wide_int_mul(a, b)                 (count_operation(COUNTED_INT_MUL), wide_int_mul(a, b))
#define wide_gather(base, index)           (count_operation(COUNTED_GATHER), wide_gather(base, index))
#define wide_int_uniform(a, value)         (count_operation(COUNTED_LEAST), wide_int_uniform(a, value))
#define wide_to_bits(a)                    (count_operation(COUNTED_CONSTANT), wide_to_bits(a))
#define wide_from_bits(bits)               (count_operation(COUNTED_CONSTANT), wide_from_bits(bits))

#endif
