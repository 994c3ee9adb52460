/* SPDX-License-Identifier: MIT */
/* What messages say of a trajectory's frames. */
#ifndef DUNLIN_HARNESS_TRAJECTORY_STEPS_H
#define DUNLIN_HARNESS_TRAJECTORY_STEPS_H

#include "harness/trajectory/reader.h"

enum { STEPS_TEXT = 100 };

/* Which frames there are at the steps from `first` to `last`, or, if there are none, the nearest ones: "its last frame is of
 * step 20". */
void steps_describe(const trajectory_reader *of, uint64_t first, uint64_t last, char text[STEPS_TEXT]);

#endif
