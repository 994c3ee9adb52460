/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCALE_FREE_MEMORY_H
#define DUNLIN_HARNESS_SCALE_FREE_MEMORY_H

#include <stdint.h>

/*
 * Bytes that this process may still take without anything being swapped out: what the system calls available, and no more than
 * its control group (a container's limit) leaves. 0: the system doesn't say.
 */
uint64_t free_memory(void);

#endif
