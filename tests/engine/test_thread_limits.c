/* SPDX-License-Identifier: MIT */
/*
 * A system that allows no more threads, or gives little stack, would make OpenMP end the process; Dunlin must not. Each test
 * runs in a process of its own, which its limits end with, and so does each executor that makes threads. Such a process is this
 * program once more, since OpenMP does not survive a mere fork().
 */
#include <dirent.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/worlds.h"

/* Sanitizers take most of the address space, more stack, and threads of their own. */
#ifdef DUNLIN_TEST_SANITIZED
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

enum { AGENTS = 40000, STEPS = 5, MANY = 64 };

enum { WORKS = 0, DOES_NOT_WORK = 42, HAS_NO_LIMITS = 77 };

static const char *executor; /* of the worlds in this process */

static bool has_openmp(void) {
    dunlin_world_def def = dunlin_world_def_default();
    dunlin_world *world = NULL;
    def.executor = "openmp";
    dunlin_world_create(&def, &world, NULL);
    world_destroy(world);
    return world;
}

typedef bool works_fn(void);
static works_fn run_with_little_memory, run_with_few_processes, step_on_new_threads, run_with_all, step_in_a_region,
    keep_threads, run_on_little_stack;
static works_fn *const tests_of_processes[] = {run_with_little_memory, run_with_few_processes, step_on_new_threads,
                                               run_with_all,           step_in_a_region,       keep_threads,
                                               run_on_little_stack};
enum { ALL = sizeof tests_of_processes / sizeof *tests_of_processes };

static void in_a_process(const char *with, works_fn *works) {
    if (SANITIZED) skip();
    char number[2] = "0";
    while (*number - '0' < ALL && tests_of_processes[*number - '0'] != works) ++*number;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl("/proc/self/exe", "test_thread_limits", with, number, (char *)NULL);
        _exit(DOES_NOT_WORK);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == HAS_NO_LIMITS) skip();
    if (!WIFEXITED(status) || WEXITSTATUS(status)) fail_msg("the process ended with status %x", (unsigned)status);
}

static void with_openmp(works_fn *works) {
    if (!has_openmp()) skip();
    in_a_process("openmp", works);
}

static void with_all_threads(works_fn *works) {
    in_a_process("pthreads", works);
    if (has_openmp()) in_a_process("openmp", works);
}

/* No assertions here: they belong to the parent. NULL: it does not work. */
static dunlin_world *crowd(int threads, const char *index) {
    dunlin_world_def def = world_def_with((world_parts){.threads = threads});
    def.executor = executor;
    def.index = index;
    dunlin_world *world = NULL;
    const dunlin_interaction_def rules = world_flocking_rules(1);
    const dunlin_species_def species = dunlin_species_def_default();
    if (dunlin_world_create(&def, &world, &refusal) || dunlin_world_add_species(world, &species, NULL, &refusal)) return NULL;
    dunlin_scatter_def scatter = dunlin_scatter_def_default(world);
    scatter.count = AGENTS;
    if (dunlin_world_add_interaction(world, &rules, NULL, &refusal) || dunlin_world_scatter(world, 0, &scatter, &refusal))
        return NULL;
    return world;
}

static bool simulate(dunlin_world *world, int steps) {
    for (int i = 0; i < steps; i++)
        if (dunlin_world_step(world, &refusal)) return fprintf(stderr, "%s\n", refusal.message), false;
    return true;
}

/* ---- few threads ------------------------------------------------------------------------------------------------------- */

/* Runs a crowd on many threads, where the system allows only a few, to the state that one thread reaches. */
static bool run_with_few(bool (*limit)(void)) {
    dunlin_world *alone = crowd(1, "grid"), *many = crowd(MANY, "grid");
    if (!alone || !many || !simulate(alone, STEPS)) return false;
    if (!limit()) _exit(HAS_NO_LIMITS);
    if (!simulate(many, STEPS)) return false;
    const dunlin_stats stats = dunlin_world_stats(many);
    printf("%u threads of %d\n", stats.threads, dunlin_world_get_def(many).threads);
    const bool same = dunlin_world_state_hash(alone) == dunlin_world_state_hash(many);
    const bool fewer = stats.threads >= 1 && stats.threads < MANY && dunlin_world_get_def(many).threads == MANY;
    world_destroy(alone);
    world_destroy(many);
    fflush(NULL);
    return same && fewer;
}

/* A few stacks more than there is now. */
static bool limit_memory(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1) return false;
    fclose(file);
    const rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (100u << 20);
    if (setrlimit(RLIMIT_AS, &(struct rlimit){most, most})) return false;
    void *more = malloc(200u << 20); /* emulators have no such limit */
    free(more);
    return !more;
}

/* For a user with no other process, and not for root, which has no limit. */
static bool limit_processes(void) {
    const uid_t nobody = 54321;
    return (geteuid() || setuid(nobody) == 0) && setrlimit(RLIMIT_NPROC, &(struct rlimit){6, 6}) == 0;
}

static bool run_with_little_memory(void) {
    return run_with_few(limit_memory);
}

static bool run_with_few_processes(void) {
    return run_with_few(limit_processes);
}

TEST(test_little_memory_means_fewer_threads) {
    with_all_threads(run_with_little_memory);
}

TEST(test_few_processes_mean_fewer_threads) {
    with_all_threads(run_with_few_processes);
}

static void *step_once(void *world) {
    return dunlin_world_step(world, &refusal) == DUNLIN_OK ? world : NULL;
}

static bool step_on_a_new_thread(dunlin_world *world) {
    pthread_t thread;
    void *worked = NULL;
    /* Threads that have ended count for a moment more; LLVM's OpenMP keeps those of a caller that has ended. */
    for (int tries = 0; pthread_create(&thread, NULL, step_once, world) != 0; tries++) {
        if (tries == 2000) _exit(HAS_NO_LIMITS);
        usleep(1000);
    }
    return pthread_join(thread, &worked) == 0 && worked;
}

/*
 * OpenMP keeps threads for each thread of the caller. The system may give a new thread the id of one that has ended, but what
 * that one found out does not apply to the new one.
 */
static bool step_on_new_threads(void) {
    dunlin_world *world = crowd(MANY, "grid");
    if (!world || !step_on_a_new_thread(world) || dunlin_world_stats(world).threads != MANY) return false;
    if (!limit_processes()) _exit(HAS_NO_LIMITS);
    for (int i = 0; i < 100; i++)
        if (!step_on_a_new_thread(world) || dunlin_world_stats(world).threads >= MANY) return false;
    return true;
}

TEST(test_each_thread_finds_out_for_itself) {
    with_openmp(step_on_new_threads);
}

/* ---- all threads ------------------------------------------------------------------------------------------------------- */

static bool run_with_all(void) {
    dunlin_world *world = crowd(3, "grid");
    if (!world || dunlin_world_stats(world).threads != 0 || !simulate(world, 1)) return false;
    return dunlin_world_stats(world).threads == 3;
}

TEST(test_stats_say_how_many_there_are) {
    with_all_threads(run_with_all);
}

/* The sum of the threads' ids, which the system does not give twice in so short a time. */
static unsigned long long sum_of_threads(void) {
    DIR *directory = opendir("/proc/self/task");
    unsigned long long sum = 0;
    for (struct dirent *entry; directory && (entry = readdir(directory));) sum += strtoull(entry->d_name, NULL, 10);
    if (directory) closedir(directory);
    return sum;
}

/* Without OpenMP this is no region, and there is no world with OpenMP in it. */
/*
 * Two worlds at the same time, each on one thread of the caller's region: OpenMP makes no more threads there, and Dunlin must
 * not try.
 */
static bool step_in_a_region(void) {
    enum { WORLDS = 4 };
    dunlin_world *worlds[WORLDS];
    bool worked = true;
    for (int i = 0; i < WORLDS; i++) worked = (worlds[i] = crowd(MANY, "grid")) && worked;
    if (!worked) return false;
#ifdef _OPENMP
#pragma omp parallel for num_threads(2) reduction(&& : worked)
#endif
    for (int i = 0; i < WORLDS; i++) {
        dunlin_error error;
        worked = worked && !dunlin_world_step(worlds[i], &error) && dunlin_world_stats(worlds[i]).threads == 1;
    }
    return worked;
}

TEST(test_a_world_in_a_region_works_alone) {
    with_openmp(step_in_a_region);
}

/* Few agents have fewer shares than threads. OpenMP must not end threads and make them again because of that. */
static bool keep_threads(void) {
    dunlin_world *world = crowd(8, "grid");
    if (!world || !simulate(world, 2)) return false;
    const unsigned long long before = sum_of_threads();
    if (!simulate(world, 10)) return false;
    return sum_of_threads() == before;
}

TEST(test_threads_are_kept) {
    with_all_threads(keep_threads);
}

/* ---- little stack ------------------------------------------------------------------------------------------------------ */

static void *run_all_indexes(void *worked) {
    static const char *const indexes[] = {"grid", "tree"};
    bool *const all = worked;
    for (int i = 0; i < 2; i++) {
        dunlin_world *world = crowd(2, indexes[i]);
        *all = *all && world && simulate(world, 2);
        world_destroy(world);
    }
    return NULL;
}

/* As much as a thread in Emscripten has. */
static bool run_on_little_stack(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    bool worked = true;
    if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, 64 << 10)) return false;
    return pthread_create(&thread, &attributes, run_all_indexes, &worked) == 0 && pthread_join(thread, NULL) == 0 && worked;
}

TEST(test_64_kibibytes_of_stack_are_enough) {
    with_all_threads(run_on_little_stack);
}

int main(int argc, char **argv) {
    if (argc != 3) return run_all_tests();
    executor = argv[1];
    return tests_of_processes[*argv[2] - '0']() ? WORKS : DOES_NOT_WORK;
}
