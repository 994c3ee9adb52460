/* SPDX-License-Identifier: MIT */
/* The rows of frames: in the order of ids; and how chunks of them are packed. */
#ifndef DUNLIN_HARNESS_TRAJECTORY_ROWS_H
#define DUNLIN_HARNESS_TRAJECTORY_ROWS_H

#include "harness/trajectory/frame.h"

/* Finds the agents, and copies their columns as they are or, if that is not for later, does all. False: no memory. */
bool take_agents(frame *f, frame_maker *maker, const dunlin_world *world);

/* Copies all columns in the order of rows, and computes the hash of the world meanwhile; NULL: not. False: no memory. */
bool copy_rows(frame *f, frame_maker *maker, const dunlin_world *world);

/* Rounds to the nearest number with so many bits of mantissa, of two the even one. TRAJECTORY_FILL stays. */
void round_bits(uint32_t *bits, size_t count, int precision);

/* HDF5's filters shuffle and deflate. `room` for both buffers is packed_room(). Returns the packed length; 0: packing does not
 * make it smaller. */
size_t packed_room(size_t bytes);
size_t pack_chunk(const void *chunk, size_t bytes, size_t value_bytes, int level, void *shuffled, void *packed);

#endif
