/* SPDX-License-Identifier: MIT */
/* Functions that are private to kernels: sine and cosine, random words. They are compiled with the flags of each kernel. */
#ifndef DUNLIN_TESTS_LANES_H
#define DUNLIN_TESTS_LANES_H

#include <stdint.h>

#include "kernels/contract/kernel.h"

/* For `kernel->lanes` numbers; arrays have DUN_PADDING elements. */
typedef struct test_lanes {
    const char *kernel;
    void (*sincos_turns)(const float *turns, float *sine, float *cosine);
    void (*philox)(const uint32_t counter[4][DUN_PADDING], const uint32_t key[2], uint32_t out[4][DUN_PADDING]);
} test_lanes;

/* The functions of a kernel that runs here. */
const test_lanes *test_lanes_of(const dun_kernel *kernel);

#endif
