/* SPDX-License-Identifier: MIT */
#include "harness/picture/block.h"

#include <stdlib.h>

void block_free(block *b) {
    free(b->bytes);
    *b = (block){0};
}

void *block_need(block *b, size_t size) {
    if (b->bytes && b->size >= size) return b->bytes;
    block_free(b);
    const size_t rounded = (size / BLOCK_ALIGNMENT + 1) * BLOCK_ALIGNMENT;
    b->bytes = aligned_alloc(BLOCK_ALIGNMENT, rounded);
    if (b->bytes) b->size = rounded;
    return b->bytes;
}
