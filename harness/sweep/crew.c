/* SPDX-License-Identifier: MIT */
#include "harness/sweep/crew.h"
#include "harness/command/interrupt.h"
#include "harness/command/progress.h"
#include "harness/report/clock.h"
#include "harness/report/message.h"

#include <hdf5.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

typedef struct crew {
    sweep_results *results;
    const uint32_t *order; /* the runs to do */
    uint32_t count;
    int threads; /* of each run */
    atomic_bool stops;
    _Atomic uint64_t work_done; /* agent-steps */
    pthread_mutex_t lock;       /* of what follows, and of the results */
    pthread_cond_t ended;       /* a worker */
    uint32_t next;
    int workers; /* that have not ended */
    dunlin_result result;
    dunlin_error error; /* the first */
} crew;

/* ---- the work --------------------------------------------------------------------------------------------------------- */

/* A world without agents takes a little time, too. */
static uint64_t work_of(const plan_point *point) {
    return point->agents + 10;
}

static bool note_step(void *context, const plan_point *point) {
    crew *c = context;
    atomic_fetch_add_explicit(&c->work_done, work_of(point), memory_order_relaxed);
    return !atomic_load_explicit(&c->stops, memory_order_relaxed);
}

/* With the lock. A run that fails is a row, too: the others do not depend on it. Only what cannot be written ends the sweep. */
static void keep(crew *c, uint32_t run, const run_figures *figures, const char *problem) {
    dunlin_error error;
    if (!figures->is_there && !problem) return; /* it was stopped */
    const dunlin_result result = results_add(c->results, run, figures, problem, &error);
    if (result == DUNLIN_OK || c->result != DUNLIN_OK) return;
    c->result = result;
    c->error = error;
    c->stops = true;
}

static void *work(void *context) {
    crew *c = context;
    pthread_mutex_lock(&c->lock);
    while (!c->stops && c->next < c->count) {
        const uint32_t run = c->order[c->next++];
        run_figures figures = {0};
        dunlin_error error = {0};
        pthread_mutex_unlock(&c->lock);
        const dunlin_result result = sweep_run(c->results->plan, run, c->threads, note_step, c, &figures, &error);
        pthread_mutex_lock(&c->lock);
        keep(c, run, &figures, result == DUNLIN_OK ? NULL : error.message);
    }
    c->workers--;
    pthread_cond_signal(&c->ended);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* ---- the workers ------------------------------------------------------------------------------------------------------ */

/* Signals come to the calling thread. Returns how many workers there are. */
static int start(crew *c, pthread_t *threads, int wanted) {
    sigset_t all, before;
    int started = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    c->workers = wanted;
    while (started < wanted && pthread_create(&threads[started], NULL, work, c) == 0) started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_mutex_lock(&c->lock);
    c->workers -= wanted - started;
    pthread_mutex_unlock(&c->lock);
    return started;
}

/* With the lock, which it leaves for a while. */
static void wait_a_while(crew *c) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_clockwait(&c->ended, &c->lock, CLOCK_MONOTONIC, &until);
}

static void watch(crew *c, run_progress *progress, uint64_t work_before, uint64_t work_all) {
    const sweep_results *results = c->results;
    pthread_mutex_lock(&c->lock);
    while (c->workers > 0) {
        char what[96];
        wait_a_while(c);
        results_sync(c->results);
        if (interrupt_signal() != 0) c->stops = true;
        snprintf(what, sizeof what, "%" PRIu32 " of %" PRIu32 " runs", results->present, results->plan->runs);
        progress_show(progress, (double)(work_before + c->work_done) / (double)work_all, what);
    }
    pthread_mutex_unlock(&c->lock);
}

static dunlin_result run_together(crew *c, int workers, run_progress *progress, uint64_t work_before, uint64_t work_all,
                                  dunlin_error *error) {
    if (workers > (int)c->count) workers = (int)c->count;
    pthread_t *threads = calloc((size_t)workers + 1, sizeof *threads);
    if (!threads) return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for threads");
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->ended, NULL);
    const int started = start(c, threads, workers);
    if (started == 0 && workers > 0) c->result = bench_fail(&c->error, DUNLIN_ERROR_MEMORY, "a thread cannot be created");
    watch(c, progress, work_before, work_all);
    for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
    pthread_cond_destroy(&c->ended);
    pthread_mutex_destroy(&c->lock);
    free(threads);
    if (c->result != DUNLIN_OK) *error = c->error;
    return c->result;
}

/* ---- the order -------------------------------------------------------------------------------------------------------- */

typedef struct order_key {
    uint64_t work;
    uint32_t seed, run;
} order_key;

/* The longest first, so that none is still running when all others have ended; then all points with one seed after another, so
 * that an interrupted sweep has a little of everything. */
static int compare(const void *a, const void *b) {
    const order_key *x = a, *y = b;
    if (x->work != y->work) return x->work < y->work ? 1 : -1;
    if (x->seed != y->seed) return x->seed < y->seed ? -1 : 1;
    return x->run < y->run ? -1 : 1;
}

/* The missing runs with large worlds, or with small ones; returns how many. */
static uint32_t list_runs(const sweep_results *results, bool large, order_key *keys, uint32_t *order) {
    const sweep_plan *plan = results->plan;
    uint32_t count = 0;
    for (uint32_t run = 0; run < plan->runs; run++) {
        const plan_point *point = &plan->point[run / plan->study.seeds];
        if (results->figures[run].is_there || (point->agents >= LARGE_WORLD) != large) continue;
        keys[count++] = (order_key){work_of(point) * point->steps, run % plan->study.seeds, run};
    }
    qsort(keys, count, sizeof *keys, compare);
    for (uint32_t i = 0; i < count; i++) order[i] = keys[i].run;
    return count;
}

static uint64_t sum_work(const sweep_results *results) {
    const sweep_plan *plan = results->plan;
    uint64_t work = 1;
    for (uint32_t run = 0; run < plan->runs; run++) {
        const plan_point *point = &plan->point[run / plan->study.seeds];
        if (!results->figures[run].is_there) work += work_of(point) * point->steps;
    }
    return work;
}

/* Whether several trajectories can be written at once. Debian's HDF5 allows it; many others are built for one thread at a time.
 */
static bool can_write_side_by_side(void) {
    hbool_t is_safe = false;
    return H5is_library_threadsafe(&is_safe) >= 0 && is_safe;
}

dunlin_result crew_run(sweep_results *results, int jobs, bool shows_progress, dunlin_error *error) {
    const uint64_t work_all = sum_work(results);
    uint64_t work_before = 0;
    uint32_t *order = calloc(results->plan->runs, sizeof *order);
    order_key *keys = calloc(results->plan->runs, sizeof *keys);
    dunlin_result result = order && keys ? DUNLIN_OK : bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the runs");
    run_progress progress = progress_begin("run", results->plan->runs, shows_progress);
    const int at_once = results->plan->study.trajectory.every > 0 && !can_write_side_by_side() ? 1 : jobs;
    for (int large = 0; large < 2 && result == DUNLIN_OK && interrupt_signal() == 0; large++) {
        crew c = {.results = results, .order = order, .threads = large ? jobs : 1};
        c.count = list_runs(results, large, keys, order);
        if (c.count > 0) result = run_together(&c, large ? 1 : at_once, &progress, work_before, work_all, error);
        work_before += c.work_done;
    }
    progress_end(&progress);
    free(keys);
    free(order);
    return result;
}
