/* SPDX-License-Identifier: MIT */
/* Sorts by whole numbers in memory that is there, for frames: the C library's qsort() asks for some. */
#ifndef DUNLIN_ENGINE_RADIX_H
#define DUNLIN_ENGINE_RADIX_H

#include <stdint.h>

typedef struct dun_keyed {
    uint64_t key;
    uint32_t value;
} dun_keyed;

/* Sorts by ascending keys; equal ones stay in their order. O(count), with a pass for each byte in which keys differ. */
void dun_radix_sort(dun_keyed *items, dun_keyed *spare, uint32_t count);

#endif
