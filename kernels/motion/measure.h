/* SPDX-License-Identifier: MIT */
/*
 * Sums over agents for metrics, in plain C: the compiler's vectors are as wide as the kernel's. Each agent's terms are computed
 * in binary64 from its own numbers alone, and what is added up are whole numbers, so neither the order nor the number of lanes
 * changes a bit.
 */
#ifndef DUNLIN_KERNELS_MEASURE_H
#define DUNLIN_KERNELS_MEASURE_H

#include <math.h>
#include <string.h>

#include "kernels/contract/kernel.h"
#include "kernels/wide/vector.h"

WIDE_INLINE uint64_t bits_of(double a) {
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

WIDE_INLINE double double_of(uint64_t bits) {
    double a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/*
 * Whole numbers without a conversion, which few instruction sets have for 64 bits: between 4 and 8 the last bit of a binary64
 * is a unit, so the bits of 6 + a are those of 6 and as many units more as a has, rounded. |a| < 2. Sums wrap around on the
 * way.
 */
WIDE_INLINE uint64_t in_units(double a) {
    return bits_of(6.0 + a);
}

WIDE_INLINE int64_t units_of(uint64_t sum, uint32_t count) {
    return (int64_t)(sum - count * bits_of(6.0));
}

/* All bits if a > b, else none. Compilers vectorise few loops with branches. */
WIDE_INLINE uint64_t above(double a, double b) {
    return a > b ? UINT64_MAX : 0;
}

/* The number, or 0 without the mask. */
WIDE_INLINE double keep_double(uint64_t mask, double a) {
    return double_of(bits_of(a) & mask);
}

/* ---- motion ----------------------------------------------------------------------------------------------------------- */

WIDE_INLINE double inner_double(const double a[3], const double b[3], int dimensions) {
    const double sum = a[0] * b[0] + a[1] * b[1];
    return dimensions == 3 ? sum + a[2] * b[2] : sum;
}

/* The whole number next to a, which is below 2^51. */
WIDE_INLINE double round_double(double a) {
    return a + 0x1.8p52 - 0x1.8p52;
}

/* The offset to the nearest image; `share`: 1/size, or both are 0. */
WIDE_INLINE double fold_double(double offset, double size, double share) {
    return offset - size * round_double(offset * share);
}

static void store_units(const uint64_t heading[3], const uint64_t turning[3], int dimensions, uint32_t count,
                        dun_motion_sums *out) {
    for (int a = 0; a < 3; a++) {
        out->heading[a] = units_of(heading[a], a < dimensions ? count : 0);
        out->turning[a] = units_of(turning[a], a == 2 || dimensions == 3 ? count : 0);
    }
}

WIDE_INLINE void motion_of_block(const dun_motion *in, int dimensions, uint32_t first, uint32_t count,
                                 dun_motion_sums *restrict out) {
    uint64_t heading[3] = {0}, turning[3] = {0};
    const float *velocity[3], *position[3];
    double shares[3];
    for (int a = 0; a < dimensions; a++) {
        shares[a] = in->size[a] > 0.0 ? 1.0 / in->size[a] : 0.0;
        velocity[a] = in->velocity[a] + first;
        position[a] = in->position[a] + first;
    }
    for (uint32_t i = 0; i < count; i++) {
        double v[3], r[3];
        for (int a = 0; a < dimensions; a++) {
            v[a] = (double)velocity[a][i];
            r[a] = fold_double((double)position[a][i] - in->centre[a], in->size[a], shares[a]);
        }
        const double v2 = inner_double(v, v, dimensions), r2 = inner_double(r, r, dimensions);
        const double speed = sqrt(v2), inverse_speed = keep_double(above(v2, 0.0), 1.0 / speed);
        const double inverse = keep_double(above(r2, in->min_r2), inverse_speed / sqrt(r2));
        out->speed[i] = speed;
        for (int a = 0; a < dimensions; a++) heading[a] += in_units(v[a] * inverse_speed);
        for (int a = dimensions == 3 ? 0 : 2; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            const double momentum = r[b] * v[c] - r[c] * v[b];
            out->momentum[a][i] = momentum;
            turning[a] += in_units(momentum * inverse);
        }
    }
    store_units(heading, turning, dimensions, count, out);
}

static void motion_sums(const dun_motion *motion, uint32_t first, uint32_t count, dun_motion_sums *sums) {
    const dun_motion in = *motion;
    if (in.dimensions == 3)
        motion_of_block(&in, 3, first, count, sums);
    else
        motion_of_block(&in, 2, first, count, sums);
}

/* ---- the circle ------------------------------------------------------------------------------------------------------- */

/* |r| <= 1/8, in turns. Minimax in relative error, by Remez's exchange: 3e-18 and 1e-16. */
WIDE_INLINE double double_sine_of_part(double r, double r2) {
    double p = 0x1.e3eed5bb00c98p+2;
    p = p * r2 - 0x1.e300639fe8df4p+4;
    p = p * r2 + 0x1.50782fca38671p+6;
    p = p * r2 - 0x1.32d2cce2d535ap+7;
    p = p * r2 + 0x1.466bc67758700p+7;
    p = p * r2 - 0x1.4abbce625be41p+6;
    p = p * r2 + 0x1.921fb54442d18p+3;
    return p * r;
}

WIDE_INLINE double cosine_of_part(double r2) {
    double p = 0x1.f3c927f96cd5fp+2;
    p = p * r2 - 0x1.a6c989878c6efp+4;
    p = p * r2 + 0x1.e1f4fae0f323fp+5;
    p = p * r2 - 0x1.55d3c7db78377p+6;
    p = p * r2 + 0x1.03c1f081affa4p+6;
    p = p * r2 - 0x1.3bd3cc9be4580p+4;
    return p * r2 + 1.0;
}

/*
 * A quarter of the angle goes through polynomials, and is doubled twice: quadrants need not be distinguished. Half a turn
 * is taken away before, so that the quarter is small, which turns the signs of both sums. Doubled sines and cosines need no
 * additions to double them, and a half has as many units above 3 as the whole above 6.
 */
static void circle_sums(const float *x, uint32_t count, double size, int64_t sums[2]) {
    const double share = 0.25 / size;
    uint64_t sine = 0, cosine = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double r = (double)x[i] * share - 0.125, r2 = r * r;
        const double double_s1 = double_sine_of_part(r, r2), c1 = cosine_of_part(r2);
        const double s2 = double_s1 * c1, double_c2 = 2.0 - double_s1 * double_s1;
        sine += in_units(s2 * double_c2);
        cosine += bits_of(3.0 + (0.5 - s2 * s2));
    }
    sums[0] = -(int64_t)(cosine - count * bits_of(3.0));
    sums[1] = -units_of(sine, count);
}

/* ---- distances -------------------------------------------------------------------------------------------------------- */

static uint32_t distances_of(const float *d2, uint32_t count, float max_d2, double *restrict distances) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t beyond = above((double)d2[i], (double)max_d2);
        distances[i] = sqrt(keep_double(~beyond, (double)d2[i]));
        found += 1 + (uint32_t)beyond;
    }
    return found;
}

/* ---- exact sums ------------------------------------------------------------------------------------------------------- */

/*
 * All terms are below 2^e. Adding 1.5·2^(e + 1) rounds a term to a multiple of 2^(e - 51), and its bits count these, as in
 * in_units(); what is left is rounded to a multiple of 2^(e - 103) in the same way. Terms of 2^(e - 50) and more leave nothing.
 */
WIDE_INLINE void parts_below(const double *terms, uint32_t count, int e, dun_parts *parts) {
    const uint64_t bias = 1023, half = UINT64_C(1) << 51;
    const uint64_t high_bits = ((uint64_t)(e + 1) + bias) << 52 | half, low_bits = ((uint64_t)(e - 51) + bias) << 52 | half;
    const double high_round = double_of(high_bits), low_round = double_of(low_bits);
    uint64_t high = 0, low = 0, rest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double shifted = terms[i] + high_round, left = terms[i] - (shifted - high_round);
        const double left_shifted = left + low_round;
        high += bits_of(shifted);
        low += bits_of(left_shifted);
        rest |= bits_of(left - (left_shifted - low_round));
    }
    *parts = (dun_parts){.whole = rest == 0,
                         .high = (int64_t)(high - count * high_bits),
                         .low = (int64_t)(low - count * low_bits),
                         .high_exponent = e - 51,
                         .low_exponent = e - 103};
}

static void parts_of(const double *terms, uint32_t count, dun_parts *parts) {
    enum { MAX_EXPONENT = 500 };
    int64_t widest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const int64_t size = (int64_t)(bits_of(terms[i]) & INT64_MAX);
        widest = size > widest ? size : widest;
    }
    const int e = (int)(widest >> 52) - 1022;
    *parts = (dun_parts){.whole = widest == 0};
    if (widest != 0 && e < MAX_EXPONENT && e > -MAX_EXPONENT) parts_below(terms, count, e, parts);
}

#endif
