/* SPDX-License-Identifier: MIT */
/* Every OpenMP pragma of the engine stands in parallel.c. */
#ifndef DUNLIN_ENGINE_PARALLEL_H
#define DUNLIN_ENGINE_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

#include "spatial/executor.h"

#define DUN_MAX_THREADS 1024

/* As many threads as OpenMP would use. */
uint32_t dun_parallel_default_threads(void);

/* OpenMP's threads, 1 .. DUN_MAX_THREADS, or as many of them as the system lets be made. false: no memory. */
bool dun_parallel_create(dun_executor *executor, uint32_t threads);
void dun_parallel_destroy(dun_executor *executor);

/* How many there were in the last region; before the first, how many were asked for. */
uint32_t dun_parallel_threads(const dun_executor *executor);

size_t dun_parallel_bytes(const dun_executor *executor);

#endif
