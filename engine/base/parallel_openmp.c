/* SPDX-License-Identifier: MIT */
/*
 * Parallel regions by helpers (helpers.h) that are OpenMP's threads, which the whole process shares: one region of OpenMP's
 * goes around many of ours, such as around a step. For at its own barriers a thread of OpenMP spins for milliseconds. On a busy
 * machine the thread that it waits for does not run meanwhile, perhaps because of just that spinning.
 *
 * But unlike ours, OpenMP's region waits for threads that have not come at all. Where a step has waited long, because of other
 * programs, the next ones run alone, for eight times as long as it has waited.
 *
 * OpenMP ends the process where it cannot make a thread. So before the first region that a thread of the caller's begins, as
 * many threads are made here and ended again. If that works, OpenMP makes them, and keeps them for that thread. Each of
 * OpenMP's regions asks for all workers, because OpenMP ends threads that a region does not ask for.
 *
 * A child of fork() has none of OpenMP's threads, but OpenMP takes them to be there, and would wait for them for ever; also if
 * only the parent's own regions had made them. So in a child new worlds cannot have this executor, and older ones work alone.
 */
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/helpers.h"
#include "engine/base/parallel.h"
#include "engine/base/processors.h"

enum { LONG_WAIT_NS = 100000 };

enum { LLVM_STACK = 4 << 20 }; /* bytes: what LLVM's OpenMP gives a thread by default; GCC's gives the system's default */

typedef struct openmp {
    dun_helpers *helpers;
    uint32_t threads;     /* of the last region */
    uint64_t alone_until; /* a time, ns */
    size_t stack;         /* bytes that OpenMP's environment variables ask for; 0: they ask for none */
    pthread_t trial[];    /* [workers] */
} openmp;

/* What the calling thread has found out. A thread's id cannot stand for it, because a later thread may get the same id. */
static _Thread_local struct {
    uint32_t works;          /* this many threads can be made: OpenMP has been left to make them */
    uint32_t asked, instead; /* the last trial that failed: how many it asked for, and how many there are instead */
} found_out;

/* The process that the library was loaded into. */
static pid_t process;

/* Before any other constructor, which might make a world. */
__attribute__((constructor(101))) static void note_process(void) {
    process = getpid();
}

static bool is_forked(void) {
    return getpid() != process;
}

static size_t max_size(size_t a, size_t b) {
    return a > b ? a : b;
}

/* ---- stacks ----------------------------------------------------------------------------------------------------------- */

/* What OMP_STACKSIZE or a runtime's own variable says: a number and B, K, M or G. 0: nothing that OpenMP would accept. */
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

static size_t stack_asked(void) {
    return max_size(stack_size_of(getenv("OMP_STACKSIZE"), 'K'),
                    max_size(stack_size_of(getenv("GOMP_STACKSIZE"), 'K'), stack_size_of(getenv("KMP_STACKSIZE"), 'B')));
}

/* At least as large as those of OpenMP's threads. */
static void set_stack_size(pthread_attr_t *attributes, size_t asked) {
    size_t usual = 0;
    pthread_attr_getstacksize(attributes, &usual);
    pthread_attr_setstacksize(attributes, max_size(asked, max_size(usual, LLVM_STACK)));
}

/* ---- how many threads there can be ------------------------------------------------------------------------------------ */

static void *wait_at(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Makes this many threads, all alive at once, and lets them end. Returns how many it could make. */
static uint32_t try_making(openmp *own, uint32_t count) {
    pthread_attr_t attributes;
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    if (pthread_attr_init(&attributes)) return 0;
    set_stack_size(&attributes, own->stack);
    pthread_mutex_lock(&gate);
    uint32_t made = 0;
    while (made < count && pthread_create(&own->trial[made], &attributes, wait_at, &gate) == 0) made++;
    pthread_mutex_unlock(&gate);
    for (uint32_t i = 0; i < made; i++) pthread_join(own->trial[i], NULL);
    pthread_attr_destroy(&attributes);
    return made;
}

/*
 * How many threads the next region can ask for. The trial makes one more than OpenMP has to, for OpenMP's own memory. If the
 * system has no more, half of them are left to others. Within a parallel region of the caller's, OpenMP makes no threads unless
 * nesting is enabled.
 */
static uint32_t threads_of(openmp *own, uint32_t workers) {
    const int limit = omp_get_thread_limit();
    const uint32_t wanted = limit > 0 && (uint32_t)limit < workers ? (uint32_t)limit : workers;
    if (omp_get_active_level() >= omp_get_max_active_levels()) return 1;
    if (wanted <= found_out.works) return wanted;
    if (wanted == found_out.asked) return found_out.instead;
    const uint32_t made = try_making(own, wanted);
    if (made == wanted) return found_out.works = wanted;
    found_out.asked = wanted;
    found_out.instead = (uint32_t)max_size(made / 2 + 1, found_out.works);
    return found_out.instead;
}

/* ---- the executor ----------------------------------------------------------------------------------------------------- */

/* OpenMP may grant fewer threads than asked for. Returns the time that the function took. */
static uint64_t with_helpers(openmp *own, uint32_t threads, dun_serial_fn *function, void *argument) {
    uint64_t ns = 0;
#pragma omp parallel num_threads((int)threads)
    if (omp_get_thread_num() > 0) {
        dun_helpers_help(own->helpers, (uint32_t)omp_get_thread_num());
    } else {
        const uint64_t begin = dun_now_ns();
        own->threads = (uint32_t)omp_get_num_threads();
        dun_helpers_count(own->helpers, own->threads - 1);
        function(argument);
        ns = dun_now_ns() - begin;
        dun_helpers_let_go(own->helpers, 0);
    }
    return ns;
}

static void openmp_around(void *context, uint32_t workers, dun_serial_fn *function, void *argument) {
    openmp *own = context;
    const uint32_t threads = is_forked() ? 1 : threads_of(own, workers);
    const uint64_t begin = dun_now_ns();
    own->threads = threads;
    if (threads == 1 || begin < own->alone_until) {
        function(argument);
    } else {
        const uint64_t ns = with_helpers(own, threads, function, argument), end = dun_now_ns(), waited = end - begin - ns;
        if (waited > LONG_WAIT_NS && waited > ns / 4) own->alone_until = end + 8 * waited;
    }
}

static void openmp_run(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {
    const openmp *own = context;
    dun_helpers_run(own->helpers, workers, work, job);
}

static uint32_t openmp_threads(const void *context) {
    const openmp *own = context;
    return own->threads;
}

static const char *openmp_why_not(void) {
    return is_forked() ? "this process is the child of a fork(), which has none of OpenMP's threads" : NULL;
}

/* The number that the user or the caller has set; otherwise OpenMP's own, which knows nothing of quotas. */
static uint32_t openmp_default_threads(void) {
    const int threads = omp_get_max_threads();
    const bool is_set = getenv("OMP_NUM_THREADS") || threads != omp_get_num_procs();
    return is_set && threads > 0 ? (uint32_t)threads : dun_processors_here().threads;
}

static void openmp_destroy(void *context) {
    openmp *own = context;
    dun_helpers_destroy(own->helpers);
    dun_free(own);
}

/* Reads the environment here, because it may be changed while worlds step. */
static void *openmp_create(dun_heap *heap, uint32_t workers) {
    openmp *own = dun_allocate(heap, sizeof *own + workers * sizeof(pthread_t));
    if (!own) return NULL;
    *own = (openmp){.helpers = dun_helpers_create(heap, workers), .stack = stack_asked()};
    if (own->helpers) return own;
    dun_free(own);
    return NULL;
}

const dun_executor_type dun_openmp_executor = {
    .name = "openmp",
    .why_not = openmp_why_not,
    .default_threads = openmp_default_threads,
    .create = openmp_create,
    .destroy = openmp_destroy,
    .around = openmp_around,
    .run = openmp_run,
    .threads = openmp_threads,
};
