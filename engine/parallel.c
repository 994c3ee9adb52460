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
 * many are made here, and, where that works, left to OpenMP, which keeps them for that thread: every region of a world asks for
 * the same number, also where it has fewer tasks, for OpenMP ends those that a region does not ask for.
 */
#include "parallel.h"

#include <omp.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../kernels/kernel.h"

/*
 * Each worker has a stretch of consecutive tasks, the same share of them in every region: of agents, of cells, of tiles. So
 * what it reads is mostly what it wrote in the region before, and memory that was first touched by the same rule (memory.c) is
 * near its core. Whoever is done with his own helps the others.
 */
typedef struct hand_out {
    alignas(DUNLIN_CACHE_LINE) uint32_t next; /* a cache line each: they are written by turns */
    uint32_t end;
    pthread_t trial; /* while it is found out how many threads there can be */
} hand_out;

enum {
    MOST_TRIALS = 16,     /* of a world that one thread after another steps */
    LLVMS_STACK = 4 << 20 /* bytes, of a thread of LLVM's OpenMP where nobody says otherwise; GCC takes the system's */
};

typedef struct dunlin_threads {
    uint32_t workers;   /* asked for */
    uint32_t threads;   /* that `caller` gets */
    uint32_t trials;    /* so far */
    pthread_t caller;   /* who began the last region; from the first trial on */
    hand_out stretch[]; /* [workers] */
} dunlin_threads;

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

/* What OMP_STACKSIZE, or a runtime's own name for it, says: a number and B, K, M or G. 0: nothing. */
static size_t stack_size_of(const char *text, char unit) {
    char *end;
    if (!text) return 0;
    const unsigned long long number = strtoull(text, &end, 10);
    end += strspn(end, " \t");
    static const char units[] = "BKMG";
    const char *named = strchr(units, *end ? *end & ~0x20 : unit);
    const int shift = 10 * (int)(named ? named - units : 1);
    return number > SIZE_MAX >> shift ? SIZE_MAX : (size_t)number << shift;
}

/* As OpenMP's threads have them, or larger. */
static void set_stack_size(pthread_attr_t *attributes) {
    const size_t asked[] = {stack_size_of(getenv("OMP_STACKSIZE"), 'K'), stack_size_of(getenv("GOMP_STACKSIZE"), 'K'),
                            stack_size_of(getenv("KMP_STACKSIZE"), 'B')};
    size_t most = 0;
    pthread_attr_getstacksize(attributes, &most);
    if (most < LLVMS_STACK) most = LLVMS_STACK;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (asked[i] > most) most = asked[i];
    pthread_attr_setstacksize(attributes, most); /* refused where it is absurd; OpenMP does not take it then, either */
}

/* Makes so many threads, all at once, and lets them end. Returns how many it got. */
static uint32_t try_threads(hand_out *places, uint32_t count) {
    pthread_attr_t attributes;
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    if (pthread_attr_init(&attributes)) return 0;
    set_stack_size(&attributes);
    pthread_mutex_lock(&gate);
    uint32_t made = 0;
    while (made < count && pthread_create(&places[made].trial, &attributes, wait_at, &gate) == 0) made++;
    pthread_mutex_unlock(&gate);
    for (uint32_t i = 0; i < made; i++) pthread_join(places[i].trial, NULL);
    pthread_attr_destroy(&attributes);
    return made;
}

/* One more is tried than OpenMP has to make, for its own memory. Of a system that has no more, half is left to others. */
static uint32_t find_threads(dunlin_threads *own) {
    const int limit = omp_get_thread_limit();
    const uint32_t most = limit > 0 && (uint32_t)limit < own->workers ? (uint32_t)limit : own->workers;
    const uint32_t made = try_threads(own->stretch, most);
    return made == most ? most : made / 2 + 1;
}

/* Of a thread of the caller's that comes again and again by turns with others, the first trials are taken for all. */
static uint32_t threads_of(dunlin_threads *own) {
    const pthread_t caller = pthread_self();
    if (own->trials > 0 && (own->trials == MOST_TRIALS || pthread_equal(own->caller, caller))) return own->threads;
    own->threads = find_threads(own);
    own->caller = caller;
    own->trials++;
    return own->threads;
}

/* ---- the executor ----------------------------------------------------------------------------------------------------- */

static void run_parallel(const dunlin_executor *executor, uint32_t tasks, dunlin_task_fn *task, void *context) {
    const uint32_t threads = executor->workers == 1 || tasks <= 1 ? 1 : threads_of(executor->own);
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
        for (uint32_t w = 0, i; w < workers; w++)
            while (take_task(&stretch[(self + w) % workers], &i)) task(context, i, self);
    }
}

uint32_t dunlin_parallel_default_threads(void) {
    const int threads = omp_get_max_threads();
    return threads < 1 ? 1 : threads > DUNLIN_MAX_THREADS ? DUNLIN_MAX_THREADS : (uint32_t)threads;
}

bool dunlin_parallel_create(dunlin_executor *executor, uint32_t threads) {
    *executor = (dunlin_executor){.workers = threads, .run = run_parallel};
    executor->own = aligned_alloc(DUNLIN_CACHE_LINE, dunlin_parallel_bytes(executor));
    if (executor->own) *executor->own = (dunlin_threads){.workers = threads, .threads = threads};
    return executor->own != NULL;
}

void dunlin_parallel_destroy(dunlin_executor *executor) {
    free(executor->own);
}

uint32_t dunlin_parallel_threads(const dunlin_executor *executor) {
    return executor->own->threads;
}

size_t dunlin_parallel_bytes(const dunlin_executor *executor) {
    return sizeof *executor->own + executor->workers * sizeof *executor->own->stretch;
}
