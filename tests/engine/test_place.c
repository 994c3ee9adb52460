/* SPDX-License-Identifier: MIT */
/*
 * OpenMP may bind the process' first thread before any of our code runs. Threads of ours run wherever the process may all the
 * same. Each binding is tried in a process of its own, which has it from its start.
 */
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/worlds.h"

enum { AGENTS = 40000, MANY_STEPS = 1000 };

typedef struct seen {
    cpu_set_t process;
    _Atomic int helped, elsewhere; /* calls on threads of the world's, and those that may not run where the process may */
} seen;

static void look(void *user, const dunlin_tile *tile) {
    seen *s = user;
    cpu_set_t own;
    (void)tile;
    if (gettid() == getpid()) return;
    sched_getaffinity(0, sizeof own, &own);
    s->elsewhere += !CPU_EQUAL(&own, &s->process);
    s->helped++;
}

static dunlin_world *crowd(int threads, seen *s) {
    dunlin_world_def def = dunlin_world_def_default();
    def.executor = "pthreads";
    def.threads = threads;
    dunlin_world *world = world_of(&def, 1.0f, AGENTS);
    world_call_back(world, 0, look, s);
    return world;
}

/* In the bound process. No assertions here: they belong to the first one. Returns what is wrong. */
static const char *simulate(const cpu_set_t *process) {
    seen s = {.process = *process};
    cpu_set_t before, after;
    sched_getaffinity(0, sizeof before, &before);
    dunlin_world *world = crowd(3, &s), *any = crowd(0, &s);
    for (int step = 0; step < MANY_STEPS && s.helped == 0; step++) world_run(world, 1);
    const int threads = dunlin_world_get_def(any).threads;
    world_destroy(world);
    world_destroy(any);
    sched_getaffinity(0, sizeof after, &after);
    if (!CPU_EQUAL(&before, &after)) return "the caller's thread was moved";
    if (s.helped == 0) return "no thread helped";
    if (s.elsewhere > 0) return "a thread may run elsewhere than the process";
    return threads == CPU_COUNT(process) ? NULL : "threads of 0 are not one per processor";
}

static void run_bound(const char *places) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("OMP_PROC_BIND", "true", 1);
        unsetenv("OMP_PLACES");
        if (*places) setenv("OMP_PLACES", places, 1);
        execl("/proc/self/exe", "test_place", places, (char *)NULL);
        _exit(127);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static int first_processor(void) {
    cpu_set_t process;
    size_t first = 0;
    assert_int_equal(sched_getaffinity(0, sizeof process, &process), 0);
    while (!CPU_ISSET(first, &process)) first++;
    return (int)first;
}

TEST(threads_run_wherever_the_process_may) {
    run_bound("");
    run_bound("threads");
}

TEST(places_that_are_fewer_are_kept) {
    char places[32];
#ifndef _OPENMP
    skip();
#endif
    snprintf(places, sizeof places, "{%d}", first_processor());
    run_bound(places);
}

/* `places`: "" and names of kinds are all processors of the parent; "{3}" is that one. */
static cpu_set_t process_of(const char *places) {
    cpu_set_t process;
    int one;
    sched_getaffinity(getppid(), sizeof process, &process);
    if (sscanf(places, "{%d}", &one) == 1) {
        CPU_ZERO(&process);
        CPU_SET((size_t)one, &process);
    }
    return process;
}

int main(int argc, char **argv) {
    if (argc < 2) return run_all_tests();
    const cpu_set_t process = process_of(argv[1]);
    const char *wrong = simulate(&process);
    if (wrong) fprintf(stderr, "OMP_PLACES='%s': %s\n", argv[1], wrong);
    return wrong != NULL;
}
