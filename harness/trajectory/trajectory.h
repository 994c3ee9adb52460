/* SPDX-License-Identifier: MIT */
/*
 * Writes trajectories: see layout.h. The threads that simulate copy the agents of a frame in the order of ids, and a thread of
 * the trajectory's own writes the copy while the next steps run:
 *
 *     trajectory_record()  -- frames that are full -->  the writer's thread
 *                          <-- frames that are free --
 *
 * There are TRAJECTORY_FRAMES frames. When all are full, trajectory_record() waits: no frame is dropped.
 */
#ifndef DUNLIN_HARNESS_TRAJECTORY_H
#define DUNLIN_HARNESS_TRAJECTORY_H

#include "harness/report/metrics.h"

enum { TRAJECTORY_FRAMES = 2 };

typedef struct trajectory trajectory;

/* What is written. Everything must outlive the trajectory. */
typedef struct trajectory_def {
    const char *path;
    const char *fields;  /* names with commas between, beside positions and ids; NULL: all */
    const char *species; /* likewise; NULL: all */
    int precision;       /* bits of mantissa, 1 .. 22; 0: all of them */
    int compression;     /* 0: none, 1 .. 9 */
    uint64_t every;      /* steps per frame, for the record */
    const char *scenario, *scenario_path, *scenario_text;
    metrics_meter *meter; /* what is measured in each frame */
} trajectory_def;

/* Checks everything that can be checked before the first step, and makes the file, which has no name yet. Always drop it. */
dunlin_result trajectory_create(trajectory **created, const trajectory_def *def, dunlin_world *world, dunlin_error *error);

/* Opens the file at def->path, which a run with the same definition has left at any time, to continue after `frames` frames.
 * What comes after them is cut off. */
dunlin_result trajectory_reopen(trajectory **opened, const trajectory_def *def, dunlin_world *world, uint64_t frames,
                                dunlin_error *error);

/* Up to how many steps apart frames count all crossings of the world's edges: see crossings.h. UINT64_MAX: with any, or none
 * are wanted. */
uint64_t trajectory_max_every(const trajectory *t, const dunlin_world *world);

/* Appends the present state, unless the last frame is of this step already. The first call puts a new file in its place. The
 * error may be about a frame before. Metrics come with the next step, so the frame is written after it. */
dunlin_result trajectory_record(trajectory *t, dunlin_world *world, dunlin_error *error);

/* For steps that are not recorded: an error if a frame could not be written so far. */
dunlin_result trajectory_check(trajectory *t, dunlin_world *world, dunlin_error *error);

/* Waits until all frames are on the disk, and returns how many there are. */
dunlin_result trajectory_sync(trajectory *t, dunlin_world *world, uint64_t *frames, dunlin_error *error);

/* Writes what is left and closes the file. */
dunlin_result trajectory_finish(trajectory *t, dunlin_world *world, dunlin_error *error);

/* Frees it. What was recorded stays on the disk, unless the file has no name yet or the last frame still waits for its metrics.
 * NULL is allowed. */
void trajectory_drop(trajectory *t);

#endif
