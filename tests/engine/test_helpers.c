/* SPDX-License-Identifier: MIT */
/*
 * Threads beside the calling one. How late one comes is up to the system, so here some come as late as can be: not before a
 * test lets them. With OpenMP this file also counts its regions: the linker turns GOMP_parallel() into the function below.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "engine/base/helpers.h"
#include "tests/lib/system.h"
#include "tests/lib/worlds.h"

enum { WORKERS = 4, TASKS = 64, REGIONS = TEST_ROUNDS(20000) };

typedef struct crew {
    dun_helpers *helpers;
    pthread_t thread[WORKERS];
} crew;

static crew present;

static void *help(void *worker) {
    dun_helpers_help(present.helpers, (uint32_t)(uintptr_t)worker);
    return NULL;
}

static void start(uint32_t worker) {
    assert_int_equal(pthread_create(&present.thread[worker], NULL, help, (void *)(uintptr_t)worker), 0);
}

static void begin_crew(uint32_t started) {
    assert_non_null(present.helpers = dun_helpers_create(NULL, WORKERS));
    dun_helpers_count(present.helpers, WORKERS - 1);
    for (uint32_t w = 1; w <= started; w++) start(w);
}

static void end_crew(void) {
    dun_helpers_let_go(present.helpers, 0);
    for (uint32_t w = 1; w < WORKERS; w++) pthread_join(present.thread[w], NULL);
    dun_helpers_destroy(present.helpers);
}

/* ---- regions ----------------------------------------------------------------------------------------------------------- */

typedef struct job {
    _Atomic uint32_t next, done, calls[WORKERS];
    uint32_t written[TASKS]; /* not atomic: the region's end must show them */
    uint32_t region;
} job;

static void work(void *context, uint32_t worker) {
    job *j = context;
    j->calls[worker]++;
    for (uint32_t task; (task = atomic_fetch_add(&j->next, 1)) < TASKS; j->done++) j->written[task] = j->region;
}

static void run_region(job *j, uint32_t workers) {
    j->region++;
    j->next = j->done = 0;
    dun_helpers_run(present.helpers, workers, work, j);
    assert_int_equal(j->done, TASKS);
    for (int i = 0; i < TASKS; i++) assert_int_equal(j->written[i], j->region);
}

TEST(regions_end_without_helpers_that_are_late) {
    job j = {0};
    if (!TEST_HAS_THREADS) skip();
    begin_crew(1);
    for (int i = 0; i < REGIONS; i++) run_region(&j, 1 + (uint32_t)i % WORKERS);
    assert_int_equal(j.calls[2] + j.calls[3], 0);
    for (uint32_t w = 2; w < WORKERS; w++) start(w);
    for (int i = 0; i < REGIONS; i++) run_region(&j, WORKERS);
    end_crew();
}

/* Each in turn stays in its call until the calling thread has nothing left to do. */
typedef struct visit {
    uint32_t visitor;
    _Atomic bool is_in, is_out;
} visit;

static void stay(void *context, uint32_t worker) {
    visit *v = context;
    if (worker == v->visitor) {
        v->is_in = true;
        usleep(20000);
        v->is_out = true;
    } else if (worker == 0) {
        while (!v->is_in) usleep(100);
    }
}

TEST(regions_wait_for_helpers_that_are_in_them) {
    if (!TEST_HAS_THREADS) skip();
    begin_crew(WORKERS - 1);
    for (uint32_t w = 1; w < WORKERS; w++) {
        visit v = {.visitor = w};
        dun_helpers_run(present.helpers, WORKERS, stay, &v);
        assert_true(v.is_out);
    }
    end_crew();
}

/* Some are let go, and the others work on. */
TEST(helpers_go_and_stay) {
    job j = {0};
    if (!TEST_HAS_THREADS) skip();
    begin_crew(WORKERS - 1);
    for (int i = 0; i < 100; i++) run_region(&j, WORKERS);
    dun_helpers_let_go(present.helpers, 1);
    assert_int_equal(dun_helpers_workers(present.helpers), 2);
    const uint32_t before = j.calls[2] + j.calls[3];
    for (int i = 0; i < 100; i++) run_region(&j, WORKERS);
    assert_int_equal(j.calls[2] + j.calls[3], before);
    end_crew();
}

/* ---- OpenMP's regions -------------------------------------------------------------------------------------------------- */

#ifdef DUNLIN_TEST_COUNTS_REGIONS
static _Atomic int regions;
void __real_GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags);
void __wrap_GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags);

void __wrap_GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags) {
    regions++;
    __real_GOMP_parallel(function, data, threads, flags);
}

/* Threads spin where OpenMP's regions begin and end, so a step has one at most. */
TEST(a_step_is_one_region_of_openmps) {
    enum { STEPS = 5 };
    dunlin_world_def def = dunlin_world_def_default();
    def.executor = "openmp";
    def.threads = 3;
    dunlin_world *world = world_of(&def, 1.0f, 40000);
    world_run(world, 1); /* which does not know yet how many regions it has */
    assert_true(regions >= 1);
    regions = 0;
    world_run(world, STEPS);
    assert_in_range(regions, 0, STEPS);
}

/* Nothing is shared out in a small flock. */
TEST(a_step_alone_is_none) {
    dunlin_world_def def = dunlin_world_def_default();
    def.executor = "openmp";
    def.threads = 3;
    dunlin_world *world = world_of(&def, 1.0f, 50);
    world_run(world, 3);
    regions = 0;
    world_run(world, 3);
    assert_int_equal(regions, 0);
}
#endif
