/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_CLOCK_H
#define DUNLIN_HARNESS_CLOCK_H

/* Seconds, by a clock that never jumps. */
double clock_seconds(void);

#endif
