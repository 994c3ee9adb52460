/* SPDX-License-Identifier: MIT */
/* What runs start from: --init with a state, or with a frame of a trajectory, RUN.h5@STEP. Either may be a pipe. */
#ifndef DUNLIN_HARNESS_INIT_FRAME_H
#define DUNLIN_HARNESS_INIT_FRAME_H

#include "harness/report/input.h"
#include "harness/trajectory/reader.h"

#include <stdio.h>

typedef struct init_frame {
    const char *name;        /* as given */
    FILE *copy;              /* of a pipe; NULL: it is a file */
    FILE *state;             /* the frame as a state file, without a name of its own; NULL: it is no frame */
    char path[INPUT_PATH];   /* under which that is read, or else the copy; "": under its name */
    uint64_t hash;           /* of the state */
    trajectory_reader *from; /* has the traces */
    const dunlin_trace_view *traces;
    int trace_count;
} init_frame;

/* Claims what `init` names, which may be NULL, and reads it if it is a frame or a pipe. init_frame_close() it in any case. */
dunlin_result init_frame_open(init_frame *frame, const char *init, dunlin_error *error);

/* After the world was built: an error if its state is not the one that was recorded. */
dunlin_result init_frame_check(const init_frame *frame, uint64_t state_hash, dunlin_error *error);

/* In a message about the state: the name that the user knows. */
void init_frame_rename(const init_frame *frame, dunlin_error *error);

void init_frame_close(init_frame *frame);

#endif
