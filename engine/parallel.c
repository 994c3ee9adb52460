/* SPDX-License-Identifier: MIT */
/*
 * The concurrency of the engine, all of it:
 *
 *   frame()                                     one thread
 *     ├─ boundary first (if asked for)          tasks = stretches of agents
 *     ├─ snapshot, for each species             tasks = chunks of agents, then stripes or buckets of cells
 *     ├─ fields that vary                       tasks = rows of cells
 *     ├─ estimating work                       tasks = blocks of tiles
 *     ├─ interact, steer, integrate             tasks = shares of tiles, of about equal estimated work
 *     └─ death, for each species                tasks = columns
 *
 *   measure()                                   tasks = tiles
 *
 *   filling a field                             tasks = rows of cells
 *
 *   growing a species' arrays                   tasks = equal parts of them
 *
 * A task writes only what is its own: its agents' slots, its cells, its worker's scratch. No locks, no atomics but
 * the hand-out of tasks. Between parallel regions there is a barrier, and that is all the ordering there is: what a task reads
 * was written before its region began. Which thread does which task, and when, changes nothing but the time.
 */
#include "parallel.h"

#include <omp.h>
#include <stdalign.h>
#include <stdbool.h>

/*
 * Each worker has a stretch of consecutive tasks, the same share of them in every region: of agents, of cells, of tiles. So
 * what it reads is mostly what it wrote in the region before, and memory that was first touched by the same rule (memory.c) is
 * near its core. Whoever is done with his own helps the others.
 */
typedef struct hand_out {
    alignas(64) uint32_t next; /* a cache line each: they are written by turns */
    uint32_t end;
} hand_out;

static bool take_task(hand_out *from, uint32_t *task) {
    uint32_t next;
#pragma omp atomic read
    next = from->next;
    if (next >= from->end) return false; /* without a write, which would take the line from others */
#pragma omp atomic capture
    next = from->next++;
    *task = next;
    return next < from->end;
}

static void run_parallel(const dunlin_executor *executor, uint32_t tasks, dunlin_task_fn *task, void *context) {
    if (executor->workers == 1 || tasks <= 1) {
        for (uint32_t i = 0; i < tasks; i++) task(context, i, 0);
        return;
    }
    const uint32_t workers = tasks < executor->workers ? tasks : executor->workers;
    hand_out stretch[DUNLIN_MAX_THREADS];
    for (uint32_t w = 0; w < workers; w++) {
        stretch[w].next = (uint32_t)((uint64_t)tasks * w / workers);
        stretch[w].end = (uint32_t)((uint64_t)tasks * (w + 1) / workers);
    }
#pragma omp parallel num_threads((int)workers)
    {
        /* There may be fewer threads than asked for; the others' stretches are then done by helpers. */
        const uint32_t self = (uint32_t)omp_get_thread_num();
        for (uint32_t w = 0, i; w < workers; w++)
            while (take_task(&stretch[(self + w) % workers], &i)) task(context, i, self);
    }
}

uint32_t dunlin_parallel_default_threads(void) {
    const int threads = omp_get_max_threads();
    return threads < 1 ? 1 : threads > DUNLIN_MAX_THREADS ? DUNLIN_MAX_THREADS : (uint32_t)threads;
}

dunlin_executor dunlin_parallel_executor(uint32_t threads) {
    return (dunlin_executor){.workers = threads, .run = run_parallel};
}
