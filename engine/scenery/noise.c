/* SPDX-License-Identifier: MIT */
#include "engine/scenery/noise.h"

#include <math.h>

#include <dunlin/dunlin.h>

#include "engine/base/entry.h"
#include "engine/base/random.h"

enum { MAX_AXES = 4, MAX_CORNERS = 1 << MAX_AXES };

/* The finaliser of MurmurHash3 (A. Appleby): each bit of the input changes each bit of the result in about half of all cases.
 */
static uint32_t mix(uint32_t h) {
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    return h ^ (h >> 16);
}

/* The dot product of the hash's gradient and the offset from its lattice point. */
static float gradient_slope(uint32_t hash, int axes, const float offset[MAX_AXES]) {
    const int level = (int)(((hash >> 16) * (uint32_t)axes) >> 16); /* the axis along which the gradient is 0 */
    float sum = 0.0f;
    for (int a = 0; a < axes; a++)
        if (a != level) sum += hash >> a & 1 ? offset[a] : -offset[a];
    return sum;
}

/* 6t^5 - 15t^4 + 10t^3: slope and curvature are 0 at 0 and 1. */
static float fade(float t) {
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

/* Corner c of a lattice cell is the upper one on axis a if bit a of c is set. */
static void hash_corners(uint32_t seed, int axes, const uint32_t cell[MAX_AXES], uint32_t hash[MAX_CORNERS]) {
    hash[0] = seed;
    for (int a = 0; a < axes; a++)
        for (int c = 0; c < 1 << a; c++) {
            hash[c | 1 << a] = mix(hash[c] ^ (cell[a] + 1u));
            hash[c] = mix(hash[c] ^ cell[a]);
        }
}

float dun_noise(uint32_t seed, int axes, const double point[4]) {
    uint32_t cell[MAX_AXES], hash[MAX_CORNERS];
    float from[MAX_AXES], value[MAX_CORNERS];
    for (int a = 0; a < axes; a++) {
        const double base = floor(point[a]), around = floor(base * 0x1p-32);
        cell[a] = (uint32_t)(base - around * 0x1p32);
        from[a] = (float)(point[a] - base);
    }
    hash_corners(seed, axes, cell, hash);
    for (int c = 0; c < 1 << axes; c++) {
        float offset[MAX_AXES];
        for (int a = 0; a < axes; a++) offset[a] = from[a] - (float)(c >> a & 1);
        value[c] = gradient_slope(hash[c], axes, offset);
    }
    for (int a = 0; a < axes; a++) {
        const float share = fade(from[a]);
        for (int c = 0; c < 1 << (axes - 1 - a); c++) value[c] = value[2 * c] + (value[2 * c + 1] - value[2 * c]) * share;
    }
    return fmaxf(-1.0f, fminf(1.0f, value[0])); /* a few peaks are slightly above 1 */
}

float dun_noise_octaves(const uint32_t *seeds, int octaves, int axes, const double point[4]) {
    float sum = 0.0f, all = 0.0f, strength = 1.0f;
    double at[MAX_AXES];
    for (int a = 0; a < axes; a++) at[a] = point[a];
    for (int o = 0; o < octaves; o++) {
        sum += strength * dun_noise(seeds[o], axes, at);
        all += strength;
        strength *= 0.5f;
        for (int a = 0; a < axes; a++) at[a] *= 2.0;
    }
    return sum / all;
}

void dun_noise_seeds(uint64_t seed, uint32_t noise, uint32_t seeds[DUN_MAX_OCTAVES]) {
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (uint32_t octave = 0; octave < DUN_MAX_OCTAVES; octave++) {
        uint32_t bits[4];
        dun_philox((const uint32_t[]){noise, octave, (uint32_t)DUN_DRAW_NOISE, 0}, key, bits);
        seeds[octave] = bits[0];
    }
}

float dunlin_noise_over_time(uint64_t seed, int octaves, double time) {
    DUN_OWN_FLOATS();
    DUN_PIN(time);
    uint32_t seeds[DUN_MAX_OCTAVES];
    const double point[4] = {time, 1.0 / 3.0, 2.0 / 3.0};
    if (octaves < 1 || octaves > DUN_MAX_OCTAVES || !isfinite(time)) return 0.0f;
    dun_noise_seeds(seed, 0, seeds);
    float noise = dun_noise_octaves(seeds, octaves, 3, point);
    DUN_PIN(noise);
    return noise;
}
