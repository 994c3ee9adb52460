/* SPDX-License-Identifier: MIT */
/* The rows of a frame: in the order of ids, cut into chunks, packed. */
#ifndef DUNLIN_HARNESS_TRAJECTORY_ROWS_H
#define DUNLIN_HARNESS_TRAJECTORY_ROWS_H

#include "harness/trajectory/frame.h"

typedef enum source {
    SOURCE_COLUMNS, /* of the frame */
    SOURCE_SPECIES, /* int8 */
    SOURCE_SLOT     /* int32 */
} source;

/* Where a chunk's values come from. */
typedef struct chunk_source {
    source source;
    int column;     /* COLUMNS; -1: all values are 0 */
    bool is_number; /* a float, else a whole number */
    int precision;  /* of floats; 0: all bits */
} chunk_source;

/* The frame's rows in ascending order of ids. Grows as needed, so it is zero at first. */
typedef struct row_order {
    uint32_t *rows;
    size_t room;
} row_order;

bool order_rows(row_order *order, const frame *f, const selection *s);

/* Fills a chunk of `room` values, of which those from `count` on are fill, with the rows from `first` on. */
void fill_chunk(void *chunk, const chunk_source *from, const frame *f, const selection *s, const uint32_t *rows, size_t count,
                size_t room);

/* HDF5's filters shuffle and deflate. `room` for both buffers is packed_room(). Returns the packed length; 0: packing does not
 * make it smaller. */
size_t packed_room(size_t bytes);
size_t pack_chunk(const void *chunk, size_t bytes, size_t value_bytes, int level, void *shuffled, void *packed);

#endif
