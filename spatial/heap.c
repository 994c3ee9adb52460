/* SPDX-License-Identifier: MIT */
#include "spatial/heap.h"

#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* Lies before each block. */
typedef struct block {
    dun_heap *heap; /* NULL: the C library's */
    size_t bytes;   /* with what lies before the block */
    uint64_t born;  /* how many holds had been made before it was allocated, … */
    uint64_t died;  /* … and freed */
    struct block *next, *previous;
    uint16_t before, alignment; /* bytes from the beginning of the memory to the block */
} block;

struct dun_hold {
    dun_heap *heap;
    uint64_t number;
    dun_hold *next, *previous;
};

struct dun_heap {
    dun_source source;
    pthread_mutex_t lock;
    size_t bytes;
    uint64_t holds_made;
    dun_hold *holds; /* the newest first */
    block *live;     /* the newest first */
    block *kept;     /* those that are freed, and that holds need */
    bool ended;
};

#define PLAIN      alignof(max_align_t)
#define PLAIN_HEAD ((sizeof(block) + PLAIN - 1) / PLAIN * PLAIN)
static_assert(PLAIN_HEAD <= DUN_BLOCK_HEAD, "a block's head fits before every block");

static block *head_of(void *memory) {
    return (block *)(void *)((char *)memory - sizeof(block));
}

static void *memory_of(block *head) {
    return (char *)head + sizeof(block) - head->before;
}

/* ---- the C library ----------------------------------------------------------------------------------------------------- */

static void *allocate_plain(void *user, size_t bytes, size_t alignment) {
    (void)user;
    if (alignment <= PLAIN) return malloc(bytes);
    return bytes > SIZE_MAX - alignment ? NULL : aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release_plain(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)user, (void)bytes, (void)alignment;
    free(memory);
}

static const dun_source c_library = {allocate_plain, release_plain, NULL};

/* ---- heaps ------------------------------------------------------------------------------------------------------------- */

dun_heap *dun_heap_create(const dun_source *source) {
    if (!source) source = &c_library;
    dun_heap *heap = source->allocate(source->user, sizeof *heap, PLAIN);
    if (!heap) return NULL;
    *heap = (dun_heap){.source = *source, .bytes = sizeof *heap};
    pthread_mutex_init(&heap->lock, NULL);
    return heap;
}

size_t dun_heap_bytes(dun_heap *heap) {
    pthread_mutex_lock(&heap->lock);
    const size_t bytes = heap->bytes;
    pthread_mutex_unlock(&heap->lock);
    return bytes;
}

/* Unlocks it, and frees it if nothing is left. */
static void leave_heap(dun_heap *heap) {
    const bool over = heap->ended && !heap->holds;
    pthread_mutex_unlock(&heap->lock);
    if (!over) return;
    const dun_source source = heap->source;
    pthread_mutex_destroy(&heap->lock);
    source.release(source.user, heap, sizeof *heap, PLAIN);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------------ */

/* The heap is locked. */
static void *take_memory(dun_heap *heap, size_t bytes, size_t alignment) {
    void *memory = heap->source.allocate(heap->source.user, bytes, alignment);
    if (memory) heap->bytes += bytes;
    return memory;
}

static void release(dun_heap *heap, void *memory, size_t bytes, size_t alignment) {
    heap->bytes -= bytes;
    heap->source.release(heap->source.user, memory, bytes, alignment);
}

static void *allocate(dun_heap *heap, size_t alignment, size_t before, size_t bytes) {
    if (bytes > SIZE_MAX - before) return NULL;
    if (heap) pthread_mutex_lock(&heap->lock);
    char *memory = heap ? take_memory(heap, before + bytes, alignment) : c_library.allocate(NULL, before + bytes, alignment);
    block *head = memory ? head_of(memory + before) : NULL;
    if (head)
        *head = (block){.heap = heap, .bytes = before + bytes, .before = (uint16_t)before, .alignment = (uint16_t)alignment};
    if (head && heap) {
        head->born = heap->holds_made;
        head->next = heap->live;
        if (head->next) head->next->previous = head;
        heap->live = head;
    }
    if (heap) pthread_mutex_unlock(&heap->lock);
    return head ? memory + before : NULL;
}

void *dun_allocate(dun_heap *heap, size_t bytes) {
    return allocate(heap, PLAIN, PLAIN_HEAD, bytes);
}

void *dun_allocate_zeros(dun_heap *heap, size_t count, size_t element) {
    if (element && count > SIZE_MAX / element) return NULL;
    void *memory = dun_allocate(heap, count * element);
    if (memory) memset(memory, 0, count * element);
    return memory;
}

void *dun_allocate_aligned(dun_heap *heap, size_t alignment, size_t bytes) {
    return allocate(heap, alignment, alignment, bytes);
}

void *dun_allocate_behind(dun_heap *heap, size_t alignment, size_t bytes) {
    return allocate(heap, alignment, DUN_BLOCK_HEAD, bytes - DUN_BLOCK_HEAD);
}

static void give_back(dun_heap *heap, block *head) {
    release(heap, memory_of(head), head->bytes, head->alignment);
}

/* Whether there was a hold during its life that is still there. */
static bool is_held(const dun_heap *heap, const block *head) {
    const dun_hold *hold = heap->holds;
    while (hold && hold->number >= head->died) hold = hold->next;
    return hold && hold->number >= head->born;
}

static void discard(dun_heap *heap, block *head) {
    *(head->previous ? &head->previous->next : &heap->live) = head->next;
    if (head->next) head->next->previous = head->previous;
    head->died = heap->holds_made;
    head->next = heap->kept;
    if (is_held(heap, head))
        heap->kept = head;
    else
        give_back(heap, head);
}

void dun_free(void *memory) {
    if (!memory) return;
    block *head = head_of(memory);
    dun_heap *heap = head->heap;
    if (!heap) {
        c_library.release(NULL, memory_of(head), head->bytes, head->alignment);
        return;
    }
    pthread_mutex_lock(&heap->lock);
    discard(heap, head);
    pthread_mutex_unlock(&heap->lock);
}

void dun_heap_end(dun_heap *heap) {
    if (!heap) return;
    pthread_mutex_lock(&heap->lock);
    while (heap->live) discard(heap, heap->live);
    heap->ended = true;
    leave_heap(heap);
}

void *dun_resize(dun_heap *heap, void *memory, size_t bytes) {
    void *grown = dun_allocate(heap, bytes);
    if (!grown || !memory) return grown;
    const size_t before = head_of(memory)->bytes - PLAIN_HEAD;
    memcpy(grown, memory, before < bytes ? before : bytes);
    dun_free(memory);
    return grown;
}

bool dun_array_grow(dun_heap *heap, void *array, uint64_t count, size_t element) {
    void *elements;
    if (count > SIZE_MAX / element) return false;
    memcpy(&elements, array, sizeof elements);
    elements = dun_resize(heap, elements, (size_t)count * element);
    if (elements) memcpy(array, &elements, sizeof elements);
    return elements;
}

bool dun_array_fit(dun_heap *heap, void *array, size_t *room, uint64_t count, size_t element) {
    if (count <= *room) return true;
    if (!dun_array_grow(heap, array, count, element)) return false;
    *room = (size_t)count;
    return true;
}

/* ---- holds ------------------------------------------------------------------------------------------------------------- */

dun_hold *dun_heap_hold(dun_heap *heap) {
    pthread_mutex_lock(&heap->lock);
    dun_hold *hold = take_memory(heap, sizeof *hold, PLAIN);
    if (hold) {
        *hold = (dun_hold){.heap = heap, .number = heap->holds_made++, .next = heap->holds};
        if (hold->next) hold->next->previous = hold;
        heap->holds = hold;
    }
    pthread_mutex_unlock(&heap->lock);
    return hold;
}

void dun_hold_release(dun_hold *hold) {
    if (!hold) return;
    dun_heap *heap = hold->heap;
    pthread_mutex_lock(&heap->lock);
    *(hold->previous ? &hold->previous->next : &heap->holds) = hold->next;
    if (hold->next) hold->next->previous = hold->previous;
    release(heap, hold, sizeof *hold, PLAIN);
    for (block **at = &heap->kept; *at;) {
        block *head = *at, *next = head->next;
        if (!is_held(heap, head)) {
            give_back(heap, head);
            *at = next;
        } else
            at = &head->next;
    }
    leave_heap(heap);
}
