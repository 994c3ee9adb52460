/* SPDX-License-Identifier: MIT */
/* dunlin_microbench measures the parts of a frame one by one. */
#include "harness/report/machine.h"
#include "harness/microbench/cycles.h"
#include "harness/microbench/microbench.h"

#include <stdio.h>
#include <string.h>

static const gbench_program program = {
    .name = "dunlin_microbench",
    .help = "Usage: dunlin_microbench [--benchmark_FLAG=VALUE ...]\n"
            "\n"
            "Measures the parts of a frame one by one. docs/benchmarking.md says how to read it.\n"
            "\n"
            "  kernel/KERNEL/2d|3d/RULES/neighbours:K            one stretch of agents interacts, in cache\n"
            "  respond/KERNEL/2d|3d/steer|direct                 sums become forces\n"
            "  integrate/KERNEL/2d|3d/EDGE                       forces become motion\n"
            "  bins/2d|3d/steady|random/agents:N/threads:T       the counting sort alone\n"
            "  frame/KERNEL/2d|3d/neighbours:K/agents:N          the whole step, one thread\n"
            "  survey/groups|density|correlation/2d|3d/agents:N/threads:T  one survey of a flock\n"
            "  shim/empty, shim/own_clock/KERNEL                 the overhead of measuring\n"
            "\n"
            "All rows together take many minutes; pick some by a regular expression:\n"
            "\n"
            "  dunlin_microbench --benchmark_filter='kernel/.*/2d/flock/neighbours:20$'\n"
            "  dunlin_microbench --benchmark_filter='frame/.*agents:100000$' --benchmark_repetitions=5\n"
            "  dunlin_microbench --benchmark_filter=-frame --benchmark_out=rows.json\n"
            "  dunlin_microbench --benchmark_list_tests\n"
            "\n"
            "Google Benchmark's flags:\n"
            "\n",
    .debug_note = "Google Benchmark is a debug build here. That does not matter: it only reads its clocks before and after a "
                  "measurement (see shim/).",
};

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

static bool add_kernels(void) {
    char run[128], skipped[128];
    list_kernels(true, run, sizeof run);
    list_kernels(false, skipped, sizeof skipped);
    return gbench_add_context("kernels", run) && gbench_add_context("kernels_skipped", skipped);
}

static bool add_cycle_counter(void) {
    char text[160] = "counts";
    if (!cycles_open()) snprintf(text, sizeof text, "none, so no cycles_per_vector_iteration: %s", cycles_absence());
    return gbench_add_context("cycle_counter", text);
}

static bool add_machine(void) {
    machine host = machine_describe();
    return gbench_add_context("cpu", host.cpu) && gbench_add_context("os", host.os) &&
           gbench_add_context("compiler", host.compiler) && gbench_add_context("flags", host.flags) &&
           gbench_add_context("commit", host.commit) && gbench_add_context("pinning", host.pinning);
}

int main(int argc, char **argv) {
    bool registered = add_machine() && add_kernels() && add_cycle_counter() && register_kernel_rows() &&
                      register_respond_rows() && register_integrate_rows() && register_bins_rows() && register_frame_rows() &&
                      register_survey_rows() && register_shim_rows();
    if (registered) {
        int status = gbench_run(argc, argv, &program);
        cycles_close();
        return status;
    }
    fprintf(stderr, "%s: out of memory\n", program.name);
    return 1;
}
