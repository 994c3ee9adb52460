/* SPDX-License-Identifier: MIT */
/* How an index runs work in parallel without knowing the threads: its caller hands in one of these. */
#ifndef DUNLIN_SPATIAL_EXECUTOR_H
#define DUNLIN_SPATIAL_EXECUTOR_H

#include <stdint.h>

/* Called once for each task, 0 .. tasks - 1. worker: 0 .. workers - 1; two tasks that run at the same time have two workers. */
typedef void dun_task_fn(void *context, uint32_t task, uint32_t worker);

typedef struct dun_executor {
    uint32_t workers; /* >= 1 */
    /* Does the tasks in any order, and returns when all are done. */
    void (*run)(const struct dun_executor *executor, uint32_t tasks, dun_task_fn *task, void *context);
    struct dun_threads *own; /* run()'s own data */
} dun_executor;

#endif
