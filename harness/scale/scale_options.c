/* SPDX-License-Identifier: MIT */
#include "harness/command/commands.h"
#include "harness/command/kernel_names.h"
#include "harness/scale/scale.h"

bool scale_options_read(scale_options *scale, int argc, const char **argv, int *status) {
    *scale = (scale_options){.dimensions = {[2] = true, [3] = true}, .kernel = "auto"};
    const char *names[SWEEPS];
    for (int i = 0; i < SWEEPS; i++) {
        names[i] = sweeps[i].name;
        scale->sweeps[i] = true;
    }
    const option_row rows[] = {
        ROW_NAMES("sweep", scale->sweeps, names, SWEEPS,
                  "only these, with commas between: strong, weak, density, kernels, distribution, size"),
        ROW_DIMENSIONS(scale->dimensions),
        ROW_AGENTS(&scale->agents,
                   "fly N agents in all sweeps but weak and size; default: 10 million in strong, else 1 million"),
        ROW_NUMBER("agents-per-thread", OPTION_UINT32, &scale->agents_per_thread, 1, SCALE_MAX_AGENTS,
                   "fly N agents per thread in weak; default: 500 000"),
        ROW_NUMBER("max-agents", OPTION_UINT32, &scale->max_agents, 1, SCALE_MAX_AGENTS,
                   "end size with N agents; default: as many as memory holds"),
        ROW_THREADS(&scale->threads),
        ROW_KERNEL(&scale->kernel, "use this kernel in all sweeps but kernels (dunlin kernels lists them); default: auto"),
        ROW_STEPS(&scale->steps, "time N steps per repeat; default: by the work"),
        ROW_REPEAT(&scale->repeats, "measure N times and take the median; default: 5, and more where they are short"),
        ROW_OUTPUT(&scale->output, "leave the report, plots and CSV files here; default: scale-DATE-TIME"),
        ROW_JSON(&scale->json),
        ROW_CSV(&scale->csv),
        ROW("no-plots", OPTION_FLAG, &scale->no_plots, NULL, "draw no plots"),
        ROW_QUICK(&scale->quick, "small flocks and few steps: a look in under two minutes, no figures to quote"),
        ROW_QUIET(&scale->quiet),
    };
    if (!options_read(&scale->read, argc, argv, rows, sizeof rows / sizeof *rows, NULL, status)) return false;
    bool is_valid = kernel_check(scale->kernel, "") && options_check_outputs(scale->json, scale->csv);
    *status = is_valid ? EXIT_OK : EXIT_USAGE;
    return is_valid;
}
