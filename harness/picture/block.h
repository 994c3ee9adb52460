/* SPDX-License-Identifier: MIT */
/* Memory that is kept from one picture to the next, so that the pictures of a film do not fetch it again from the system. */
#ifndef DUNLIN_HARNESS_PICTURE_BLOCK_H
#define DUNLIN_HARNESS_PICTURE_BLOCK_H

#include <stddef.h>

typedef struct block {
    void *bytes; /* aligned to BLOCK_ALIGNMENT */
    size_t size;
} block;

enum { BLOCK_ALIGNMENT = 64 };

/* At least `size` bytes with unspecified contents; NULL: memory has run out, and the block is empty. */
void *block_need(block *b, size_t size);
void block_free(block *b);

#endif
