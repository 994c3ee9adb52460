/* SPDX-License-Identifier: MIT */
/* What the public header promises about executors, and what it asks of the caller's; test_determinism.c has the bits. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
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

static uint64_t simulate(dunlin_world *world) {
    world_run(world, STEPS);
    return dunlin_world_state_hash(world);
}

/* ---- children of fork() ------------------------------------------------------------------------------------------------ */

#ifdef DUNLIN_TEST_CANNOT_FORK
enum { CAN_FORK = 0 };
#else
enum { CAN_FORK = 1 };
#endif

/* What a child makes of its parent's world, or of a new one: its state after some steps. 0: an error. */
typedef uint64_t child_fn(dunlin_world *inherited, const char *executor);

static uint64_t step_and_destroy(dunlin_world *world) {
    uint64_t hash = 0;
    bool failed = false;
    for (int i = 0; i < STEPS; i++) failed = failed || dunlin_world_step(world, NULL);
    if (!failed) hash = dunlin_world_state_hash(world);
    world_destroy(world);
    return hash;
}

static uint64_t run_inherited(dunlin_world *inherited, const char *executor) {
    (void)executor;
    return step_and_destroy(inherited);
}

static uint64_t run_new(dunlin_world *inherited, const char *executor) {
    (void)inherited;
    return step_and_destroy(flock(executor, NULL, NULL, 3));
}

static uint64_t destroy_and_run_new(dunlin_world *inherited, const char *executor) {
    world_destroy(inherited);
    return run_new(NULL, executor);
}

/* A child of a child. */
static uint64_t fork_again(dunlin_world *inherited, const char *executor);

static uint64_t in_a_child(child_fn *function, dunlin_world *inherited, const char *executor) {
    int ends[2], status;
    uint64_t hash = 0;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60);
        hash = function(inherited, executor);
        _exit(write(ends[1], &hash, sizeof hash) != sizeof hash);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read(ends[0], &hash, sizeof hash), sizeof hash);
    close(ends[0]);
    close(ends[1]);
    return hash;
}

static uint64_t fork_again(dunlin_world *inherited, const char *executor) {
    return in_a_child(run_inherited, inherited, executor);
}

static bool has_executor(const char *name) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world;
    def.executor = name;
    dunlin_world_create(&def, &world, NULL);
    world_destroy(world);
    return world;
}

#ifdef _OPENMP
/* OpenMP's threads may be the parent's own, before it ever made a world: this test comes first. */
static uint64_t fork_after_a_region(dunlin_world *inherited, const char *executor) {
    int threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
    threads++;
    return threads > 0 ? in_a_child(run_new, inherited, executor) : 0;
}

TEST(a_child_runs_whatever_its_parent_ran) {
    if (!CAN_FORK) skip();
    dunlin_world *alone = flock("serial", NULL, NULL, 1);
    const uint64_t want = simulate(alone);
    world_destroy(alone);
    assert_true(fork_after_a_region(NULL, "auto") == want);
}
#endif

/* ---- which there are --------------------------------------------------------------------------------------------------- */

TEST(executors_have_names) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    assert_string_equal(def.executor, "auto");
    assert_null(def.run);
    static const char *const unknown[] = {"", "OpenMP", "pthread", "openmp,", NULL};
    for (int i = 0; i < 5; i++) {
        def.executor = unknown[i];
        REFUSE(dunlin_world_create(&def, &world, &refusal), DUNLIN_ERROR_UNSUPPORTED, "unknown executor '", "auto",
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
        world_destroy(world);
    }
}

TEST(an_executor_of_the_callers_must_be_complete) {
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
    world_destroy(world);
}

TEST(a_world_keeps_its_executor) {
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

TEST(an_executor_is_called_as_promised) {
    dunlin_world *alone = flock("serial", NULL, NULL, 1);
    const uint64_t want = simulate(alone);
    world_destroy(alone);
    for (int calls = 0; calls < 2; calls++) {
        record r = {.min_workers = 1000, .makes_calls = calls};
        dunlin_world *world = flock("custom", run_and_record, &r, 6);
        assert_true(simulate(world) == want); /* also without a single call */
        assert_true(r.regions >= STEPS && r.min_workers >= 2 && r.max_workers == 6);
        assert_int_equal(dunlin_world_stats(world).threads, calls ? 6 : 1);
        world_destroy(world);
    }
}

TEST(one_worker_needs_no_executor) {
    record r = {.min_workers = 1000, .makes_calls = true};
    dunlin_world *world = flock("custom", run_and_record, &r, 1);
    simulate(world);
    assert_int_equal(r.regions, 0);
}

TEST(worlds_share_an_executor) {
    record r = {.min_workers = 1000, .makes_calls = true};
    dunlin_world *a = flock("custom", run_and_record, &r, 3), *b = flock("custom", run_and_record, &r, 5);
    assert_true(simulate(a) == simulate(b));
}

static void run_wrongly(void *context, uint32_t workers, dunlin_work_fn *work, void *job) {
    if (*(const bool *)context) work(job, workers);
    work(job, 0);
}

TEST(wrong_worker_numbers_are_refused) {
    bool wrong = false;
    dunlin_world *world = flock("custom", run_wrongly, &wrong, 3);
    world_run(world, 1);
    const uint64_t before = dunlin_world_state_hash(world);
    wrong = true;
    REFUSE(dunlin_world_step(world, &refusal), DUNLIN_ERROR_VALUE, "world.run", "worker 3");
    assert_true(dunlin_world_state_hash(world) == before);
    wrong = false;
    dunlin_world *right = flock("serial", NULL, NULL, 1);
    world_run(right, 2);
    dunlin_error error;
    if (dunlin_world_step(world, &error)) ACCEPT(dunlin_world_step(world, &refusal)); /* the last region's was left */
    assert_true(dunlin_world_state_hash(world) == dunlin_world_state_hash(right));
}

/* ---- pthreads ---------------------------------------------------------------------------------------------------------- */

TEST(threads_sleep_between_steps) {
    if (!TEST_HAS_THREADS) skip();
    dunlin_world *world = flock("pthreads", NULL, NULL, 4);
    simulate(world);
    assert_int_equal(dunlin_world_stats(world).threads, 4);
    struct timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    usleep(200000);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    const double seconds = (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    assert_true(seconds < 0.1);
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
TEST(threads_block_all_signals_but_faults) {
    signals seen = {0};
    if (!TEST_HAS_POSIX) skip();
    dunlin_world *world = flock("pthreads", NULL, NULL, 4);
    world_call_back(world, 0, look_at_signals, &seen);
    for (int step = 0; step < 1000 && seen.helped == 0; step++) world_run(world, 1);
    assert_true(seen.helped > 0);
    assert_int_equal(seen.deaf, 0);
}

/* Threads stay in the parent. A child runs its parent's worlds and new ones to the state that the parent reaches. */
TEST_EACH(forked_children_run, p, 0, 3) {
    if (!CAN_FORK) skip();
    static const char *const parents[] = {"openmp", "pthreads", "serial"}, *const children[] = {"auto", "pthreads", "serial"};
    if (!has_executor(parents[p])) return;
    dunlin_world *world = flock(parents[p], NULL, NULL, p == 2 ? 1 : 3);
    const uint64_t first = simulate(world); /* also makes the threads */
    const uint64_t inherited = in_a_child(run_inherited, world, NULL), again = in_a_child(fork_again, world, NULL);
    for (int c = 0; c < 3; c++) {
        assert_true(in_a_child(run_new, world, children[c]) == first);
        assert_true(in_a_child(destroy_and_run_new, world, children[c]) == first);
    }
    const uint64_t second = simulate(world);
    assert_true(inherited == second && again == second);
}

/* No assertions here: they belong to the parent. */
static uint64_t ask_for_openmp(dunlin_world *inherited, const char *executor) {
    (void)inherited;
    dunlin_error error;
    dunlin_world *named, *chosen;
    dunlin_world_def def = dunlin_world_def_default();
    def.executor = executor;
    const bool is_refused = dunlin_world_create(&def, &named, &error) == DUNLIN_ERROR_UNSUPPORTED && !named;
    const bool is_told = strstr(error.message, "'openmp'") && strstr(error.message, "fork()") &&
                         strstr(error.message, "auto, pthreads, serial, custom");
    def.executor = "auto";
    if (dunlin_world_create(&def, &chosen, NULL)) return 0;
    return is_refused && is_told && strcmp(dunlin_world_get_def(chosen).executor, "pthreads") == 0;
}

TEST(a_forked_child_has_no_openmp) {
    if (!CAN_FORK || !has_executor("openmp")) skip();
    assert_true(in_a_child(ask_for_openmp, NULL, "openmp") == 1);
}
