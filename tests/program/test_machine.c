/* SPDX-License-Identifier: MIT */
/* What the program finds out about the machine, and says about it. */
#include "kernels/contract/kernel.h"
#include "tests/lib/files.h"
#include "tests/lib/pretend.h"
#include "tests/lib/program.h"

#include <dunlin/dunlin.h>

TEST(kernels_are_listed) {
    expect_success("kernels");
    const char *automatic = dun_kernels_at(dun_kernels_find("auto"))->name,
               *its = NULL; /* the line of the kernel that `auto` chooses */
    for (int k = 0; k < dunlin_kernel_count(); k++) {
        char name[64];
        snprintf(name, sizeof name, "\n%s ", dunlin_kernel_at(k).name);
        const char *line = strstr(out, name);
        assert_non_null(line);
        const char *end = strchr(line + 1, '\n'), *description = strstr(line, dunlin_kernel_at(k).description);
        assert_true(description && description < end);
        if (strcmp(dunlin_kernel_at(k).name, automatic) == 0) its = line;
    }
    const char *chosen = strstr(out, " auto ");
    assert_true(chosen && chosen > its && chosen < strchr(its + 1, '\n'));
    assert_null(strstr(chosen + 1, " auto "));
}

/* "2 (quota 1.5 of 64 processors)" */
static const char *threads_expected(const dun_processors *p, int threads) {
    static char text[96];
    int used = snprintf(text, sizeof text, "%d", threads);
    if (p->quota < p->allowed)
        used += snprintf(text + used, sizeof text - (size_t)used, " (quota %.4g of %u processors)", p->quota, p->allowed);
    else if (p->allowed < p->all)
        used += snprintf(text + used, sizeof text - (size_t)used, " (%u of %u processors)", p->allowed, p->all);
    snprintf(text + used, sizeof text - (size_t)used, "\n");
    return text;
}

static void expect_threads(const char *arguments, int threads) {
    const dun_processors p = dun_processors_here();
    const char *want = threads_expected(&p, threads);
    run_in("env -u OMP_NUM_THREADS OMP_PROC_BIND=false", arguments);
    assert_int_equal(status, 0);
    const char *line = strstr(out, "\n  threads      ");
    if (!line || strncmp(line + strlen("\n  threads      "), want, strlen(want)) != 0) fail_msg("not %s: %s", want, out);
}

/* In so few steps no trial of threads ends. */
TEST(a_run_uses_what_there_is) {
    expect_threads("run noc_5_09_flock --steps 2", (int)dun_processors_here().threads);
    expect_threads("run noc_5_09_flock --steps 2 --threads 1", 1);
}

TEST(a_bench_uses_what_there_is) {
    char words[64];
    const dun_processors p = dun_processors_here();
    run_in("env -u OMP_NUM_THREADS OMP_PROC_BIND=false", "bench frame --agents 500 --steps 1 --repeat 1 --kernel scalar");
    assert_int_equal(status, 0);
    snprintf(words, sizeof words, ", %u thread%s%s", p.threads, p.threads == 1 ? "" : "s",
             p.quota < p.allowed ? " (quota " : "");
    if (!strstr(out, words)) fail_msg("not '%s': %s", words, out);
    snprintf(words, sizeof words, ", %u thread%s; medians", p.threads, p.threads == 1 ? "" : "s");
    if (!strstr(out, words)) fail_msg("not '%s': %s", words, out);
}

/* Copies of a simulation that know nothing of each other write the same files. */
TEST(copies_by_a_launcher_are_warned) {
    if (test_machine_pretended()) skip(); /* nothing differs there */
    static const char *const others[] = {"PMI_SIZE=2", "OMPI_COMM_WORLD_SIZE=16", "SLURM_STEP_NUM_TASKS=3", "PMIX_RANK=1"},
                             *const alone[] = {"PMI_SIZE=1", "OMPI_COMM_WORLD_SIZE=", "SLURM_STEP_NUM_TASKS=two",
                                               "PMIX_RANK=0"};
    for (int i = 0; i < 4; i++) {
        char name[32] = "";
        memcpy(name, others[i], strcspn(others[i], "="));
        run_in(others[i], "run noc_5_09_flock --steps 1 --threads 1 --quiet");
        assert_int_equal(status, 0);
        if (!strstr(err, "dunlin: warning: ") || !strstr(err, name) || !strstr(err, "dunlin-mpi"))
            fail_msg("%s: %s", name, err);
        run_in(others[i], "run --help");
        assert_string_equal(err, "");
        run_in(alone[i], "run noc_5_09_flock --steps 1 --threads 1");
        assert_string_equal(err, "");
        assert_non_null(strstr(out, "\n  ranks        1 (without MPI)\n"));
    }
}
