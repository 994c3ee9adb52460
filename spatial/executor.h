/* SPDX-License-Identifier: MIT */
/* How spatial/ runs work in parallel without knowing the threads that do it: the engine hands in one of these. */
#ifndef DUNLIN_SPATIAL_EXECUTOR_H
#define DUNLIN_SPATIAL_EXECUTOR_H

#include <stdint.h>

/* task: 0 .. tasks - 1, each once. worker: 0 .. workers - 1, no two tasks at a time share one. */
typedef void dun_task_fn(void *context, uint32_t task, uint32_t worker);

typedef struct dun_executor {
    uint32_t workers; /* >= 1 */
    /* Returns when all tasks are done, in whatever order. */
    void (*run)(const struct dun_executor *executor, uint32_t tasks, dun_task_fn *task, void *context);
    struct dun_threads *own; /* what run() keeps; only that touches it */
} dun_executor;

#endif
