/* SPDX-License-Identifier: MIT */
/*
 * XDMF beside a trajectory, so that ParaView and VisIt open it: one XML file that names the HDF5 file's parts frame by frame.
 *
 * Its closing tags come last, so it cannot be appended to and be whole at any time: kill -9 may end a write between two pages.
 * It is replaced instead, whenever it has become longer by a part of it. Then the time for all of that is proportional to the
 * number of frames, and up to this part of the frames is missing meanwhile.
 */
#ifndef DUNLIN_HARNESS_TRAJECTORY_SIDECAR_H
#define DUNLIN_HARNESS_TRAJECTORY_SIDECAR_H

#include "harness/trajectory/file.h"

typedef struct sidecar_frame {
    double time;
    uint64_t rows;
} sidecar_frame;

typedef struct sidecar {
    char *path, *name;     /* its own, and the HDF5 file's as it stands in it */
    sidecar_frame *frames; /* all that the HDF5 file has */
    uint64_t count, room;  /* of frames */
    uint64_t written;      /* of these, how many are in the file */
} sidecar;

/* "run.xmf" for "run.h5"; NULL: out of memory. free() it. */
char *sidecar_path(const char *path);

/* Names the file: "run.xmf" beside "run.h5". sidecar_free() it also after a failure. */
dunlin_result sidecar_begin(sidecar *x, const char *path, dunlin_error *error);

/* Adds a frame, which is in the HDF5 file. */
dunlin_result sidecar_add(sidecar *x, double time, uint64_t rows, dunlin_error *error);

/* Replaces the file if enough frames were added. `is_last`: in any case, and it is on the disk then. */
dunlin_result sidecar_write(sidecar *x, const trajectory_file *of, bool is_last, dunlin_error *error);

/* Prints what is in the file. */
void sidecar_print(const sidecar *x, const trajectory_file *of, FILE *file);

void sidecar_free(sidecar *x);

#endif
