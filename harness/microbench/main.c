/* SPDX-License-Identifier: MIT */
/* dunlin_microbench measures kernels one by one. `dunlin bench` measures whole frames and their stages. */
#include "harness/report/machine.h"
#include "harness/microbench/microbench.h"

#include <stdio.h>
#include <string.h>

static const char help[] = "Usage: dunlin_microbench [--benchmark_FLAG=VALUE ...]\n"
                           "\n"
                           "Measures kernels one by one, in cache. docs/benchmarking.md says how to read it.\n"
                           "\n"
                           "  kernel/KERNEL/2d|3d/RULES/neighbours:K            one stretch of agents interacts, in cache\n"
                           "  respond/KERNEL/2d|3d/steer|direct                 sums become forces\n"
                           "  integrate/KERNEL/2d|3d/EDGE                       forces become motion\n"
                           "  shim/empty, shim/own_clock/KERNEL                 the overhead of measuring\n"
                           "\n"
                           "All rows together take many minutes; pick some by a regular expression:\n"
                           "\n"
                           "  dunlin_microbench --benchmark_filter='kernel/.*/2d/flock/neighbours:20$'\n"
                           "  dunlin_microbench --benchmark_filter=-kernel --benchmark_out=rows.json\n"
                           "  dunlin_microbench --benchmark_list_tests\n"
                           "\n"
                           "Google Benchmark's flags:\n"
                           "\n";

/* ---- the context of all rows ------------------------------------------------------------------------------------------ */

static void list_kernels(bool that_run, char *text, size_t size) {
    *text = '\0';
    for (int i = 0; i < dun_kernels_count(); i++) {
        if (dun_kernels_runs_here(i) != that_run) continue;
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", dun_kernels_at(i)->name);
    }
    if (*text == '\0') snprintf(text, size, "none");
}

static void add_kernels(void) {
    char run[128], skipped[128];
    list_kernels(true, run, sizeof run);
    list_kernels(false, skipped, sizeof skipped);
    gbench_add_context("kernels", run);
    gbench_add_context("kernels_skipped", skipped);
}

static void add_machine(void) {
    machine host = machine_describe();
    const char *const texts[][2] = {{"cpu", host.cpu},     {"os", host.os},         {"compiler", host.compiler},
                                    {"flags", host.flags}, {"commit", host.commit}, {"pinning", host.pinning}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) gbench_add_context(texts[i][0], texts[i][1]);
}

int main(int argc, char **argv) {
    static void (*const families[])(void) = {register_kernel_rows, register_respond_rows, register_integrate_rows,
                                             register_shim_rows};
    add_machine();
    add_kernels();
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) families[i]();
    return gbench_run(argc, argv, help);
}
