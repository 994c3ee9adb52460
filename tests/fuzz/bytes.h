/* SPDX-License-Identifier: MIT */
/*
 * Bytes as a source of choices, for fuzzers. A number takes one byte unless it is a rare one, so that a fuzzer that changes a
 * byte changes one decision. Where no byte is left, every answer is the first choice or the lowest value.
 */
#ifndef DUNLIN_FUZZ_BYTES_H
#define DUNLIN_FUZZ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_bytes {
    const uint8_t *at, *end;
} fuzz_bytes;

/* 0 .. choices - 1; choices 1 .. 256. */
unsigned bytes_choice(fuzz_bytes *bytes, unsigned choices);

/* Four bytes, little endian. */
uint32_t bytes_word(fuzz_bytes *bytes);

/* True for one byte in `odds`. */
bool bytes_rarely(fuzz_bytes *bytes, unsigned odds);

/* Mostly an even step from low to high; rarely what hurts: zeros, limits, infinities, NaN, any bits at all. */
float bytes_number(fuzz_bytes *bytes, float low, float high);

/* The same as a double. A conversion in the caller might be made where a host's flags are compared, and one of a subnormal
 * number sets a flag. */
double bytes_double(fuzz_bytes *bytes, float low, float high);

/* Mostly low .. high, no more than 240 apart, low where there are none between; rarely beyond them, or far away. */
int bytes_int(fuzz_bytes *bytes, int low, int high);

/* Mostly a value of an enumeration of `count`; rarely one that it does not have. */
int bytes_enum(fuzz_bytes *bytes, int count);

#endif
