/* SPDX-License-Identifier: MIT */
/* Frames as state files, from which runs continue. */
#ifndef DUNLIN_HARNESS_TRAJECTORY_STATE_H
#define DUNLIN_HARNESS_TRAJECTORY_STATE_H

#include "harness/trajectory/reader.h"

#include <stdio.h>

/*
 * Writes the state file that dunlin_world_save() would have written when the frame was recorded, to the bit. An error if the
 * trajectory lacks something for that, which the message names, or if the frame is damaged. `name` stands for the trajectory.
 */
dunlin_result trajectory_write_state(const char *name, const trajectory_info *info, const trajectory_frame *frame, FILE *file,
                                     dunlin_error *error);

enum { STEPS_TEXT = 100 };

/* Which frames there are at the steps from `first` to `last`, or, if there are none, the nearest ones: "its last frame is of
 * step 20". */
void steps_describe(const trajectory_reader *of, uint64_t first, uint64_t last, char text[STEPS_TEXT]);

#endif
