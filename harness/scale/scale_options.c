/* SPDX-License-Identifier: MIT */
#include "harness/command/commands.h"
#include "harness/command/kernel_names.h"
#include "harness/scale/scale.h"

/* Returns the first sweep of those that there are. */
static int begin_with_defaults(scale_options *scale, bool of_ranks, const char *names[SWEEPS]) {
    *scale = (scale_options){.dimensions = {[2] = true, [3] = true}, .kernel = "auto"};
    for (int i = 0; i < SWEEPS; i++) {
        names[i] = sweeps[i].name;
        scale->sweeps[i] = i != SWEEP_RANKS_SPLIT && of_ranks == (i >= SWEEP_RANKS_STRONG);
    }
    return of_ranks ? SWEEP_RANKS_STRONG : 0;
}

bool scale_options_read(scale_options *scale, bool of_ranks, int argc, const char **argv, int *status) {
    const char *names[SWEEPS];
    const int first = begin_with_defaults(scale, of_ranks, names);
    const option_row rows[] = {
        ROW_NAMES("sweep", scale->sweeps + first, names + first, of_ranks ? SWEEPS - first : SWEEP_RANKS_STRONG,
                  of_ranks ? "these, with commas between: strong, weak, split (ranks or threads on the same cores); default: "
                             "strong,weak"
                           : "only these, with commas between: strong, weak, density, kernels, distribution, size"),
        ROW_AGENTS(&scale->agents,
                   of_ranks
                       ? "simulate N agents in all sweeps but weak; default: 10 million in strong, 1 million in split"
                       : "simulate N agents in all sweeps but weak and size; default: 10 million in strong, else 1 million"),
        ROW_NUMBER(of_ranks ? "agents-per-rank" : "agents-per-thread", OPTION_UINT32, &scale->agents_per_worker, 1,
                   SCALE_MAX_AGENTS,
                   of_ranks ? "simulate N agents per rank in weak; default: 1 million"
                            : "simulate N agents per thread in weak; default: 500 000"),
        ROW_NUMBER("threads", OPTION_INT, &scale->threads, 0, 1024,
                   of_ranks
                       ? "use N threads per rank; default: 0, as many as share the cores of a machine evenly among its ranks"
                       : "use N threads; default: 0, one per processor that is allowed"),
        ROW_KERNEL(&scale->kernel,
                   of_ranks ? "use this kernel (dunlin kernels lists them); default: auto"
                            : "use this kernel in all sweeps but kernels (dunlin kernels lists them); default: auto"),
        ROW_DIMENSIONS(scale->dimensions),
        ROW_STEPS(&scale->steps, "time N steps per repeat; default: by the work"),
        ROW_REPEAT(&scale->repeats, "measure N times and take the median; default: 5, and more where they are short"),
        ROW_OUTPUT(&scale->output, "leave the report, plots and CSV files here; default: scale-DATE-TIME"),
        ROW_JSON(&scale->json),
        ROW_CSV(&scale->csv),
        ROW("no-plots", OPTION_FLAG, &scale->no_plots, NULL, "draw no plots"),
        ROW_QUICK(&scale->quick, "small flocks and few steps: a look in under two minutes, no figures to quote"),
        ROW_QUIET(&scale->quiet),
        ROW_NUMBER("max-agents", OPTION_UINT32, &scale->max_agents, 1, SCALE_MAX_AGENTS, /* not of ranks */
                   "end size with N agents; default: as many as memory holds"),
    };
    const int count = (int)(sizeof rows / sizeof *rows) - of_ranks;
    if (!options_read(&scale->read, argc, argv, rows, count, NULL, status)) return false;
    *status = kernel_check(scale->kernel, "") ? EXIT_OK : EXIT_USAGE;
    return *status == EXIT_OK;
}
