/* SPDX-License-Identifier: MIT */
#include "engine/base/helpers.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>

#include "engine/base/clock.h"
#include "kernels/contract/kernel.h"

enum { LOOK_NS = 20000 /* before a thread sleeps; it then wakes as late again */ };

#define CLOSED UINT32_C(0x80000000)

/* A cache line each, since others write to it. */
typedef struct gate {
    alignas(DUN_CACHE_LINE) _Atomic bool is_open;
    pthread_mutex_t lock;
    pthread_cond_t opens;
} gate;

struct dun_helpers {
    uint32_t workers, count;

    /* the present region */
    dunlin_work_fn *work;
    void *job;
    uint32_t asked;                                /* workers */
    alignas(DUN_CACHE_LINE) _Atomic uint32_t door; /* helpers in the region; CLOSED: no more may enter */
    _Atomic uint32_t next;                         /* gate to be opened */

    _Atomic uint32_t kept, going; /* helpers that stay, and those that are to go and have not come yet */
    gate gate[];                  /* [workers]; 0 is the calling thread's, which opens when it need not wait for helpers */
};

/* ---- gates ------------------------------------------------------------------------------------------------------------ */

static void gate_open(gate *g) {
    pthread_mutex_lock(&g->lock);
    atomic_store_explicit(&g->is_open, true, memory_order_release);
    pthread_cond_signal(&g->opens);
    pthread_mutex_unlock(&g->lock);
}

static bool is_open(gate *g) {
    return atomic_load_explicit(&g->is_open, memory_order_acquire);
}

/* Only one thread passes through a gate, and shuts it: with one operation, or it might shut out what opened it meanwhile. */
static void gate_pass(gate *g) {
    for (const uint64_t begin = dun_now_ns(); !is_open(g) && dun_now_ns() - begin < LOOK_NS;) continue;
    if (!is_open(g)) {
        pthread_mutex_lock(&g->lock);
        while (!is_open(g)) pthread_cond_wait(&g->opens, &g->lock);
        pthread_mutex_unlock(&g->lock);
    }
    atomic_exchange_explicit(&g->is_open, false, memory_order_acq_rel);
}

/* Each helper that has come opens gates, so that one that is late delays no other. */
static void open_gates(dun_helpers *h) {
    for (uint32_t w; (w = atomic_fetch_add_explicit(&h->next, 1, memory_order_relaxed)) < h->asked;) gate_open(&h->gate[w]);
}

/* ---- helpers ---------------------------------------------------------------------------------------------------------- */

static bool enter(dun_helpers *h) {
    uint32_t door = atomic_load_explicit(&h->door, memory_order_relaxed);
    while (!(door & CLOSED))
        if (atomic_compare_exchange_weak_explicit(&h->door, &door, door + 1, memory_order_acquire, memory_order_relaxed))
            return true;
    return false;
}

static void leave_work(dun_helpers *h) {
    if (atomic_fetch_sub_explicit(&h->door, 1, memory_order_acq_rel) == (CLOSED | 1)) gate_open(&h->gate[0]);
}

void dun_helpers_help(dun_helpers *h, uint32_t worker) {
    for (;;) {
        gate_pass(&h->gate[worker]);
        if (worker > atomic_load_explicit(&h->kept, memory_order_acquire)) break;
        if (!enter(h)) continue;
        open_gates(h);
        if (worker < h->asked) h->work(h->job, worker);
        leave_work(h);
    }
    if (atomic_fetch_sub_explicit(&h->going, 1, memory_order_acq_rel) == 1) gate_open(&h->gate[0]);
}

void dun_helpers_let_go(dun_helpers *h, uint32_t kept) {
    if (h->count <= kept) return;
    atomic_store_explicit(&h->going, h->count - kept, memory_order_relaxed);
    atomic_store_explicit(&h->kept, kept, memory_order_release); /* after `going`, which a late helper counts down */
    for (uint32_t w = kept + 1; w <= h->count; w++) gate_open(&h->gate[w]);
    gate_pass(&h->gate[0]);
    atomic_store_explicit(&h->kept, h->workers, memory_order_relaxed);
    h->count = kept;
}

/* ---- the calling thread ----------------------------------------------------------------------------------------------- */

/* Also where an exception leaves a callback. */
static void close_door(dun_helpers *const *helpers) {
    dun_helpers *h = *helpers;
    if (atomic_fetch_or_explicit(&h->door, CLOSED, memory_order_acq_rel) != 0) gate_pass(&h->gate[0]);
}

void dun_helpers_run(dun_helpers *h, uint32_t workers, dunlin_work_fn *work, void *job) {
    h->work = work;
    h->job = job;
    h->asked = workers <= h->count ? workers : h->count + 1;
    atomic_store_explicit(&h->next, 1, memory_order_relaxed);
    atomic_store_explicit(&h->door, 0, memory_order_release);
    __attribute__((cleanup(close_door), unused)) dun_helpers *const open = h;
    open_gates(h);
    work(job, 0);
}

uint32_t dun_helpers_workers(const dun_helpers *h) {
    return h->count + 1;
}

void dun_helpers_count(dun_helpers *h, uint32_t count) {
    h->count = count;
}

void dun_helpers_reset(dun_helpers *h) {
    h->count = 0;
    atomic_store_explicit(&h->door, CLOSED, memory_order_relaxed);
    atomic_store_explicit(&h->kept, h->workers, memory_order_relaxed);
    for (uint32_t w = 0; w < h->workers; w++) {
        atomic_store_explicit(&h->gate[w].is_open, false, memory_order_relaxed);
        pthread_mutex_init(&h->gate[w].lock, NULL);
        pthread_cond_init(&h->gate[w].opens, NULL);
    }
}

dun_helpers *dun_helpers_create(dun_heap *heap, uint32_t workers) {
    dun_helpers *h = dun_allocate_aligned(heap, DUN_CACHE_LINE, sizeof *h + workers * sizeof(gate));
    if (!h) return NULL;
    h->workers = workers;
    dun_helpers_reset(h);
    return h;
}

void dun_helpers_destroy(dun_helpers *h) {
    dun_free(h);
}
