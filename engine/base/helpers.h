/* SPDX-License-Identifier: MIT */
/*
 * The threads beside the calling one, wherever they come from: how they wait for parallel regions, and how a region ends. The
 * calling thread is worker 0 and helpers are the workers from 1 on.
 *
 * Each helper waits at a gate of its own, which a region opens for it. A helper that comes late finds that others have done its
 * tasks: the region ends without it, and its gate stays open for the next one. So a region waits only for helpers that are in
 * a task, and no other program on the same processors can delay a step for longer than a task takes. A thread that waits looks
 * for some microseconds, since the next region often begins sooner than a sleeper wakes, and then sleeps.
 */
#ifndef DUNLIN_ENGINE_HELPERS_H
#define DUNLIN_ENGINE_HELPERS_H

#include <dunlin/dunlin.h>

#include "spatial/heap.h"

typedef struct dun_helpers dun_helpers;

/* For up to this many workers. NULL: no memory. */
dun_helpers *dun_helpers_create(dun_heap *heap, uint32_t workers);
void dun_helpers_destroy(dun_helpers *helpers); /* NULL is fine; no helper may be left */

/* Forgets all helpers, such as those that a child of fork() has not. */
void dun_helpers_reset(dun_helpers *helpers);

/* Says that there are this many. Each of them may have begun already. */
void dun_helpers_count(dun_helpers *helpers, uint32_t count);

/* What each helper calls. It returns when the helper is let go. */
void dun_helpers_help(dun_helpers *helpers, uint32_t worker);

/* Lets all but the first `kept` go, and returns when they have come for that. */
void dun_helpers_let_go(dun_helpers *helpers, uint32_t kept);

/* How many work: the calling thread and the helpers. */
uint32_t dun_helpers_workers(const dun_helpers *helpers);

/* A region: a dunlin_run_fn of the helpers that there are. */
void dun_helpers_run(dun_helpers *helpers, uint32_t workers, dunlin_work_fn *work, void *job);

#endif
