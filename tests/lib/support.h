/* SPDX-License-Identifier: MIT */
/* What the tests of kernels, indexes and bit-identity share: arrays with canaries, kernels and executors. */
#ifndef DUNLIN_TESTS_SUPPORT_H
#define DUNLIN_TESTS_SUPPORT_H

#include "kernels/contract/kernel.h"
#include "spatial/executor.h"
#include "tests/lib/test.h"

/* ---- arrays with canaries --------------------------------------------------------------------------------------------- */

/*
 * `count` numbers, DUN_PADDING of padding after them, and canaries on both sides. Canaries and padding are NaNs of one pattern,
 * so that reading them by mistake makes the result a NaN, and writing to them is noticed.
 */
typedef struct test_array {
    float *block;
    float *at;
    uint32_t count;
} test_array;

test_array test_array_new(uint32_t count);
void test_array_free(test_array *array);

/* Fails if anything was written before the start or after the padding. */
void test_array_check(const test_array *array);

/* Sets everything to the canary again, including the numbers. */
void test_array_reset(test_array *array);

/* Fails at the first of `count` words that differs, with `what` in the message. */
void test_same_bits(const void *got, const void *want, uint32_t count, const char *what);

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

/*
 * The kernels that can run here, the scalar reference first. A plain build adds both AVX-512 kernels to those of the
 * registry, compiled without their instruction set (`avx512vl_emulated`, `avx512_emulated`): SIMDe emulates the operations.
 */
int test_kernel_count(void);
const dun_kernel *test_kernel(int position);

/* ---- executors -------------------------------------------------------------------------------------------------------- */

/* One thread that claims to be many workers, and takes tasks in ascending, descending or shuffled order. */
dun_executor test_executor_serial(uint32_t workers);
dun_executor test_executor_reverse(uint32_t workers);
dun_executor test_executor_shuffled(uint32_t workers);

/* Real threads, as in a world by default. End it with dun_parallel_destroy(). */
dun_executor test_executor_threads(uint32_t workers);

#endif
