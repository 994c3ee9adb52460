/* SPDX-License-Identifier: MIT */
#include "harness/picture/palette.h"

#include <math.h>

/* The largest chroma that sRGB shows at medium lightness in nearly every hue. */
static const float full_chroma = 0.13f;

/* Turns the circle so that headings to the right are warm and to the left are cool: cosine and sine of 40 degrees. */
static const float turn_cos = 0.76604444f;
static const float turn_sin = 0.64278761f;

static float encode_srgb(float linear) {
    if (linear <= 0.0031308f) return 12.92f * fmaxf(linear, 0.0f);
    return fminf(1.055f * powf(linear, 1.0f / 2.4f) - 0.055f, 1.0f);
}

static colour from_oklab(float lightness, float a, float b) {
    float l = lightness + 0.3963377774f * a + 0.2158037573f * b;
    float m = lightness - 0.1055613458f * a - 0.0638541728f * b;
    float s = lightness - 0.0894841775f * a - 1.2914855480f * b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return (colour){
        .red = encode_srgb(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s),
        .green = encode_srgb(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s),
        .blue = encode_srgb(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s),
    };
}

colour palette_heading(float x, float y, float lightness) {
    float a = turn_cos * x - turn_sin * y;
    float b = turn_sin * x + turn_cos * y;
    return from_oklab(lightness, full_chroma * a, full_chroma * b);
}

/* Green, blue, red, violet, gold, cyan: no two of the first three look alike to people who are colour-blind. */
colour palette_species(int species, float lightness) {
    static const float hues[6] = {2.53f, 4.45f, 0.60f, 5.60f, 1.48f, 3.49f}; /* radians in OKLCH */
    float hue = hues[species % 6];
    return from_oklab(lightness, 0.15f * cosf(hue), 0.15f * sinf(hue));
}

colour palette_value(float share) {
    static const float stops[3][3] = {{0.78f, 0.030f, 0.150f}, {0.58f, 0.185f, 0.040f}, {0.38f, 0.060f, -0.175f}}; /* OKLAB */
    int first = share < 0.5f ? 0 : 1;
    float between = 2.0f * share - (float)first, mixed[3];
    for (int i = 0; i < 3; i++) mixed[i] = stops[first][i] + (stops[first + 1][i] - stops[first][i]) * between;
    return from_oklab(mixed[0], mixed[1], mixed[2]);
}

colour colour_mix(colour from, colour to, float share) {
    return (colour){
        .red = from.red + (to.red - from.red) * share,
        .green = from.green + (to.green - from.green) * share,
        .blue = from.blue + (to.blue - from.blue) * share,
    };
}

colour palette_paper(void) {
    return (colour){0.988f, 0.984f, 0.972f};
}

float palette_clarity(float depth) {
    return 1.0f - 0.64f * depth;
}
