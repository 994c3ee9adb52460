/* SPDX-License-Identifier: MIT */
/* The bits of floats, alone and two in a word: what ranks exchange, since transports add up and compare whole numbers. */
#ifndef DUNLIN_ENGINE_BITS_H
#define DUNLIN_ENGINE_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t dun_bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float dun_float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t dun_word_of(float high, float low) {
    return (uint64_t)dun_bits_of(high) << 32 | dun_bits_of(low);
}

static inline void dun_from_word(uint64_t word, float *high, float *low) {
    *high = dun_float_of((uint32_t)(word >> 32));
    *low = dun_float_of((uint32_t)word);
}

#endif
