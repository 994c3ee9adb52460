/* SPDX-License-Identifier: MIT */
/* Compiled once per kernel, as kernels are. */
#include "tests/lib/lanes.h"

#include "kernels/wide/random.h"
#include "kernels/wide/trig.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define TEXT_(a)    #a
#define TEXT(a)     TEXT_(a)

static void sincos_turns(const float *turns, float *sine, float *cosine) {
    wide s, c;
    wide_sincos_turns(wide_load(turns), &s, &c);
    wide_store(sine, s);
    wide_store(cosine, c);
}

static void philox(const uint32_t counter[4][DUN_PADDING], const uint32_t key[2], uint32_t out[4][DUN_PADDING]) {
    wide_int words[1][4];
    wide_keys keys;
    for (int w = 0; w < 4; w++) words[0][w] = wide_int_load((const int32_t *)counter[w]);
    wide_keys_of(key, &keys);
    wide_philox(words, 1, &keys);
    for (int w = 0; w < 4; w++) wide_int_store((int32_t *)out[w], words[0][w]);
}

extern const test_lanes JOIN(test_lanes_, DUNLIN_KERNEL);
const test_lanes JOIN(test_lanes_, DUNLIN_KERNEL) = {TEXT(DUNLIN_KERNEL), sincos_turns, philox};
