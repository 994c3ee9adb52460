/* SPDX-License-Identifier: MIT */
/*
 * Sine and cosine of 2·pi·turns. Angles are in turns because these reduce exactly: the difference between the angle and its
 * nearest quarter turn is exact in binary32, however many turns there are. That difference r, at most an eighth of a turn, goes
 * through polynomials in r² (minimax in relative error, by Remez's exchange, coefficients rounded one by one).
 */
#ifndef DUNLIN_KERNELS_TRIG_H
#define DUNLIN_KERNELS_TRIG_H

#include DUNLIN_WIDE

/* |r| <= 1/8. 2·pi has two numbers, because rounding it to one would cost half an ulp. */
WIDE_INLINE wide sine_of_eighth(wide r, wide r2) {
    wide p = wide_set(-0x1.2db5cep+6f);
    p = wide_add(wide_mul(p, r2), wide_set(0x1.465facp+6f));
    p = wide_add(wide_mul(p, r2), wide_set(-0x1.4abbbep+5f));
    p = wide_add(wide_mul(p, r2), wide_set(-0x1.777a5cp-23f));
    return wide_mul(wide_add(p, wide_set(0x1.921fb6p+2f)), r);
}

WIDE_INLINE wide cosine_of_eighth(wide r2) {
    wide p = wide_set(0x1.d4f7eep+5f);
    p = wide_add(wide_mul(p, r2), wide_set(-0x1.55b2b6p+6f));
    p = wide_add(wide_mul(p, r2), wide_set(0x1.03c1bp+6f));
    p = wide_add(wide_mul(p, r2), wide_set(-0x1.3bd3ccp+4f));
    return wide_add(wide_mul(p, r2), wide_set(1.0f));
}

/*
 * The error is at most 1.302 ulp, and at most 6.85e-8 (docs/numerics.md says how this was measured). From 2^23 on every
 * binary32 number is a whole number of turns; infinity and NaN count as whole, too. Quarter turns give 0, 1 and -1 exactly, 0
 * with either sign. The sine of negative turns is exactly the opposite.
 */
WIDE_INLINE void wide_sincos_turns(wide turns, wide *sine, wide *cosine) {
    const wide round_whole = wide_set(0x1p23f), round_any = wide_set(0x1.8p23f); /* adding and subtracting one rounds */
    const wide_int bits = wide_to_bits(turns), sign = wide_int_and(bits, wide_int_set(INT32_MIN));
    wide a = wide_from_bits(wide_int_xor(bits, sign));
    a = wide_keep(wide_lt(a, round_whole), a);
    const wide part = wide_sub(a, wide_sub(wide_add(a, round_whole), round_whole)); /* -1/2 .. 1/2 */
    const wide shifted = wide_add(wide_mul(part, wide_set(4.0f)), round_any);
    const wide r = wide_sub(part, wide_mul(wide_sub(shifted, round_any), wide_set(0.25f))), r2 = wide_mul(r, r);
    const wide s = sine_of_eighth(r, r2), c = cosine_of_eighth(r2);

    const wide_int quarter = wide_to_bits(shifted), two = wide_int_set(2); /* its last two bits; the others do not matter */
    const wide_mask odd = wide_int_lt(wide_int_set(0), wide_int_and(quarter, wide_int_set(1)));
    const wide_int sine_turns = wide_int_shift_left(wide_int_and(quarter, two), 30);
    const wide_int cosine_turns = wide_int_shift_left(wide_int_and(wide_int_add(quarter, wide_int_set(1)), two), 30);
    *sine = wide_from_bits(wide_int_xor(wide_to_bits(wide_blend(odd, c, s)), wide_int_xor(sine_turns, sign)));
    *cosine = wide_from_bits(wide_int_xor(wide_to_bits(wide_blend(odd, s, c)), cosine_turns));
}

#endif
