/* SPDX-License-Identifier: MIT */
/* The processor's count of cycles of the calling thread in user mode. */
#ifndef DUNLIN_HARNESS_MICROBENCH_CYCLES_H
#define DUNLIN_HARNESS_MICROBENCH_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

/* Opens the counter. false: there is none, and cycles_absence() says why. */
bool cycles_open(void);
void cycles_close(void);

/* The same with any event of perf_event_open(2). */
bool cycles_open_event(uint32_t type, uint64_t config);

/* "perf_event_open: No such file or directory"; NULL while the counter is open. */
const char *cycles_absence(void);

/* Starts counting. cycles_end() returns the cycles since then, or 0 without a counter. */
void cycles_begin(void);
uint64_t cycles_end(void);

#endif
