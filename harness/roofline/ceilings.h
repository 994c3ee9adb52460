/* SPDX-License-Identifier: MIT */
/* What this machine's processor can do at most: measured, never looked up. */
#ifndef DUNLIN_HARNESS_ROOFLINE_CEILINGS_H
#define DUNLIN_HARNESS_ROOFLINE_CEILINGS_H

#include "harness/roofline/loops.h"

/* A number that was measured several times. Of rates the best counts; ceilings.c says why. */
typedef struct ceiling {
    double best;   /* a second; 0: not measured */
    double median; /* a second */
    double least;  /* a second */
    double per_cycle;
} ceiling;

typedef struct width_ceilings {
    const char *kernel; /* whose instructions */
    int lanes;
    const char *missing; /* NULL, or why nothing was measured */
    double clock;        /* cycles a second, beside the loops below; the best */
    double clock_least;
    ceiling kinds[LOOP_KINDS];
} width_ceilings;

/* What `count` >= 1 measured rates say; sorts them. `per_cycle` stays 0. */
ceiling ceiling_of(double *rates, int count);

/* Measures each loop `repeats` times, some 0.2 ms each. */
width_ceilings ceilings_measure(const char *kernel, int repeats);

/* "adds", "adds and multiplies, 1 : 1", … */
const char *ceilings_kind_name(loop_kind kind);

#endif
