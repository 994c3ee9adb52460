/* SPDX-License-Identifier: MIT */
#include "harness/bench/bench.h"
#include "harness/command/commands.h"
#include "harness/command/kernel_names.h"
#include "harness/measure/baseline.h"
#include "harness/report/message.h"

#include <stdio.h>
#include <string.h>

/* The baselines' grids need three cells on each axis. */
static const double min_grid_side = 3.01;

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

static bool is_baseline(const char *name) {
    return baseline_find(name) < BASELINES;
}

static bool add_kernel(kernel_list *list, const char *name, size_t length) {
    if (list->count == BENCH_KERNELS || length >= FRAME_BENCH_NAME) return false;
    snprintf(list->name[list->count++], FRAME_BENCH_NAME, "%.*s", (int)length, name);
    return true;
}

/* "scalar,avx2"; false: one is unknown. */
static bool split(kernel_list *list, const char *text) {
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (!add_kernel(list, at, length)) return false;
        const char *name = list->name[list->count - 1];
        if (dunlin_kernel_find(name) < 0 && !is_baseline(name)) return false;
        at += length;
        if (*at == '\0') return true;
    }
}

/* Why `all` leaves a baseline out, or NULL. */
static const char *reason_to_leave_out(baseline_kind kind, const bench_workload *workload) {
    if (bench_distribution_is_open(workload->distribution)) return "baselines do not support open worlds";
    if (bench_world_side(workload) < min_grid_side * (double)bench_radius)
        return "the world is too small for three cells on each axis";
    return baseline_runs_here(kind) ? NULL : "it does not run on this machine";
}

static void add_or_leave_out(kernel_list *list, const char *name, const char *reason) {
    if (reason)
        fprintf(stderr, "%s is left out: %s\n", name, reason);
    else
        add_kernel(list, name, strlen(name));
}

/* All are those that run here, slow before fast. */
kernel_list bench_options_list_kernels(const bench_options *bench) {
    kernel_list list = bench->kernels;
    if (list.count > 0) return list;
    for (int i = 0; i < BASELINES; i++) {
        const baseline_kind kind = (baseline_kind)i;
        add_or_leave_out(&list, baseline_name(kind), reason_to_leave_out(kind, &bench->workload));
    }
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        const dunlin_kernel_info kernel = dunlin_kernel_at(i);
        add_or_leave_out(&list, kernel.name, kernel.runs_here ? NULL : "it does not run on this machine");
    }
    return list;
}

dunlin_result bench_options_check_kernels(const bench_options *bench, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (int i = 0; i < bench->kernels.count && result == DUNLIN_OK; i++) {
        dunlin_world_def def = dunlin_world_def_default();
        def.kernel = bench->kernels.name[i];
        if (is_baseline(def.kernel)) continue;
        dunlin_world *world;
        result = dunlin_world_create(&def, &world, error);
        dunlin_world_destroy(world);
    }
    return result;
}

/* Baselines need a periodic world. */
static bool read_kernels(bench_options *bench) {
    kernel_list *list = &bench->kernels;
    if (bench->is_behaviours && !kernel_check(bench->kernel, "")) return false;
    if (strcmp(bench->kernel, "all") == 0) return true;
    if (!split(list, bench->kernel)) return kernel_reject(bench->kernel, "all, baseline-aos, baseline-simd, ");
    for (int i = 0; i < list->count; i++) {
        if (!is_baseline(list->name[i]) || !bench_distribution_is_open(bench->workload.distribution)) continue;
        message_print("--distribution %s cannot be measured with %s: baselines do not support open worlds", bench->distribution,
                      list->name[i]);
        return false;
    }
    return true;
}

/* ---- options ---------------------------------------------------------------------------------------------------------- */

static bool check_distribution(bench_options *bench) {
    return bench_distribution_find(bench->distribution, &bench->workload.distribution) ||
           option_reject("distribution", bench->distribution, "uniform, clumped, flocked, scattered, line");
}

/* Only the library knows its indexes. */
static bool check_index(const bench_options *bench) {
    dunlin_world_def def = dunlin_world_def_default();
    def.index = bench->index;
    dunlin_world *world;
    dunlin_error error;
    bool is_known = dunlin_world_create(&def, &world, &error) == DUNLIN_OK;
    dunlin_world_destroy(world);
    if (!is_known) message_print("--index: %s", error.message);
    return is_known;
}

bool bench_options_read(bench_options *bench, bool is_behaviours, int argc, const char **argv, int *status) {
    *bench = (bench_options){.is_behaviours = is_behaviours,
                             .dimensions = {[2] = true, [3] = true},
                             .workload = {.agents = 1000000, .neighbours = 20.0},
                             .steps = is_behaviours ? 2 : 10,
                             .repeats = is_behaviours ? 21 : 5,
                             .kernel = "auto",
                             .index = "auto",
                             .distribution = "uniform"};
    const option_row rows[] = {
        ROW_DIMENSIONS(bench->dimensions),
        ROW_AGENTS(&bench->workload.agents, "simulate N agents; default: 1 million"),
        ROW_NEIGHBOURS(&bench->workload.neighbours),
        ROW_THREADS(&bench->threads),
        ROW_KERNEL(&bench->kernel, is_behaviours ? "use this kernel (dunlin kernels lists them); default: auto"
                                                 : "measure these, with commas between: kernels (dunlin kernels lists them), "
                                                   "baseline-aos, baseline-simd; or all; default: auto"),
        ROW_INDEX(&bench->index),
        ROW_WORDS(
            "distribution", OPTION_TEXT, &bench->distribution, "NAME", "uniform clumped flocked scattered line",
            "uniform; clumped: in a hundredth of the world; flocked: uniform, after 500 steps; scattered: a hundred flocks in "
            "an open world; line: a long line in an open world; default: uniform"),
        ROW_STEPS(&bench->steps, is_behaviours ? "take N steps per turn, after 3 to warm up; default: 2"
                                               : "time N steps per repeat, after 3 to warm up; default: 10"),
        ROW_REPEAT(&bench->repeats, is_behaviours ? "give each flock, and the plain one beside it, N turns; default: 21"
                                                  : "measure N times and take the median; default: 5"),
        ROW_JSON(&bench->json),
        ROW_QUIET(&bench->quiet),
        ROW_CSV(&bench->csv), /* from here on not for behaviours, for which there is no column */
        ROW("bounds", OPTION_FLAG, &bench->bounds, NULL, "measure what limits the stages of each kernel, too"),
        ROW_OUTPUT(&bench->output, "--bounds, and leave a plot of them in this folder, which must be new or empty"),
    };
    int count = (int)(sizeof rows / sizeof *rows) - (is_behaviours ? 3 : 0);
    if (!options_read(&bench->read, argc, argv, rows, count, NULL, status)) return false;
    if (bench->output) bench->bounds = true;
    bool is_valid = check_distribution(bench) && check_index(bench) && read_kernels(bench);
    *status = is_valid ? EXIT_OK : EXIT_USAGE;
    return is_valid;
}
