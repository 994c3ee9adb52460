/* SPDX-License-Identifier: MIT */
/* Ratios between rows. */
#ifndef DUNLIN_HARNESS_SCALE_SCALING_H
#define DUNLIN_HARNESS_SCALE_SCALING_H

#include "harness/scale/sweep.h"

/* The ratio of the agent-updates per second. */
double scaling_speed_up(const frame_row *row, const frame_row *one);

/* The speed-up per thread: 1 is ideal. */
double scaling_efficiency(const frame_row *row, const frame_row *one);

/*
 * The serial fraction of one thread's time (Karp, Flatt: Measuring parallel processor performance, 1990): (1/s - 1/p) /
 * (1 - 1/p) for a speed-up of s with p threads. Everything that slows threads down counts: waiting, memory, the clock. NAN for
 * one thread.
 */
double scaling_serial_fraction(const frame_row *row, const frame_row *one);

/* The row of baseline-aos with so many threads, or NULL. */
const frame_row *scaling_baseline(const sweep_rows *rows, int threads);

/* In the distribution sweep: the time per useful pair over that of the uniform row below; NAN for that row. */
double scaling_against_uniform(const sweep_rows *rows, int row);

#endif
