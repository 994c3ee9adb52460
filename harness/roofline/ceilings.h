/* SPDX-License-Identifier: MIT */
/* The limits of this machine, measured, never looked up: instructions of a core, and bytes of caches and memory. */
#ifndef DUNLIN_HARNESS_ROOFLINE_CEILINGS_H
#define DUNLIN_HARNESS_ROOFLINE_CEILINGS_H

#include "harness/report/machine.h"
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

/* ---- bandwidth: how fast bytes move, with one thread or several ------------------------------------------------------- */

enum { BANDWIDTH_LEVELS = MACHINE_CACHES + 1, BANDWIDTH_MEMORY = 0 };

typedef struct level_bandwidth {
    int level;              /* of the cache, or BANDWIDTH_MEMORY */
    char name[16];          /* "L1", "memory" */
    int threads;            /* at once */
    uint64_t bytes;         /* that all threads together use */
    const char *missing;    /* NULL, or why nothing was measured */
    double processor_share; /* the part of the best repeat for which threads moved bytes, on average; of the worst kind */
    ceiling kinds[BANDWIDTH_KINDS]; /* bytes per second of all threads together; best 0: no such instructions */
} level_bandwidth;

/*
 * Measures every level in `levels`: the caches 1 .. 3 even if the machine does not report them, all others that it reports, and
 * memory last. Returns their number. `loops` moves the bytes; `max_memory` is the limit for the measurement of memory.
 */
int bandwidth_measure(const machine *host, const roofline_loops *loops, int threads, int repeats, uint64_t max_memory,
                      level_bandwidth levels[BANDWIDTH_LEVELS]);

/* "read", "write", "copy", "copy past the caches" */
const char *bandwidth_kind_name(bandwidth_kind kind);

#endif
