/* SPDX-License-Identifier: MIT */
/* XDMF beside a trajectory, so that ParaView and VisIt open it: one XML file that names the HDF5 file's parts frame by frame.
 */
#ifndef DUNLIN_HARNESS_TRAJECTORY_SIDECAR_H
#define DUNLIN_HARNESS_TRAJECTORY_SIDECAR_H

#include "harness/trajectory/file.h"

typedef struct sidecar {
    int descriptor;
    char *path, *name; /* its own, and the HDF5 file's as it stands in it */
    off_t end;         /* where the next frame goes, over the closing tags */
} sidecar;

/* "flight.xmf" for "flight.h5"; NULL: out of memory. free() it. */
char *sidecar_path(const char *path);

/* Begins the file, which is open and empty. Frees nothing. */
dunlin_result sidecar_begin(sidecar *x, const trajectory_file *file, dunlin_error *error);

/* Adds a frame. One write adds it and the closing tags again, so the file is whole at any time. */
dunlin_result sidecar_append(sidecar *x, const trajectory_file *file, uint64_t number, double time, uint64_t rows,
                             dunlin_error *error);

void sidecar_free(sidecar *x);

#endif
