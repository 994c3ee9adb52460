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
 *
 * OpenMP ends the process where it cannot make a thread. So before the first region that a thread of the caller's begins, as
 * many are made here, and, where that works, left to OpenMP, which keeps them for that thread. Every region of a world asks for
 * the same number of threads, even if it has fewer tasks, because OpenMP ends those that a region does not ask for.
 */
#include "engine/base/parallel.h"

#include <omp.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/contract/kernel.h"

/*
 * Each worker has a stretch of consecutive tasks, the same share of them in every region: of agents, of cells, of tiles. So
 * what it reads is mostly what it wrote in the region before, and memory that was first touched by the same rule (memory.c) is
 * near its core. A worker that has finished its stretch helps the others.
 */
typedef struct hand_out {
    alignas(DUN_CACHE_LINE) uint32_t next; /* a cache line each: they are written by turns */
    uint32_t end;
    pthread_t trial; /* while it is found out how many threads there can be */
} hand_out;

enum {
    LLVMS_STACK = 4 << 20
}; /* bytes: LLVM's OpenMP gives its threads so much by default; GCC's takes the system's default */

typedef struct dun_threads {
    uint32_t workers;   /* asked for */
    uint32_t threads;   /* in the last region */
    size_t stack;       /* bytes, that OpenMP's environment variables ask for; 0: none of them does */
    hand_out stretch[]; /* [workers] */
} dun_threads;

/* What the calling thread has found out. A thread's id would not do to remember it by: a later thread may get the same. */
static _Thread_local struct {
    uint32_t works;          /* so many threads can be: OpenMP has been left to make them */
    uint32_t asked, instead; /* where the last trial failed: of how many, and how many there are instead */
} found_out;

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

/* ---- how many threads there can be ------------------------------------------------------------------------------------ */

static void *wait_at(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* What OMP_STACKSIZE, or a runtime's own name for it, says: a number and B, K, M or G. 0: nothing that OpenMP would take. */
static size_t stack_size_of(const char *text, char unit) {
    static const char units[] = "BKMG";
    char *end;
    if (!text || strchr(text, '-')) return 0;
    const unsigned long long number = strtoull(text, &end, 10);
    end += strspn(end, " \t");
    if (*end) unit = (char)(*end++ & 0x5f); /* upper case */
    const char *named = strchr(units, unit);
    if (!named || !unit || *end || number > SIZE_MAX >> 10 * (named - units)) return 0;
    return (size_t)number << 10 * (named - units);
}

static size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Read once: the environment may be changed while worlds step. */
static size_t stack_asked(void) {
    return most(stack_size_of(getenv("OMP_STACKSIZE"), 'K'),
                most(stack_size_of(getenv("GOMP_STACKSIZE"), 'K'), stack_size_of(getenv("KMP_STACKSIZE"), 'B')));
}

/* As OpenMP's threads have them, or larger. */
static void set_stack_size(pthread_attr_t *attributes, size_t asked) {
    size_t usual = 0;
    pthread_attr_getstacksize(attributes, &usual);
    pthread_attr_setstacksize(attributes, most(asked, most(usual, LLVMS_STACK)));
}

/* Makes so many threads, all at once, and lets them end. Returns how many it got. */
static uint32_t try_threads(hand_out *places, uint32_t count, size_t stack) {
    pthread_attr_t attributes;
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    if (pthread_attr_init(&attributes)) return 0;
    set_stack_size(&attributes, stack);
    pthread_mutex_lock(&gate);
    uint32_t made = 0;
    while (made < count && pthread_create(&places[made].trial, &attributes, wait_at, &gate) == 0) made++;
    pthread_mutex_unlock(&gate);
    for (uint32_t i = 0; i < made; i++) pthread_join(places[i].trial, NULL);
    pthread_attr_destroy(&attributes);
    return made;
}

/*
 * How many threads the next region can ask for. One more is tried than OpenMP has to make, for its own memory. If the system
 * has no more, half is left to others. Inside a region of the caller's own OpenMP makes no threads, unless it is told to.
 */
static uint32_t threads_of(dun_threads *own) {
    const int limit = omp_get_thread_limit();
    const uint32_t wanted = limit > 0 && (uint32_t)limit < own->workers ? (uint32_t)limit : own->workers;
    if (omp_get_active_level() >= omp_get_max_active_levels()) return 1;
    if (wanted <= found_out.works) return wanted;
    if (wanted == found_out.asked) return found_out.instead;
    const uint32_t made = try_threads(own->stretch, wanted, own->stack);
    if (made == wanted) return found_out.works = wanted;
    found_out.asked = wanted;
    found_out.instead = (uint32_t)most(made / 2 + 1, found_out.works);
    return found_out.instead;
}

/* ---- the executor ----------------------------------------------------------------------------------------------------- */

static void run_parallel(const dun_executor *executor, uint32_t tasks, dun_task_fn *task, void *context) {
    const uint32_t threads = executor->workers == 1 || tasks <= 1 ? 1 : threads_of(executor->own);
    if (tasks > 1) executor->own->threads = threads;
    if (threads == 1) {
        for (uint32_t i = 0; i < tasks; i++) task(context, i, 0);
        return;
    }
    const uint32_t workers = tasks < threads ? tasks : threads;
    hand_out *stretch = executor->own->stretch;
    for (uint32_t w = 0; w < workers; w++) {
        stretch[w].next = (uint32_t)((uint64_t)tasks * w / workers);
        stretch[w].end = (uint32_t)((uint64_t)tasks * (w + 1) / workers);
    }
#pragma omp parallel num_threads((int)threads)
    {
        /* Threads without a stretch help the others. There may be fewer than asked for, too; then all of these are helpers. */
        const uint32_t self = (uint32_t)omp_get_thread_num();
        if (self == 0) executor->own->threads = (uint32_t)omp_get_num_threads();
        for (uint32_t w = 0, i; w < workers; w++)
            while (take_task(&stretch[(self + w) % workers], &i)) task(context, i, self);
    }
}

uint32_t dun_parallel_default_threads(void) {
    const int threads = omp_get_max_threads();
    return threads < 1 ? 1 : threads > DUN_MAX_THREADS ? DUN_MAX_THREADS : (uint32_t)threads;
}

bool dun_parallel_create(dun_executor *executor, uint32_t threads) {
    *executor = (dun_executor){.workers = threads, .run = run_parallel};
    executor->own = aligned_alloc(DUN_CACHE_LINE, dun_parallel_bytes(executor));
    if (executor->own) *executor->own = (dun_threads){.workers = threads, .threads = threads, .stack = stack_asked()};
    return executor->own;
}

void dun_parallel_destroy(dun_executor *executor) {
    free(executor->own);
}

uint32_t dun_parallel_threads(const dun_executor *executor) {
    return executor->own->threads;
}

size_t dun_parallel_bytes(const dun_executor *executor) {
    return sizeof *executor->own + executor->workers * sizeof *executor->own->stretch;
}
