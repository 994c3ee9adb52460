/* SPDX-License-Identifier: MIT */
/* A function per wide operation, compiled with each kernel's flags: check_operations.sh reads what compilers make of it. */
#include DUNLIN_WIDE

#define OPERATION(type, name, parameters, arguments)                                                                           \
    type of_##name parameters;                                                                                                 \
    type of_##name parameters {                                                                                                \
        return name arguments;                                                                                                 \
    }
#define STATEMENT(name, parameters, arguments)                                                                                 \
    void of_##name parameters;                                                                                                 \
    void of_##name parameters {                                                                                                \
        name arguments;                                                                                                        \
    }

OPERATION(wide, wide_set, (float a), (a))
OPERATION(wide, wide_load, (const float *p), (p))
STATEMENT(wide_store, (float *p, wide a), (p, a))
OPERATION(wide, wide_gather, (const float *p, wide_int a), (p, a))
OPERATION(wide, wide_add, (wide a, wide b), (a, b))
OPERATION(wide, wide_sub, (wide a, wide b), (a, b))
OPERATION(wide, wide_mul, (wide a, wide b), (a, b))
OPERATION(wide, wide_fma, (wide a, wide b, wide c), (a, b, c))
OPERATION(wide, wide_div, (wide a, wide b), (a, b))
OPERATION(wide, wide_sqrt, (wide a), (a))
OPERATION(wide, wide_min, (wide a, wide b), (a, b))
OPERATION(wide, wide_max, (wide a, wide b), (a, b))
OPERATION(wide, wide_min_across, (wide a), (a))
OPERATION(wide, wide_max_across, (wide a), (a))
OPERATION(wide_mask, wide_le, (wide a, wide b), (a, b))
OPERATION(wide_mask, wide_lt, (wide a, wide b), (a, b))
OPERATION(wide_mask, wide_and, (wide_mask a, wide_mask b), (a, b))
OPERATION(wide_mask, wide_or, (wide_mask a, wide_mask b), (a, b))
OPERATION(bool, wide_any, (wide_mask m), (m))
OPERATION(wide, wide_blend, (wide_mask m, wide a, wide b), (m, a, b))
OPERATION(wide, wide_keep, (wide_mask m, wide a), (m, a))
OPERATION(wide, wide_add_if, (wide a, wide_mask m, wide b), (a, m, b))
OPERATION(wide_int, wide_count_if, (wide_int a, wide_mask m), (a, m))
OPERATION(wide_int, wide_int_set, (int32_t a), (a))
OPERATION(wide_int, wide_int_load, (const int32_t *p), (p))
STATEMENT(wide_int_store, (int32_t * p, wide_int a), (p, a))
OPERATION(wide_mask, wide_int_lt, (wide_int a, wide_int b), (a, b))
OPERATION(wide_mask, wide_and_eq, (wide_mask m, wide_int a, wide_int b), (m, a, b))
OPERATION(wide_mask, wide_and_ne, (wide_mask m, wide_int a, wide_int b), (m, a, b))
OPERATION(wide_int, wide_int_add, (wide_int a, wide_int b), (a, b))
OPERATION(wide_int, wide_int_mul, (wide_int a, wide_int b), (a, b))
STATEMENT(wide_int_multiply, (wide_int a, uint32_t b, wide_int *high, wide_int *low), (a, b, high, low))
OPERATION(wide_int, wide_int_and, (wide_int a, wide_int b), (a, b))
OPERATION(wide_int, wide_int_xor, (wide_int a, wide_int b), (a, b))
OPERATION(wide_int, wide_int_shift_left, (wide_int a), (a, 5))
OPERATION(wide_int, wide_int_shift_right, (wide_int a), (a, 5))
OPERATION(bool, wide_int_uniform, (wide_int a, int32_t *value), (a, value))
OPERATION(uint32_t, wide_int_pack, (int32_t * to, wide_mask keep, wide_int a), (to, keep, a))
OPERATION(wide, wide_from_int, (wide_int a), (a))
OPERATION(wide_int, wide_to_int, (wide a), (a))
OPERATION(wide_int, wide_to_bits, (wide a), (a))
OPERATION(wide, wide_from_bits, (wide_int a), (a))
