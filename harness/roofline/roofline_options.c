/* SPDX-License-Identifier: MIT */
#include "harness/roofline/roofline_options.h"
#include "harness/command/commands.h"
#include "harness/command/kernel_names.h"

#include <string.h>

/* Every wanted kernel that runs here. The table of ceilings names the others. */
static void choose_kernels(roofline_options *roof) {
    roofline_plan *plan = &roof->plan;
    const char *wanted = strcmp(roof->kernel, "auto") == 0 ? kernel_automatic() : roof->kernel;
    for (int i = 0; i < dunlin_kernel_count() && plan->kernel_count < ROOFLINE_KERNELS_MOST; i++) {
        const dunlin_kernel_info kernel = dunlin_kernel_at(i);
        if (!kernel.runs_here || (strcmp(wanted, "all") != 0 && strcmp(wanted, kernel.name) != 0)) continue;
        plan->kernels[plan->kernel_count++] = kernel.name;
    }
}

bool roofline_options_read(roofline_options *roof, int argc, const char **argv, int *status) {
    *roof = (roofline_options){.plan = {.neighbours = 20.0, .flies = {[2] = true, [3] = true}}, .kernel = "all"};
    roofline_plan *plan = &roof->plan;
    const option_row rows[] = {
        ROW_DIMENSIONS(plan->flies),
        ROW_AGENTS(&plan->agents, "fly N agents; default: 1 million, with --quick 250 000"),
        ROW_NEIGHBOURS(&plan->neighbours),
        ROW_KERNEL(&roof->kernel, "measure this kernel, or all that run here; default: all"),
        ROW_THREADS(&plan->threads),
        ROW_REPEAT(&plan->repeats, "measure N times and take the median; default: 5, with --quick 3"),
        ROW_QUICK(&plan->quick, "take half a minute: fewer agents, steps and repeats"),
        ROW_JSON(&roof->json),
        ROW_CSV(&roof->csv),
        ROW_OUTPUT(&roof->output, "write a report with plots into this folder, which must be new or empty"),
        ROW_QUIET(&plan->quiet),
    };
    if (!options_read(&roof->read, argc, argv, rows, sizeof rows / sizeof *rows, NULL, status)) return false;
    if (plan->agents == 0) plan->agents = plan->quick ? 250000 : 1000000;
    if (plan->repeats == 0) plan->repeats = plan->quick ? 3 : 5;
    choose_kernels(roof);
    bool is_valid =
        options_check_outputs(roof->json, roof->csv) && (plan->kernel_count > 0 || kernel_reject(roof->kernel, "all, "));
    *status = is_valid ? EXIT_OK : EXIT_USAGE;
    return is_valid;
}
