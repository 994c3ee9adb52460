/* SPDX-License-Identifier: MIT */
/* What rows say beside each other. */
#ifndef DUNLIN_HARNESS_SCALE_SCALING_H
#define DUNLIN_HARNESS_SCALE_SCALING_H

#include "harness/scale/sweep.h"

/* How many times as many agent-updates a second. */
double scaling_speed_up(const frame_row *row, const frame_row *one);

/* The speed-up a thread: 1 is ideal. */
double scaling_efficiency(const frame_row *row, const frame_row *one);

/*
 * The share of one thread's time that was as good as serial (Karp, Flatt: Measuring parallel processor performance, 1990):
 * (1/s - 1/p) / (1 - 1/p) for a speed-up of s with p threads. Whatever slows threads down counts, be it waiting, memory or
 * clock. NAN for one thread.
 */
double scaling_serial_fraction(const frame_row *row, const frame_row *one);

/* The row of baseline-aos with so many threads; NULL: there is none. */
const frame_row *scaling_baseline(const sweep_rows *rows, int threads);

/* Of the distribution sweep: a useful pair's time over that in the uniform row after it; NAN for a row that is that one. */
double scaling_against_uniform(const sweep_rows *rows, int row);

#endif
