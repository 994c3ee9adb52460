/* SPDX-License-Identifier: MIT */
/* How fast this machine moves bytes: in each cache level and in memory, with one thread or several. */
#ifndef DUNLIN_HARNESS_ROOFLINE_BANDWIDTH_H
#define DUNLIN_HARNESS_ROOFLINE_BANDWIDTH_H

#include "harness/report/machine.h"
#include "harness/roofline/ceilings.h"

typedef enum bandwidth_kind {
    BANDWIDTH_READ,
    BANDWIDTH_WRITE,
    BANDWIDTH_COPY,   /* through the caches; copies count the bytes read and the bytes written */
    BANDWIDTH_STREAM, /* a copy with stores that bypass the caches */
    BANDWIDTH_KINDS
} bandwidth_kind;

enum { BANDWIDTH_LEVELS = MACHINE_CACHES + 1, BANDWIDTH_MEMORY = 0 };

typedef struct level_bandwidth {
    int level;                      /* of the cache, or BANDWIDTH_MEMORY */
    int threads;                    /* at once */
    uint64_t bytes;                 /* that all threads together use */
    char missing[96];               /* "", or why nothing was measured */
    ceiling kinds[BANDWIDTH_KINDS]; /* bytes per second of all threads together; best 0: no such instructions */
} level_bandwidth;

/*
 * Measures every level in `levels`: the caches 1 .. 3 even if the machine does not report them, all others that it reports, and
 * memory last. Returns their number. `loops` moves the bytes; `max_memory` is the limit for the measurement of memory.
 */
int bandwidth_measure(const machine *host, const roofline_loops *loops, int threads, int repeats, uint64_t max_memory,
                      level_bandwidth levels[BANDWIDTH_LEVELS]);

/* "L1", "memory". */
void bandwidth_level_name(int level, char text[16]);

/* "read", "write", "copy", "copy past the caches" */
const char *bandwidth_kind_name(bandwidth_kind kind);

#endif
