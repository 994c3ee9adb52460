/* SPDX-License-Identifier: MIT */
/*
 * Data sets and attributes of HDF5 files that others may have made. Each has the type, rank and size that is asked for, and
 * lies in this file and in no other, or else it is an error.
 */
#ifndef DUNLIN_HARNESS_TRAJECTORY_DATASETS_H
#define DUNLIN_HARNESS_TRAJECTORY_DATASETS_H

#include <dunlin/dunlin.h>

#include <hdf5.h>

typedef struct hdf5_source {
    hid_t file;
    const char *name; /* for messages */
    uint64_t bytes;   /* of the file */
} hdf5_source;

/* Fills in the error: "NAME: PATH WHAT". */
dunlin_result hdf5_fail(const hdf5_source *from, const char *path, const char *what, dunlin_error *error);

/* Whether there is something at this path, by hard links only: no other kind leads out of the file or in circles. */
bool hdf5_has(const hdf5_source *from, const char *path);

/*
 * Opens a data set of numbers of this type's class, size and sign and of this rank, with at least `least` in each dimension;
 * UINT64_MAX means none at all, as for "at most one". extent[rank] receives its size.
 */
dunlin_result hdf5_open(const hdf5_source *from, const char *path, hid_t type, int rank, const hsize_t least[], hid_t *set,
                        hsize_t extent[], dunlin_error *error);

/* Reads from `start` on `count` numbers in each dimension. */
dunlin_result hdf5_read(const hdf5_source *from, const char *path, hid_t set, hid_t type, int rank, const hsize_t start[],
                        const hsize_t count[], void *values, dunlin_error *error);

/* Whether so many bytes can come from this file, which deflate makes at most 1032 times as small. */
bool hdf5_can_hold(const hdf5_source *from, uint64_t count, uint64_t bytes_each);

/* Reads an attribute that is a whole number of at most 64 bits. */
dunlin_result hdf5_read_number(const hdf5_source *from, const char *path, const char *attribute, int64_t *value,
                               dunlin_error *error);

/* Reads an attribute that is a list of up to `most` texts. *texts: one block of memory with pointers and texts; free() it. */
dunlin_result hdf5_read_texts(const hdf5_source *from, const char *path, const char *attribute, int most, char ***texts,
                              int *count, dunlin_error *error);

/*
 * Reading data sets that others may have packed. HDF5 unpacks a deflated chunk to its end, a thousand times as long as it is in
 * the file, whatever the chunk has room for; and it makes up all that is not in the file.
 */
enum { CHUNK_RANK = 4, CHUNK_BYTES = 1 << 20 }; /* at most; CHUNK_BYTES: of a packed chunk, unpacked */

/* Whether it has a rank and filters that trajectories have, shuffle and deflate; packed chunks are of so many frames at most.
 */
bool chunks_are_known(hid_t set, hsize_t frames);

/* H5Dread() of `count` numbers from `start` on. False: also if they cannot be in the file, or a chunk is longer than it says.
 */
bool chunks_read(hid_t set, hid_t type, int rank, const hsize_t start[], const hsize_t count[], void *values);

#endif
