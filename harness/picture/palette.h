/* SPDX-License-Identifier: MIT */
/*
 * Colours of headings: a circle of constant lightness and chroma in OKLCH (Björn Ottosson, 2020), so that no direction looks
 * brighter than another and equal turns look equally different.
 *
 * The functions here are inline and free of branches, because a film calls them for each pixel and compilers then compute
 * several pixels at once.
 */
#ifndef DUNLIN_HARNESS_PALETTE_H
#define DUNLIN_HARNESS_PALETTE_H

#include <stdint.h>
#include <string.h>

typedef struct colour {
    float red, green, blue; /* sRGB, 0 .. 1 */
} colour;

typedef struct oklab {
    float lightness, a, b;
} oklab;

static inline float palette_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t palette_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* 2 to the power of x, -126 .. 126, with a relative error below 3e-7. */
static inline float palette_exp2(float x) {
    const float shifted = x + 12582912.0f; /* 1.5 * 2^23: the sum's last bits are the nearest integer */
    const float f = (x - (shifted - 12582912.0f)) * 0.6931471806f;
    const float power =
        1.0f + f * (1.0f + f * (0.5f + f * (0.16666667f + f * (0.041666668f + f * (0.0083333338f + f * 0.0013888889f)))));
    return palette_float(palette_bits(power) + (palette_bits(shifted) << 23));
}

/* The binary logarithm of a normal number > 0, with an absolute error below 3e-7. */
static inline float palette_log2(float x) {
    const uint32_t exponent = (palette_bits(x) - 0x3f3504f3u) & 0xff800000u; /* so that the rest is sqrt(1/2) .. sqrt(2) */
    const float rest = palette_float(palette_bits(x) - exponent), s = (rest - 1.0f) / (rest + 1.0f), t = s * s;
    return (float)((int32_t)exponent / 0x800000) + s * (2.8853901f + t * (0.96179669f + t * (0.57707802f + t * 0.41219858f)));
}

/* From linear light to what a screen is given. */
static inline float palette_encode(float linear) {
    const float safe = linear > 0.0031308f ? linear : 0.0031308f;
    const float curve = 1.055f * palette_exp2(palette_log2(safe) * (1.0f / 2.4f)) - 0.055f;
    const float line = 12.92f * (linear > 0.0f ? linear : 0.0f);
    const float encoded = linear > 0.0031308f ? curve : line;
    return encoded < 1.0f ? encoded : 1.0f;
}

static inline colour colour_of(oklab c) {
    float l = c.lightness + 0.3963377774f * c.a + 0.2158037573f * c.b;
    float m = c.lightness - 0.1055613458f * c.a - 0.0638541728f * c.b;
    float s = c.lightness - 0.0894841775f * c.a - 1.2914855480f * c.b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return (colour){
        .red = palette_encode(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s),
        .green = palette_encode(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s),
        .blue = palette_encode(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s),
    };
}

/*
 * The colour of a mean heading (x, y), |(x, y)| <= 1. The direction is the hue and the length is the chroma: a crowd with one
 * heading is colourful, a crowd with all headings is grey. `lightness` is OKLCH's, 0 .. 1. The chroma is the largest that sRGB
 * shows at medium lightness in nearly every hue. The circle is turned by 40 degrees, so that headings to the right are warm and
 * those to the left are cool.
 */
static inline oklab palette_heading(float x, float y, float lightness) {
    const float chroma = 0.13f, turn_cos = 0.76604444f, turn_sin = 0.64278761f;
    return (oklab){lightness, chroma * (turn_cos * x - turn_sin * y), chroma * (turn_sin * x + turn_cos * y)};
}

/*
 * The colour of a number that is `share`, 0 .. 1, of the way from the minimum to the maximum: gold, red, violet. It becomes
 * darker all the way, so that the order shows without hues too.
 */
static inline oklab palette_value(float share) {
    const oklab gold = {0.78f, 0.030f, 0.150f}, red = {0.58f, 0.185f, 0.040f}, violet = {0.38f, 0.060f, -0.175f};
    const float first = 2.0f * share, second = first - 1.0f;
    return (oklab){
        share < 0.5f ? gold.lightness + (red.lightness - gold.lightness) * first
                     : red.lightness + (violet.lightness - red.lightness) * second,
        share < 0.5f ? gold.a + (red.a - gold.a) * first : red.a + (violet.a - red.a) * second,
        share < 0.5f ? gold.b + (red.b - gold.b) * first : red.b + (violet.b - red.b) * second,
    };
}

/* The colour of a species; the first six have hues of their own. */
oklab palette_species(int species, float lightness);

/* The background. */
static inline colour palette_paper(void) {
    return (colour){0.988f, 0.984f, 0.972f};
}

/* `share` of the way from one colour to another, in sRGB. */
static inline colour colour_mix(colour from, colour to, float share) {
    return (colour){
        .red = from.red + (to.red - from.red) * share,
        .green = from.green + (to.green - from.green) * share,
        .blue = from.blue + (to.blue - from.blue) * share,
    };
}

#endif
