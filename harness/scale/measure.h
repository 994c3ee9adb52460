/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCALE_MEASURE_H
#define DUNLIN_HARNESS_SCALE_MEASURE_H

#include "harness/scale/plan.h"

/* Told after every repeat how many seconds of the plan's guess are done; false: stop now. `context` is the caller's. */
typedef bool measure_progress(void *context, double seconds_done);

/*
 * Measures the batch and adds its rows; when progress says stop, those that were measured at least once by then. Each row says
 * how many repeats it has.
 */
dunlin_result measure_batch(const plan_batch *batch, sweep_rows *rows, measure_progress *progress, void *context,
                            dunlin_error *error);

/* How many agents memory takes, from what is free and from the bytes an agent of a small flock's frame. */
dunlin_result measure_limits(const scale_options *options, plan_limits *limits, dunlin_error *error);

#endif
