/* SPDX-License-Identifier: MIT */
/*
 * Parallel regions by POSIX threads of the world's own. They are made for the first region, wait at their gates between
 * regions, and end with the world. The calling thread is worker 0.
 *
 *   gate 1 .. helpers    each lets its helper into the next region: worker w opens the gates 2w + 1 and 2w + 2
 *   gate 0               lets the calling thread out of the region: the last helper opens it
 *
 * So a helper that a region does not ask for sleeps on, and touches nothing. After a fork the child has none of these threads:
 * its first region makes new ones.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/base/parallel.h"
#include "engine/base/place.h"
#include "engine/base/processors.h"
#include "kernels/contract/kernel.h"

/*
 * How often a thread looks at its gate before it sleeps, since the next region often begins sooner than a sleeper wakes: first
 * some microseconds without a pause, then some 20 µs in which it gives way to others. WebAssembly has no yield, and a sleeper
 * wakes later.
 */
#ifdef __EMSCRIPTEN__
enum { LOOKS = 20000, YIELDS = 0 };
#else
enum { LOOKS = 3000, YIELDS = 50 };
#endif

typedef struct gate {
    alignas(DUN_CACHE_LINE) pthread_mutex_t lock;
    pthread_cond_t opens;
    _Atomic uint32_t opened; /* how often */
    uint32_t passed;         /* how often its thread went through */
    pthread_t thread;
    struct pool *pool;
} gate;

typedef struct pool {
    pid_t process; /* that the helpers live in; 0: there are none yet */
    uint32_t workers, helpers;

    /* the present region */
    dunlin_work_fn *work; /* NULL: the helpers are to end */
    void *job;
    uint32_t asked;        /* workers */
    _Atomic uint32_t busy; /* helpers that have not finished */

    gate gate[]; /* [workers] */
} pool;

/* ---- gates ------------------------------------------------------------------------------------------------------------ */

static void gate_open(gate *g) {
    pthread_mutex_lock(&g->lock);
    atomic_fetch_add_explicit(&g->opened, 1, memory_order_release);
    pthread_cond_signal(&g->opens);
    pthread_mutex_unlock(&g->lock);
}

static bool is_open(gate *g) {
    return atomic_load_explicit(&g->opened, memory_order_acquire) != g->passed;
}

static void gate_pass(gate *g) {
    for (int i = 0; i < LOOKS && !is_open(g);) i++;
    for (int i = 0; i < YIELDS && !is_open(g); i++) sched_yield();
    if (!is_open(g)) {
        pthread_mutex_lock(&g->lock);
        while (!is_open(g)) pthread_cond_wait(&g->opens, &g->lock);
        pthread_mutex_unlock(&g->lock);
    }
    g->passed++;
}

static void open_next_gates(pool *p, uint32_t worker) {
    for (uint32_t next = 2 * worker + 1; next <= 2 * worker + 2 && next < p->asked; next++) gate_open(&p->gate[next]);
}

/* ---- helpers ---------------------------------------------------------------------------------------------------------- */

static void *help(void *own_gate) {
    gate *own = own_gate;
    pool *p = own->pool;
    const uint32_t worker = (uint32_t)(own - p->gate);
    for (;;) {
        gate_pass(own);
        if (!p->work) return NULL;
        open_next_gates(p, worker);
        p->work(p->job, worker);
        if (atomic_fetch_sub_explicit(&p->busy, 1, memory_order_acq_rel) == 1) gate_open(&p->gate[0]);
    }
}

/* The helpers behind the first `kept` end. */
static void end_helpers(pool *p, uint32_t kept) {
    p->work = NULL;
    for (uint32_t w = kept + 1; w <= p->helpers; w++) gate_open(&p->gate[w]);
    for (uint32_t w = kept + 1; w <= p->helpers; w++) pthread_join(p->gate[w].thread, NULL);
    p->helpers = kept;
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
    p->process = getpid();
    p->helpers = 0;
    for (uint32_t w = 0; w < p->workers; w++) {
        p->gate[w] = (gate){.pool = p};
        pthread_mutex_init(&p->gate[w].lock, NULL);
        pthread_cond_init(&p->gate[w].opens, NULL);
    }
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    for (uint32_t w = 1; w < p->workers; w++) {
        if (pthread_create(&p->gate[w].thread, NULL, help, &p->gate[w])) break;
        p->helpers = w;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    dun_place_return(&place);
    if (p->helpers + 1 < p->workers) end_helpers(p, p->helpers / 2);
}

/* ---- the executor ----------------------------------------------------------------------------------------------------- */

static void pthreads_run(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {
    pool *p = context;
    if (p->process != getpid()) make_helpers(p);
    p->work = work;
    p->job = job;
    p->asked = workers <= p->helpers ? workers : p->helpers + 1;
    atomic_store_explicit(&p->busy, p->asked - 1, memory_order_relaxed);
    open_next_gates(p, 0);
    work(job, 0);
    if (p->asked > 1) gate_pass(&p->gate[0]);
}

static uint32_t pthreads_default_threads(void) {
    return dun_processors_here().threads;
}

static size_t pthreads_bytes(uint32_t workers) {
    return sizeof(pool) + workers * sizeof(gate);
}

static void *pthreads_create(uint32_t workers) {
    pool *p = aligned_alloc(DUN_CACHE_LINE, (pthreads_bytes(workers) + DUN_CACHE_LINE - 1) / DUN_CACHE_LINE * DUN_CACHE_LINE);
    if (p) *p = (pool){.workers = workers};
    return p;
}

static void pthreads_destroy(void *context) {
    pool *p = context;
    if (p && p->process == getpid()) end_helpers(p, 0);
    free(p);
}

const dun_executor_type dun_pthreads_executor = {
    .name = "pthreads",
    .default_threads = pthreads_default_threads,
    .create = pthreads_create,
    .destroy = pthreads_destroy,
    .bytes = pthreads_bytes,
    .run = pthreads_run,
};
