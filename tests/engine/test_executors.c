/* SPDX-License-Identifier: MIT */
/* What the public header promises about executors, and what it asks of the caller's; test_determinism.c has the bits. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/lib/executors.h"
#include "tests/lib/system.h"
#include "tests/lib/worlds.h"

enum { AGENTS = 40000, STEPS = 3 };

static dunlin_world *flock(const char *executor, dunlin_run_fn *run, void *context, int threads) {
    dunlin_world_def def = dunlin_world_def_default();
    def.executor = executor;
    def.run = run;
    def.run_context = context;
    def.threads = threads;
    return world_of(&def, 1.0f, AGENTS);
}

static uint64_t fly(dunlin_world *world) {
    world_fly(world, STEPS);
    return dunlin_world_state_hash(world);
}

/* ---- which there are --------------------------------------------------------------------------------------------------- */

static void executors_have_names(void **state) {
    (void)state;
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    assert_string_equal(def.executor, "auto");
    assert_null(def.run);
    static const char *const unknown[] = {"", "OpenMP", "pthread", "openmp,", NULL};
    for (int i = 0; i < 5; i++) {
        def.executor = unknown[i];
        REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_KERNEL, "world.executor is", "auto",
               "pthreads, serial", "custom");
        assert_null(world);
    }
    static const char *const known[] = {"pthreads", "serial"};
    for (int i = 0; i < 2; i++) {
        def.executor = known[i];
        ACCEPT(dunlin_world_create(&def, &world, &refusal));
        const dunlin_world_def made = dunlin_world_get_def(world);
        assert_string_equal(made.executor, known[i]);
        assert_true(i == 0 ? made.threads >= 1 : made.threads == 1);
        dunlin_world_destroy(world);
    }
}

static void an_executor_of_the_callers_must_be_complete(void **state) {
    (void)state;
    dunlin_world *world = NULL;
    dunlin_world_def def = dunlin_world_def_default();
    def.executor = "custom";
    def.threads = 2;
    REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.run is NULL", "custom");
    def.run = run_few_backwards;
    def.threads = 0;
    REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.threads is 0", "1 to 1024");
    def.threads = 1025;
    REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.threads is 1025", "1024");
    def.threads = 1024;
    def.executor = "serial";
    REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_VALUE, "world.run is set", "serial", "custom");
    assert_null(world);
    def.executor = "auto";
    ACCEPT(dunlin_world_create(&def, &world, &refusal));
    assert_string_equal(dunlin_world_get_def(world).executor, "custom");
    dunlin_world_destroy(world);
}

static void a_world_keeps_its_executor(void **state) {
    (void)state;
    dunlin_world *world = flock("pthreads", NULL, NULL, 2);
    dunlin_world_def def = dunlin_world_get_def(world);
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    def.executor = "auto";
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
    def.executor = "serial";
    REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "world.executor is 'serial'", "'pthreads'");
    def.executor = "pthreads";
    def.run = run_few_backwards;
    REFUSE(dunlin_world_set_def(world, &def, &refusal), DUNLIN_ERROR_VALUE, "world.run");
    dunlin_world_destroy(world);
}

/* ---- the caller's own -------------------------------------------------------------------------------------------------- */

typedef struct record {
    uint32_t regions, min_workers, max_workers;
    bool makes_calls;
} record;

static void run_and_record(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {
    record *r = context;
    r->regions++;
    if (workers < r->min_workers) r->min_workers = workers;
    if (workers > r->max_workers) r->max_workers = workers;
    if (r->makes_calls) run_on_scrambled_threads(NULL, workers, work, job);
}

static void an_executor_is_called_as_promised(void **state) {
    (void)state;
    dunlin_world *alone = flock("serial", NULL, NULL, 1);
    const uint64_t want = fly(alone);
    dunlin_world_destroy(alone);
    for (int calls = 0; calls < 2; calls++) {
        record r = {.min_workers = 1000, .makes_calls = calls};
        dunlin_world *world = flock("custom", run_and_record, &r, 6);
        assert_true(fly(world) == want); /* also without a single call */
        assert_true(r.regions >= STEPS && r.min_workers >= 2 && r.max_workers == 6);
        assert_int_equal(dunlin_world_stats(world).threads, calls ? 6 : 1);
        dunlin_world_destroy(world);
    }
}

static void one_worker_needs_no_executor(void **state) {
    (void)state;
    record r = {.min_workers = 1000, .makes_calls = true};
    dunlin_world *world = flock("custom", run_and_record, &r, 1);
    fly(world);
    assert_int_equal(r.regions, 0);
    dunlin_world_destroy(world);
}

static void worlds_share_an_executor(void **state) {
    (void)state;
    record r = {.min_workers = 1000, .makes_calls = true};
    dunlin_world *a = flock("custom", run_and_record, &r, 3), *b = flock("custom", run_and_record, &r, 5);
    assert_true(fly(a) == fly(b));
    dunlin_world_destroy(a);
    dunlin_world_destroy(b);
}

static void run_wrongly(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {
    if (*(const bool *)context) work(job, workers);
    work(job, 0);
}

static void wrong_worker_numbers_are_refused(void **state) {
    (void)state;
    bool wrong = false;
    dunlin_world *world = flock("custom", run_wrongly, &wrong, 3);
    world_fly(world, 1);
    const uint64_t before = dunlin_world_state_hash(world);
    wrong = true;
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "world.run", "worker 3");
    assert_true(dunlin_world_state_hash(world) == before);
    wrong = false;
    dunlin_world *right = flock("serial", NULL, NULL, 1);
    world_fly(right, 2);
    dunlin_error error;
    if (dunlin_world_step(world, &error)) ACCEPT(dunlin_world_step(world, &refusal)); /* the last region's was left */
    assert_true(dunlin_world_state_hash(world) == dunlin_world_state_hash(right));
    dunlin_world_destroy(world);
    dunlin_world_destroy(right);
}

/* ---- pthreads ---------------------------------------------------------------------------------------------------------- */

static void threads_sleep_between_steps(void **state) {
    (void)state;
    if (!TEST_HAS_THREADS) skip();
    dunlin_world *world = flock("pthreads", NULL, NULL, 4);
    fly(world);
    assert_int_equal(dunlin_world_stats(world).threads, 4);
    struct timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    usleep(200000);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    const double seconds = (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    assert_true(seconds < 0.1);
    dunlin_world_destroy(world);
}

static bool is_blocked(int signal) {
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    return sigismember(&blocked, signal) == 1;
}

typedef struct signals {
    _Atomic int helped,
        deaf; /* calls on the world's own threads, and calls in which a signal for a fault would have no handler */
} signals;

static void look_at_signals(void *user, const dunlin_tile *tile) {
    signals *seen = user;
    (void)tile;
    seen->helped += is_blocked(SIGINT);
    seen->deaf += is_blocked(SIGSEGV) || is_blocked(SIGFPE);
}

/* Signals go to the caller's threads, but a callback's fault reaches the caller's handler on any thread. */
static void threads_block_all_signals_but_faults(void **state) {
    (void)state;
    signals seen = {0};
    if (!TEST_HAS_POSIX) skip();
    dunlin_world *world = flock("pthreads", NULL, NULL, 4);
    dunlin_behaviour_def custom = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    custom.custom = look_at_signals;
    custom.user = &seen;
    ACCEPT(dunlin_world_add_behaviour(world, &custom, NULL, &refusal));
    for (int step = 0; step < 1000 && seen.helped == 0; step++) world_fly(world, 1);
    assert_true(seen.helped > 0);
    assert_int_equal(seen.deaf, 0);
    dunlin_world_destroy(world);
}

#ifdef DUNLIN_TEST_CANNOT_FORK
enum { CAN_FORK = 0 };
#else
enum { CAN_FORK = 1 };
#endif

/* The threads stay in the parent. Parent and child fly on, to the same state. */
static void a_forked_child_flies_on(void **state) {
    (void)state;
    if (!CAN_FORK) skip();
    dunlin_world *world = flock("pthreads", NULL, NULL, 3);
    fly(world);
    int ends[2];
    uint64_t hash = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60);
        for (int i = 0; i < STEPS; i++)
            if (dunlin_world_step(world, NULL)) _exit(1);
        hash = dunlin_world_stats(world).threads == 3 ? dunlin_world_state_hash(world) : 0;
        dunlin_world_destroy(world);
        _exit(write(ends[1], &hash, sizeof hash) != sizeof hash);
    }
    int status;
    const uint64_t want = fly(world);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read(ends[0], &hash, sizeof hash), sizeof hash);
    assert_true(hash == want);
    dunlin_world_destroy(world);
    close(ends[0]);
    close(ends[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(executors_have_names),
        cmocka_unit_test(an_executor_of_the_callers_must_be_complete),
        cmocka_unit_test(a_world_keeps_its_executor),
        cmocka_unit_test(an_executor_is_called_as_promised),
        cmocka_unit_test(one_worker_needs_no_executor),
        cmocka_unit_test(worlds_share_an_executor),
        cmocka_unit_test(wrong_worker_numbers_are_refused),
        cmocka_unit_test(threads_sleep_between_steps),
        cmocka_unit_test(threads_block_all_signals_but_faults),
        cmocka_unit_test(a_forked_child_flies_on),
    };
    return cmocka_run_group_tests_name("executors", tests, NULL, NULL);
}
