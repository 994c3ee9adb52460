/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCALE_MEASURE_H
#define DUNLIN_HARNESS_SCALE_MEASURE_H

#include "harness/scale/plan.h"

/* Called after every repeat with how many of the planned seconds are done; false: stop now. `context` is the caller's. */
typedef bool measure_progress(void *context, double seconds_done);

/*
 * Measures the batch and adds its rows. If progress says stop, only rows that were measured at least once are added. Each row
 * says how many repeats it has.
 */
dunlin_result measure_batch(const plan_batch *batch, sweep_rows *rows, measure_progress *progress, void *context,
                            dunlin_error *error);

/* How many agents memory holds, from the free memory and the bytes per agent of a small flock. */
dunlin_result measure_limits(const scale_options *options, plan_limits *limits, dunlin_error *error);

#endif
