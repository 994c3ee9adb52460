/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/bytes.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static unsigned next_byte(fuzz_bytes *bytes) {
    return bytes->at < bytes->end ? *bytes->at++ : 0;
}

unsigned bytes_choice(fuzz_bytes *bytes, unsigned choices) {
    return next_byte(bytes) % choices;
}

uint32_t bytes_word(fuzz_bytes *bytes) {
    uint32_t word = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) word |= (uint32_t)next_byte(bytes) << shift;
    return word;
}

bool bytes_rarely(fuzz_bytes *bytes, unsigned odds) {
    return bytes_choice(bytes, odds) == odds - 1;
}

float bytes_number(fuzz_bytes *bytes, float low, float high) {
    enum { EVEN = 246 };
    static const float nasty[] = {
        0.0f,  -0.0f,  INFINITY, -INFINITY, NAN,   FLT_MAX, -FLT_MAX, FLT_MIN, 1e-45f,      -1e-45f, 1e-9f,    -1e-9f,
        1.0f,  -1.0f,  1e6f,     -1e6f,     1e9f,  -1e9f,   2e9f,     1e18f,   -1e18f,      1e19f,   1e30f,    -1e30f,
        1e38f, -1e38f, 0.5f,     0.25f,     1e-6f, 1e-3f,   32.0f,    -32.0f,  16777216.0f, 1000.0f, -1000.0f,
    };
    const unsigned byte = next_byte(bytes);
    if (byte < EVEN) return low + (high - low) * ((float)byte / (EVEN - 1));
    const unsigned which = next_byte(bytes);
    if (which < 5 * (sizeof nasty / sizeof *nasty)) return nasty[which / 5];
    const uint32_t bits = bytes_word(bytes);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

double bytes_double(fuzz_bytes *bytes, float low, float high) {
    return (double)bytes_number(bytes, low, high);
}

int bytes_int(fuzz_bytes *bytes, int low, int high) {
    enum { EVEN = 246 };
    const int nasty[] = {-1, 0, INT_MIN, INT_MAX, low - 1, high + 1, 65536, 65537, 1 << 28, -65536};
    const unsigned byte = next_byte(bytes);
    if (byte >= EVEN) return nasty[byte - EVEN];
    return high > low ? low + (int)byte % (high - low + 1) : low;
}

int bytes_enum(fuzz_bytes *bytes, int count) {
    return bytes_int(bytes, 0, count - 1);
}
