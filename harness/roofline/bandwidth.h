/* SPDX-License-Identifier: MIT */
/* How fast this machine moves bytes: in each cache level and in memory, with one thread or several. */
#ifndef DUNLIN_HARNESS_ROOFLINE_BANDWIDTH_H
#define DUNLIN_HARNESS_ROOFLINE_BANDWIDTH_H

#include "harness/report/machine.h"
#include "harness/roofline/ceilings.h"

enum { BANDWIDTH_LEVELS = MACHINE_CACHES + 1, BANDWIDTH_MEMORY = 0 };

typedef struct level_bandwidth {
    int level;                      /* of the cache, or BANDWIDTH_MEMORY */
    char name[16];                  /* "L1", "memory" */
    int threads;                    /* at once */
    uint64_t bytes;                 /* that all threads together use */
    const char *missing;            /* NULL, or why nothing was measured */
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
