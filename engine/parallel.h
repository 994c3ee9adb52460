/* SPDX-License-Identifier: MIT */
/* Every OpenMP pragma of the engine stands in parallel.c. */
#ifndef DUNLIN_ENGINE_PARALLEL_H
#define DUNLIN_ENGINE_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

#include "../spatial/executor.h"

#define DUNLIN_MAX_THREADS 1024

/* As many threads as OpenMP would use. */
uint32_t dunlin_parallel_default_threads(void);

/* OpenMP's threads, 1 .. DUNLIN_MAX_THREADS, or as many of them as the system lets be made. false: no memory. */
bool dunlin_parallel_create(dunlin_executor *executor, uint32_t threads);
void dunlin_parallel_destroy(dunlin_executor *executor);

/* How many there were in the last region; before the first, how many were asked for. */
uint32_t dunlin_parallel_threads(const dunlin_executor *executor);

size_t dunlin_parallel_bytes(const dunlin_executor *executor);

#endif
