/* SPDX-License-Identifier: MIT */
#include "tests/lib/allocations.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The linker's names for the real functions and for ours. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
void __wrap_free(void *block);

static atomic_bool watching;
static atomic_bool failing_onwards;
static atomic_uint_fast64_t asked, freed, failed, failing_number;
static atomic_size_t held;

static void start(uint64_t number, bool onwards) {
    asked = freed = failed = 0;
    failing_number = number;
    failing_onwards = onwards;
    watching = true;
}

void allocations_watch(void) {
    start(UINT64_MAX, false);
}

void allocations_fail(uint64_t number, bool onwards) {
    start(number, onwards);
}

void allocations_ignore(void) {
    watching = false;
}

uint64_t allocations_asked(void) {
    return asked;
}

uint64_t allocations_freed(void) {
    return freed;
}

uint64_t allocations_failed(void) {
    return failed;
}

size_t allocations_held(void) {
    return held;
}

/* Counts a call that asks for memory. Returns false if the call must fail. */
static bool allowed(void) {
    if (!watching) return true;
    const uint64_t number = asked++;
    if (number != failing_number && !(failing_onwards && number > failing_number)) return true;
    failed++;
    errno = ENOMEM;
    return false;
}

static void *keep(void *block) {
    if (block) held += malloc_usable_size(block);
    return block;
}

/* With bytes that no one means to read, so that what is never filled shows. */
static void *keep_filled(void *block) {
    if (block) memset(block, 0xa5, malloc_usable_size(block));
    return keep(block);
}

static void drop(void *block) {
    if (block) held -= malloc_usable_size(block);
}

void *__wrap_malloc(size_t size) {
    return allowed() ? keep_filled(__real_malloc(size)) : NULL;
}

void *__wrap_calloc(size_t count, size_t size) {
    return allowed() ? keep(__real_calloc(count, size)) : NULL;
}

void *__wrap_realloc(void *block, size_t size) {
    if (!allowed()) return NULL;
    const size_t before = block ? malloc_usable_size(block) : 0;
    void *grown = __real_realloc(block, size);
    if (grown) held -= before;
    return keep(grown);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return allowed() ? keep_filled(__real_aligned_alloc(alignment, size)) : NULL;
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size) {
    if (!allowed()) return ENOMEM;
    const int result = __real_posix_memalign(block, alignment, size);
    if (result == 0) keep_filled(*block);
    return result;
}

void __wrap_free(void *block) {
    if (watching && block) freed++;
    drop(block);
    __real_free(block);
}
