/* SPDX-License-Identifier: MIT */
/* The limits of this machine's processor: measured, never looked up. */
#ifndef DUNLIN_HARNESS_ROOFLINE_CEILINGS_H
#define DUNLIN_HARNESS_ROOFLINE_CEILINGS_H

#include "harness/roofline/loops.h"

/* A rate that was measured several times. The best counts; ceilings.c says why. */
typedef struct ceiling {
    double best;   /* per second; 0: not measured */
    double median; /* per second */
    double min;    /* per second */
    double per_cycle;
} ceiling;

typedef struct width_ceilings {
    const char *kernel; /* whose instructions */
    int lanes;
    const char *missing; /* NULL, or why nothing was measured */
    double clock;        /* cycles per second, beside the loops below; the best */
    double clock_min;    /* the minimum of the loops' medians */
    ceiling kinds[LOOP_KINDS];
} width_ceilings;

/* Of `count` >= 1 measured rates, which it sorts. `per_cycle` stays 0. */
ceiling ceiling_of(double *rates, int count);

/* Measures each loop `repeats` times, about 0.2 ms each. */
width_ceilings ceilings_measure(const char *kernel, int repeats);

/* "adds", "adds and multiplies, 1 : 1", … */
const char *ceilings_kind_name(loop_kind kind);

#endif
