/* SPDX-License-Identifier: MIT */
/* How many processors a process may use: quotas of control groups, affinity, and what threads 0 makes of them. */
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/files.h"
#include "tests/lib/pretend.h"
#include "tests/lib/worlds.h"

/* ---- a system of control groups ------------------------------------------------------------------------------------------ */

enum { PATH = 512 };

/* A new root, whose process is in these groups. */
static const char *system_with(const char *groups) {
    static char root[32];
    static int number;
    snprintf(root, sizeof root, "system%d-%d", (int)getpid(), number++);
    write_below(root, "/proc/self/cgroup", groups);
    return root;
}

static double quota_in(const char *root) {
    const dun_processors p = dun_processors_in(root);
    assert_true(p.all >= p.allowed && p.allowed >= p.threads && p.threads >= 1);
    assert_true(p.quota > 0 && p.threads == fmin(p.allowed, ceil(p.quota)));
    return p.quota;
}

TEST(no_files_mean_no_quota) {
    assert_true(isinf(quota_in("nowhere")));
    assert_true(isinf(quota_in(system_with(""))));
    assert_true(isinf(quota_in(system_with("0::/a/b\n"))));
    assert_true(isinf(quota_in(system_with("nonsense\n:\n0:\n\n4:cpu\n"))));
}

TEST(version_2_has_quotas) {
    static const struct {
        const char *text;
        double quota;
    } cases[] = {{"150000 100000\n", 1.5}, {"max 100000\n", HUGE_VAL}, {"5000 100000\n", 0.05},
                 {"6400000 100000\n", 64}, {"1000 2000", 0.5},         {"", HUGE_VAL},
                 {"7\n", HUGE_VAL},        {"100000 0\n", HUGE_VAL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *root = system_with("0::/a\n");
        write_below(root, "/sys/fs/cgroup/a/cpu.max", cases[i].text);
        assert_true(quota_in(root) == cases[i].quota);
    }
}

TEST(version_1_has_quotas) {
    const char *root = system_with("9:memory:/m\n4:cpu,cpuacct:/a\n3:cpuset:/s\n");
    write_below(root, "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "-1\n");
    write_below(root, "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
    write_below(root, "/sys/fs/cgroup/cpuset/s/cpu.max", "1000 100000\n"); /* no group of processors' time */
    assert_true(isinf(quota_in(root)));
    write_below(root, "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "250000\n");
    assert_true(quota_in(root) == 2.5);
}

/* A container that has no groups of its own reads its group's path in the whole system, and sees its group as the mount. */
TEST(a_container_sees_its_group_as_the_mount) {
    const char *root = system_with("4:cpu,cpuacct:/docker/0123\n");
    write_below(root, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "300000\n");
    write_below(root, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    assert_true(quota_in(root) == 3);
    root = system_with("0::/\n");
    write_below(root, "/sys/fs/cgroup/cpu.max", "200000 100000\n");
    assert_true(quota_in(root) == 2);
}

static void put_quota(const char *root, int version, int depth, uint32_t quota) {
    static const char *const mounts[] = {"", "/cpu", ""}, *const files[] = {"", "cpu.cfs_quota_us", "cpu.max"};
    char path[PATH], text[32];
    snprintf(path, sizeof path, "/sys/fs/cgroup%s%.*s/%s", mounts[version], 2 * depth, "/a/b/c/d", files[version]);
    snprintf(text, sizeof text, version == 2 ? "%u 100000\n" : "%u\n", quota);
    write_below(root, path, text);
    if (version == 2) return;
    snprintf(path, sizeof path, "/sys/fs/cgroup/cpu%.*s/cpu.cfs_period_us", 2 * depth, "/a/b/c/d");
    write_below(root, path, "100000\n");
}

/* Any quotas on the way to a group deep below, in both versions at the same time. */
TEST_EACH(the_minimum_of_all_groups_counts, round, 0, 60) {
    static test_random random = {.state = 26};
    const char *root = system_with("0::/a/b/c/d\n4:cpu:/a/b/c/d\n");
    double least = HUGE_VAL;
    for (int depth = 0; depth <= 4; depth++) {
        const uint32_t quota = 1 + test_below(&random, 1000000);
        if (test_below(&random, 2)) continue;
        put_quota(root, 1 + (int)test_below(&random, 2), depth, quota);
        least = fmin(least, quota / 1e5);
    }
    assert_true(quota_in(root) == least);
}

/* ---- this process ----------------------------------------------------------------------------------------------------------
 */

static int threads_of(const char *executor) {
    dunlin_world_def def = dunlin_world_def_default();
    def.executor = executor;
    dunlin_world *world = NULL;
    if (dunlin_world_create(&def, &world, &refusal)) return -1; /* not in this build */
    const int threads = dunlin_world_get_def(world).threads;
    world_destroy(world);
    return threads;
}

TEST(executors_use_what_there_is) {
    static const char *const executors[] = {"auto", "openmp", "pthreads"};
    unsetenv("OMP_NUM_THREADS");
    for (int e = 0; e < 3; e++) {
        const int threads = threads_of(executors[e]);
        if (threads > 0) assert_int_equal(threads, dun_processors_here().threads);
    }
    assert_int_equal(threads_of("serial"), 1);
}

/* The processors of a cpuset are the process' mask, too. Asked in a child, which is bound before anything asks. */
TEST(a_bound_process_has_one_processor) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        cpu_set_t own, one;
        if (sched_getaffinity(0, sizeof own, &own)) _exit(1);
        CPU_ZERO(&one);
        for (size_t cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); cpu++)
            if (CPU_ISSET(cpu, &own)) CPU_SET(cpu, &one);
        if (sched_setaffinity(0, sizeof one, &one)) _exit(1);
        _exit(test_machine_pretended() || dun_processors_here().allowed == 1 ? 0 : 2);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
}

int main(void) {
    if (system(EMPTY_OWN_FOLDER(""))) return 1;
    return run_all_tests();
}
