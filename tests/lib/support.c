/* SPDX-License-Identifier: MIT */
#include "tests/lib/support.h"

#include "engine/base/parallel.h"
#include "tests/lib/random.h"

#include <stdlib.h>
#include <string.h>

/* ---- arrays with canaries --------------------------------------------------------------------------------------------- */

enum { CANARIES = 64 };
static const uint32_t canary = 0x7fdeadbeu; /* a quiet NaN */

static uint32_t words(const test_array *array) {
    return CANARIES + array->count + DUN_PADDING + CANARIES;
}

void test_array_reset(test_array *array) {
    for (uint32_t i = 0; i < words(array); i++) memcpy(array->block + i, &canary, sizeof canary);
}

test_array test_array_new(uint32_t count) {
    test_array array = {.count = count};
    array.block = malloc(words(&array) * sizeof *array.block);
    assert_non_null(array.block);
    array.at = array.block + CANARIES;
    test_array_reset(&array);
    return array;
}

void test_array_free(test_array *array) {
    free(array->block);
    *array = (test_array){0};
}

static void check_canaries(const float *from, const char *where) {
    for (int i = 0; i < CANARIES; i++)
        if (memcmp(from + i, &canary, sizeof canary) != 0) fail_msg("written %d words from the start of %s", i, where);
}

void test_array_check(const test_array *array) {
    check_canaries(array->block, "the canaries before an array");
    check_canaries(array->at + array->count + DUN_PADDING, "the canaries after an array's padding");
}

void test_same_bits(const void *got, const void *want, uint32_t count, const char *what) {
    if (count == 0 || memcmp(got, want, count * sizeof(uint32_t)) == 0) return;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a, b;
        memcpy(&a, (const char *)got + i * sizeof a, sizeof a);
        memcpy(&b, (const char *)want + i * sizeof b, sizeof b);
        if (a == b) continue;
        float x, y;
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        fail_msg("%s [%u of %u]: %08x (%.9g) instead of %08x (%.9g)", what, i, count, a, (double)x, b, (double)y);
    }
}

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

#ifdef DUNLIN_TEST_EMULATED
extern const dun_kernel dun_kernel_avx512vl_emulated, dun_kernel_avx512_emulated;
static const dun_kernel *const emulated[] = {&dun_kernel_avx512vl_emulated, &dun_kernel_avx512_emulated};
enum { EMULATED = sizeof emulated / sizeof *emulated };
#else
static const dun_kernel *const emulated[] = {NULL};
enum { EMULATED = 0 };
#endif

static int kernels_here(void) {
    int count = 0;
    for (int i = 0; i < dun_kernels_count(); i++) count += dun_kernels_runs_here(i);
    return count;
}

int test_kernel_count(void) {
    return kernels_here() + EMULATED;
}

const dun_kernel *test_kernel(int position) {
    for (int i = 0; i < dun_kernels_count(); i++)
        if (dun_kernels_runs_here(i) && position-- == 0) return dun_kernels_at(i);
    return emulated[position];
}

/* ---- executors -------------------------------------------------------------------------------------------------------- */

static void run_serial(const dun_executor *executor, uint32_t tasks, dun_task_fn *task, void *context) {
    for (uint32_t i = 0; i < tasks; i++) task(context, i, i % executor->workers);
}

static void run_reverse(const dun_executor *executor, uint32_t tasks, dun_task_fn *task, void *context) {
    for (uint32_t i = tasks; i-- > 0;) task(context, i, i % executor->workers);
}

static void run_shuffled(const dun_executor *executor, uint32_t tasks, dun_task_fn *task, void *context) {
    test_random random = {.state = tasks};
    uint32_t *order = malloc((tasks + 1u) * sizeof *order);
    assert_non_null(order);
    test_shuffle(&random, order, tasks);
    for (uint32_t i = 0; i < tasks; i++) task(context, order[i], i % executor->workers);
    free(order);
}

dun_executor test_executor_serial(uint32_t workers) {
    return (dun_executor){.workers = workers, .run = run_serial};
}

dun_executor test_executor_reverse(uint32_t workers) {
    return (dun_executor){.workers = workers, .run = run_reverse};
}

dun_executor test_executor_shuffled(uint32_t workers) {
    return (dun_executor){.workers = workers, .run = run_shuffled};
}

dun_executor test_executor_threads(uint32_t workers) {
    dunlin_world_def def = dunlin_world_def_default();
    dun_executor executor;
    def.threads = (int)workers;
    assert_int_equal(dun_parallel_create(&executor, NULL, &def, NULL), DUNLIN_OK);
    return executor;
}
