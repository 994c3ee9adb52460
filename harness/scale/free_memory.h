/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCALE_FREE_MEMORY_H
#define DUNLIN_HARNESS_SCALE_FREE_MEMORY_H

#include <stdint.h>

/*
 * The bytes that this process may still use without swapping: what the system calls available, but no more than its control
 * group (a container's limit) leaves. 0: unknown.
 */
uint64_t free_memory(void);

#endif
