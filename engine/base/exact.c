/* SPDX-License-Identifier: MIT */
#include "engine/base/exact.h"

#include <math.h>

enum { LOWEST = -384, BITS = 32, DOUBLE_BITS = 53 };

#define DIGIT (INT64_C(1) << BITS)

/* Floors, as a shift of a negative number need not. */
static int64_t carry_of(int64_t digit) {
    return digit >= 0 ? digit / DIGIT : -((-(digit + 1)) / DIGIT) - 1;
}

/* Afterwards all digits but the last are in [0, 2^32). */
static void carry(dun_exact *sum) {
    for (int i = 0; i + 1 < DUN_EXACT_DIGITS; i++) {
        const int64_t over = carry_of(sum->digit[i]);
        sum->digit[i] -= over * DIGIT;
        sum->digit[i + 1] += over;
    }
}

/* Adds digit·2^shift, digit of at most 33 bits, from digit `at` on. */
static void add_digit(dun_exact *sum, int at, int64_t digit, int shift) {
    const int64_t shifted = digit * (INT64_C(1) << shift), over = carry_of(shifted);
    sum->digit[at] += shifted - over * DIGIT;
    sum->digit[at + 1] += over;
}

void dun_exact_add_whole(dun_exact *sum, int64_t whole, int exponent) {
    int place = exponent - LOWEST;
    if (place < 0) whole = place > -63 ? whole / (INT64_C(1) << -place) : 0;
    if (place < 0) place = 0;
    const int at = place / BITS, shift = place % BITS;
    const int64_t high = carry_of(whole);
    if (whole == 0) return;
    if (at + 2 >= DUN_EXACT_DIGITS) {
        sum->lost++;
        return;
    }
    add_digit(sum, at, whole - high * DIGIT, shift);
    add_digit(sum, at + 1, high, shift);
}

void dun_exact_add(dun_exact *sum, double term) {
    int exponent;
    if (!isfinite(term)) {
        sum->lost++;
        return;
    }
    const double part = frexp(term, &exponent);
    dun_exact_add_whole(sum, (int64_t)ldexp(part, DOUBLE_BITS), exponent - DOUBLE_BITS);
}

/* Kernels give two whole numbers for all terms, unless the terms differ too much in size. */
void dun_exact_add_all(dun_exact *sum, const dun_kernel *kernel, const double *terms, uint32_t count) {
    dun_parts parts;
    kernel->parts(terms, count, &parts);
    if (parts.whole) {
        dun_exact_add_whole(sum, parts.high, parts.high_exponent);
        dun_exact_add_whole(sum, parts.low, parts.low_exponent);
        return;
    }
    for (uint32_t i = 0; i < count; i++) dun_exact_add(sum, terms[i]);
    carry(sum);
}

void dun_exact_add_sum(dun_exact *sum, const dun_exact *other) {
    dun_exact carried = *other;
    carry(&carried);
    for (int i = 0; i < DUN_EXACT_DIGITS; i++) sum->digit[i] += carried.digit[i];
    carry(sum);
    sum->lost += other->lost;
}

/* The first three digits that are not 0 have at least 65 bits. */
double dun_exact_value(const dun_exact *sum) {
    dun_exact size = *sum;
    if (sum->lost) return (double)NAN;
    carry(&size);
    const bool negative = size.digit[DUN_EXACT_DIGITS - 1] < 0;
    for (int i = 0; i < DUN_EXACT_DIGITS && negative; i++) size.digit[i] = -size.digit[i];
    carry(&size);
    int top = DUN_EXACT_DIGITS - 1;
    while (top > 2 && size.digit[top] == 0) top--;
    const uint64_t high = (uint64_t)size.digit[top] << BITS | (uint64_t)size.digit[top - 1];
    const int exponent = LOWEST + BITS * (top - 2);
    const double value = ldexp((double)high, exponent + BITS) + ldexp((double)size.digit[top - 2], exponent);
    return negative ? -value : value;
}
