/* SPDX-License-Identifier: MIT */
/* A small trajectory of three frames, as the bytes of its file, with whatever faults a test wants. It is made of HDF5's
 * functions alone, so that the program's own writer is not needed, and files can be made that it would never write. */
#ifndef DUNLIN_TESTS_TRAJECTORY_IMAGE_H
#define DUNLIN_TESTS_TRAJECTORY_IMAGE_H

#include <stddef.h>
#include <stdint.h>

/* What is wrong. A fault that makes no sense for its part does nothing. */
typedef enum fault_kind {
    FAULT_MISSING,
    FAULT_TYPE,    /* a whole number for a real one, or the other way round */
    FAULT_WIDTH,   /* twice as many bytes, or half of eight */
    FAULT_SIGN,    /* of a whole number */
    FAULT_RANK,    /* one dimension more, or of three one less */
    FAULT_SHORT,   /* a frame less */
    FAULT_THIN,    /* a row less, or no component z */
    FAULT_HUGE,    /* 2^33 frames or rows, of which none is written */
    FAULT_SOFT,    /* a soft link to what was meant */
    FAULT_GROUP,   /* a group of that name */
    FAULT_OUTSIDE, /* in another file */
    FAULT_VALUE,   /* `value` at place `at`, as far as there is room */
    FAULT_KINDS
} fault_kind;

typedef struct image_fault {
    int part; /* 0 .. image_parts() - 1 */
    fault_kind kind;
    int at;
    uint64_t value; /* its low bytes */
} image_fault;

int image_parts(void);

/* The path of a data set, or the name of an attribute. */
const char *image_part(int part);

/* The part of that name. Ends the process if there is none, as image_write() does if it cannot write. */
int image_part_of(const char *name);

/* Writes the trajectory to a file. */
void image_write(const char *path, int dimensions, const image_fault faults[], int count);

/* free() the bytes. NULL: out of memory. */
void *image_make(int dimensions, const image_fault faults[], int count, size_t *bytes);

#endif
