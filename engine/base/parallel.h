/* SPDX-License-Identifier: MIT */
/* What a world's parallel work runs on: see parallel.c. */
#ifndef DUNLIN_ENGINE_PARALLEL_H
#define DUNLIN_ENGINE_PARALLEL_H

#include <dunlin/dunlin.h>

#include "spatial/executor.h"
#include "spatial/heap.h"

#define DUN_MAX_THREADS 1024

typedef void dun_serial_fn(void *argument);

/* Something that runs one call per worker: OpenMP, pthreads, or one thread. */
typedef struct dun_executor_type {
    const char *name;
    const char *(*why_not)(void);      /* why it cannot run in this process, or NULL; a NULL function: it always can */
    uint32_t (*default_threads)(void); /* what dunlin_world_def.threads of 0 means */
    void *(*create)(dun_heap *heap, uint32_t workers); /* run()'s context; NULL: no memory */
    void (*destroy)(void *context);
    /* Calls the function on this thread, and has threads ready for the regions in it; NULL: they always are. */
    void (*around)(void *context, uint32_t workers, dun_serial_fn *function, void *argument);
    dunlin_run_fn *run;
    uint32_t (*threads)(const void *context); /* how many have run the last region; NULL: one */
} dun_executor_type;

extern const dun_executor_type dun_openmp_executor, dun_pthreads_executor;

/* Chooses what def->executor, def->run and def->threads ask for. On failure *executor is zeroed. */
dunlin_result dun_parallel_create(dun_executor *executor, dun_heap *heap, const dunlin_world_def *def, dunlin_error *error);
void dun_parallel_destroy(dun_executor *executor);

/* Calls the function, which runs as many regions as at the last call: if these were several, OpenMP has one region around all.
 */
void dun_parallel_around(dun_executor *executor, dun_serial_fn *function, void *argument);

/* Fails if the caller's executor has called workers with wrong numbers since the last check. The work was done all the same. */
dunlin_result dun_parallel_check(const dun_executor *executor, dunlin_error *error);

/* Does all tasks on the calling thread, as worker 0. */
void dun_parallel_run_here(const dun_executor *executor, uint32_t tasks, dun_task_fn *task, void *context);

/* Whether a region has begun and not ended: in a callback, or because an exception has left one. */
bool dun_parallel_is_running(const dun_executor *executor);

/* What dunlin_world_get_def() says. */
const char *dun_parallel_name(const dun_executor *executor);

/* How many threads work; fewer than executor->workers if the system lets no more be made. */
uint32_t dun_parallel_threads(const dun_executor *executor);

#endif
