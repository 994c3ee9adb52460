/* SPDX-License-Identifier: MIT */
/*
 * Where memory comes from. A world has a heap, by which everything that belongs to it is allocated: by the host's functions, or
 * by the C library's. The indexes of a world use its heap; NULL is the C library's memory.
 *
 * A block knows its heap and its size, so it is freed without either, and a heap frees the rest at its end. A *hold* keeps all
 * blocks that there are when it is made: what is freed later stays readable until no hold needs it. A heap that its owner has
 * ended lives on until then.
 *
 * All functions may be called by any threads at the same time. The host's functions get one call at a time.
 */
#ifndef DUNLIN_SPATIAL_HEAP_H
#define DUNLIN_SPATIAL_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As dunlin_allocator. */
typedef struct dun_source {
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    void (*release)(void *user, void *memory, size_t bytes, size_t alignment);
    void *user;
} dun_source;

typedef struct dun_heap dun_heap;
typedef struct dun_hold dun_hold;

/* NULL: no memory. */
dun_heap *dun_heap_create(const dun_source *source);

/* Frees all blocks that are left. NULL is allowed. */
void dun_heap_end(dun_heap *heap);

/* How many bytes the heap has, those that holds keep included. */
size_t dun_heap_bytes(dun_heap *heap);

/* ---- blocks ------------------------------------------------------------------------------------------------------------ */

/* For any type; NULL: no memory. */
void *dun_allocate(dun_heap *heap, size_t bytes);

/* Likewise, but all bytes are 0. */
void *dun_allocate_zeros(dun_heap *heap, size_t count, size_t element);

/* At a multiple of a power of two from 64 to 4096. */
void *dun_allocate_aligned(dun_heap *heap, size_t alignment, size_t bytes);

/* DUN_BLOCK_HEAD bytes after such a multiple. `bytes` count from the multiple, so the block has DUN_BLOCK_HEAD less. */
enum { DUN_BLOCK_HEAD = 64 };
void *dun_allocate_behind(dun_heap *heap, size_t alignment, size_t bytes);

/* Gives a block of dun_allocate(), or NULL, another size, as realloc() does. NULL: no memory, and it is as before. */
void *dun_resize(dun_heap *heap, void *block, size_t bytes);

/* Gives an array `count` elements. `array` is the address of the pointer that dun_allocate() gave. false: no memory, and the
 * array is as before. */
bool dun_array_grow(dun_heap *heap, void *array, uint64_t count, size_t element);

/* The same for an array that has *room, if that is less. */
bool dun_array_fit(dun_heap *heap, void *array, size_t *room, uint64_t count, size_t element);

/* NULL is allowed. */
void dun_free(void *block);

/* ---- holds ------------------------------------------------------------------------------------------------------------- */

/* NULL: no memory. */
dun_hold *dun_heap_hold(dun_heap *heap);

/* NULL is allowed. */
void dun_hold_release(dun_hold *hold);

#endif
