/* SPDX-License-Identifier: MIT */
/*
 * Parallel regions by POSIX threads of the world's own: helpers (helpers.h) that are made for the first region and end with the
 * world. After a fork the child has none of them: its first region makes new ones.
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "engine/base/helpers.h"
#include "engine/base/parallel.h"
#include "engine/base/place.h"
#include "engine/base/processors.h"

typedef struct helper {
    pthread_t thread;
    struct pool *pool;
} helper;

typedef struct pool {
    pid_t process; /* that the helpers live in; 0: there are none yet */
    uint32_t workers;
    dun_helpers *helpers;
    helper helper[]; /* [workers]; worker 0 is the calling thread */
} pool;

static void *help(void *own) {
    const helper *self = own;
    dun_helpers_help(self->pool->helpers, (uint32_t)(self - self->pool->helper));
    return NULL;
}

/* The helpers behind the first `kept` end. */
static void end_helpers(pool *p, uint32_t kept) {
    const uint32_t workers = dun_helpers_workers(p->helpers);
    dun_helpers_let_go(p->helpers, kept);
    for (uint32_t w = kept + 1; w < workers; w++) pthread_join(p->helper[w].thread, NULL);
}

/* Signals go to the caller's threads, but a fault in a callback to the thread that has it: where it is blocked, the system ends
 * the process without asking the caller's handler. */
static sigset_t signals_of_others(void) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t set;
    sigfillset(&set);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&set, faults[i]);
    return set;
}

/* If the system has no more threads, half of those that it had are left to others. */
static void make_helpers(pool *p) {
    const sigset_t blocked = signals_of_others();
    const dun_place place = dun_place_leave();
    sigset_t before;
    uint32_t made = 0;
    p->process = getpid();
    dun_helpers_reset(p->helpers);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    for (uint32_t w = 1; w < p->workers; w++) {
        p->helper[w].pool = p;
        if (pthread_create(&p->helper[w].thread, NULL, help, &p->helper[w])) break;
        made = w;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    dun_place_return(&place);
    dun_helpers_count(p->helpers, made);
    if (made + 1 < p->workers) end_helpers(p, made / 2);
}

/* ---- the executor ----------------------------------------------------------------------------------------------------- */

static void pthreads_run(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {
    pool *p = context;
    if (p->process != getpid()) make_helpers(p);
    dun_helpers_run(p->helpers, workers, work, job);
}

static uint32_t pthreads_threads(const void *context) {
    const pool *p = context;
    return dun_helpers_workers(p->helpers);
}

static uint32_t pthreads_default_threads(void) {
    return dun_processors_here().threads;
}

static void pthreads_destroy(void *context) {
    pool *p = context;
    if (p->process == getpid()) end_helpers(p, 0);
    dun_helpers_destroy(p->helpers);
    dun_free(p);
}

static void *pthreads_create(dun_heap *heap, uint32_t workers) {
    pool *p = dun_allocate(heap, sizeof *p + workers * sizeof(helper));
    if (!p) return NULL;
    *p = (pool){.workers = workers, .helpers = dun_helpers_create(heap, workers)};
    if (p->helpers) return p;
    dun_free(p);
    return NULL;
}

const dun_executor_type dun_pthreads_executor = {
    .name = "pthreads",
    .default_threads = pthreads_default_threads,
    .create = pthreads_create,
    .destroy = pthreads_destroy,
    .run = pthreads_run,
    .threads = pthreads_threads,
};
