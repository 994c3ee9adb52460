/* SPDX-License-Identifier: MIT */
/*
 * Reading data sets that others may have packed. HDF5 unpacks a deflated chunk to its end, a thousand times as long as it is in
 * the file, whatever the chunk has room for; and it makes up all that is not in the file.
 */
#ifndef DUNLIN_HARNESS_TRAJECTORY_CHUNKS_H
#define DUNLIN_HARNESS_TRAJECTORY_CHUNKS_H

#include <hdf5.h>

#include <stdbool.h>

enum { CHUNK_RANK = 4, CHUNK_BYTES = 1 << 20 }; /* at most; CHUNK_BYTES: of a packed chunk, unpacked */

/* Whether it has a rank and filters that trajectories have, shuffle and deflate; packed chunks are of so many frames at most.
 */
bool chunks_are_known(hid_t set, hsize_t frames);

/* H5Dread() of `count` numbers from `start` on. False: also if they cannot be in the file, or a chunk is longer than it says.
 */
bool chunks_read(hid_t set, hid_t type, int rank, const hsize_t start[], const hsize_t count[], void *values);

#endif
