/* SPDX-License-Identifier: MIT */
/* Every OpenMP pragma of the engine stands in parallel.c. */
#ifndef DUNLIN_ENGINE_PARALLEL_H
#define DUNLIN_ENGINE_PARALLEL_H

#include "../spatial/executor.h"

#define DUNLIN_MAX_THREADS 1024

/* As many threads as OpenMP would use. */
uint32_t dunlin_parallel_default_threads(void);

dunlin_executor dunlin_parallel_executor(uint32_t threads);

#endif
