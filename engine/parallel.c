/* SPDX-License-Identifier: MIT */
/*
 * The concurrency of the engine, all of it:
 *
 *   frame()                                     one thread
 *     ├─ boundary first (if asked for)          tasks = stretches of agents
 *     ├─ snapshot, for each species             tasks = chunks of agents, then buckets of cells
 *     ├─ estimating work                       tasks = blocks of tiles
 *     └─ interact, steer, integrate             tasks = shares of tiles, of about equal estimated work
 *
 *   measure()                                   tasks = tiles
 *
 * A task writes only what is its own: its agents' slots, its buckets' cells, its worker's scratch. No locks, no atomics but
 * the hand-out of tasks. Between parallel regions there is a barrier, and that is all the ordering there is: what a task reads
 * was written before its region began. Which thread does which task, and when, changes nothing but the time.
 */
#include "parallel.h"

#include <omp.h>

static void run_parallel(const dunlin_executor *executor, uint32_t tasks, dunlin_task_fn *task, void *context) {
    if (executor->workers == 1 || tasks <= 1) {
        for (uint32_t i = 0; i < tasks; i++) task(context, i, 0);
        return;
    }
    const int threads = (int)(tasks < executor->workers ? tasks : executor->workers);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (uint32_t i = 0; i < tasks; i++) task(context, i, (uint32_t)omp_get_thread_num());
}

uint32_t dunlin_parallel_default_threads(void) {
    const int threads = omp_get_max_threads();
    return threads < 1 ? 1 : threads > DUNLIN_MAX_THREADS ? DUNLIN_MAX_THREADS : (uint32_t)threads;
}

dunlin_executor dunlin_parallel_executor(uint32_t threads) {
    return (dunlin_executor){.workers = threads, .run = run_parallel};
}
