/* SPDX-License-Identifier: MIT */
/* The limits of this machine, measured, never looked up: instructions of a core, and bytes to and from where a flock is. */
#ifndef DUNLIN_HARNESS_ROOFLINE_CEILINGS_H
#define DUNLIN_HARNESS_ROOFLINE_CEILINGS_H

#include "harness/roofline/loops.h"

/* Operations per second of one core with a kernel's instructions; 0: it has no such instruction, or does not run here. */
typedef struct kernel_ceilings {
    double per_second[LOOP_KINDS]; /* of LOOP_CLOCK: cycles */
} kernel_ceilings;

/* Measures each loop `repeats` times, about 0.1 ms each. */
kernel_ceilings ceilings_measure(const char *kernel, int repeats);

/* "adds", … */
const char *ceilings_kind_name(loop_kind kind);

typedef enum bandwidth_kind { BANDWIDTH_READ, BANDWIDTH_WRITE, BANDWIDTH_COPY, BANDWIDTH_KINDS } bandwidth_kind;

/* Bytes per second of all threads together; copies count the bytes read and the bytes written. 0: not measured. */
typedef struct bandwidths {
    double per_second[BANDWIDTH_KINDS];
} bandwidths;

/* With so many bytes of memory in use by all threads together, `threads` >= 1. */
bandwidths bandwidth_measure(double bytes, int threads, int repeats);

#endif
