/* SPDX-License-Identifier: MIT */
/*
 * HDF5's way to the disk, for a file that grows while others read it.
 *
 * While a file is open for writing, HDF5 marks its superblock, and only readers that ask for SWMR may open it, even when the
 * writer is long dead. But with SWMR's order of writing any reader finds a sound file at any time. So the superblock on the
 * disk always says that the file is closed, and that it ends after all that has a place in it.
 *
 * Readers ask for the file's size before they read its superblock, and refuse a file that is shorter than the superblock says.
 * So the file is always some frames longer: it must not outgrow the size that a reader has got. Until the file is closed, a
 * hole of DRIVER_RESERVE and DRIVER_AHEAD bytes and some frames comes last.
 *
 * Blocks of whole pages can pass by the page cache, which takes a tenth of the processor's time, where the file system has such
 * writes. Adjacent ones are written together.
 *
 * Frames are cut off in HDF5's own order, which leaves the file unsound meanwhile. So what is overwritten is noted first, in a
 * log after the end that the superblock names. Closing the file is what makes the cut valid; until then, a program that opens
 * the file with driver_open() undoes it.
 *
 *     superblock's end: "DUNLINUN", the end before the cut, then records of place, length and the bytes that were there
 */
#ifndef DUNLIN_HARNESS_TRAJECTORY_DRIVER_H
#define DUNLIN_HARNESS_TRAJECTORY_DRIVER_H

#include <hdf5.h>

#include <stdbool.h>
#include <stdint.h>

enum { DRIVER_RESERVE = 1 << 20, DRIVER_AHEAD = 1 << 24, DRIVER_PAGE = 4096, SUPERBLOCK_BYTES = 48 };

typedef struct driver driver;

/* Opens a file that exists, for reading and writing, with the other properties of `access`, which it takes. Below 0: it failed.
 */
hid_t driver_open(const char *path, unsigned flags, hid_t access);

/* Of a file that driver_open() opened. */
driver *driver_of(hid_t file);

/* The file grows at once, so that a reader that opens it now can read so many bytes of what comes next. */
bool driver_expect(driver *d, size_t bytes);

/* Blocks of pages from this memory may wait for more: they stay as they are until driver_flush(). */
void driver_keep(driver *d, const void *memory, size_t bytes);

/* Whether such blocks pass by the page cache. Writing then takes as long as the disk takes. */
void driver_set_direct(driver *d, bool is_direct);

/* Until the file is closed, all that is overwritten is noted. */
bool driver_begin_cut(driver *d);

/* Writes what waits. */
bool driver_flush(driver *d);

/* What was written is on the disk. */
bool driver_sync(driver *d);

/* Makes the superblock say that the file is closed and ends there, whatever its checksum was. */
void superblock_seal(unsigned char block[SUPERBLOCK_BYTES], uint64_t end);

/* Whether it is a superblock of version 3 with a right checksum. */
bool superblock_is_known(const unsigned char block[SUPERBLOCK_BYTES]);

/* The end that it names. */
uint64_t superblock_end(const unsigned char block[SUPERBLOCK_BYTES]);

#endif
