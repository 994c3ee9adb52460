/* SPDX-License-Identifier: MIT */
#include "harness/scale/scale_options.h"
#include "harness/command/commands.h"
#include "harness/command/kernel_names.h"

#include <stdio.h>
#include <string.h>

enum {
    OPTION_SWEEP = OPTION_HELP + 1,
    OPTION_DIMENSIONS,
    OPTION_AGENTS,
    OPTION_AGENTS_PER_THREAD,
    OPTION_MAX_AGENTS,
    OPTION_THREADS,
    OPTION_KERNEL,
    OPTION_STEPS,
    OPTION_REPEAT,
    OPTION_OUTPUT,
    OPTION_RESULTS,
    OPTION_NO_PLOTS,
    OPTION_QUICK
};

static const struct poptOption options_table[] = {
    TEXT_OPTION("sweep", OPTION_SWEEP, "only these, commas between: strong, weak, density, kernels, distribution, size",
                "NAMES"),
    TEXT_OPTION("dimensions", OPTION_DIMENSIONS, "2, 3 or both, the default", "D"),
    TEXT_OPTION("agents", OPTION_AGENTS,
                "fly N agents in all sweeps but weak and size; default: 10 million in strong, else 1 million", "N"),
    TEXT_OPTION("agents-per-thread", OPTION_AGENTS_PER_THREAD, "fly N agents a thread in weak; default: 500 000", "N"),
    TEXT_OPTION("max-agents", OPTION_MAX_AGENTS, "end size with N agents; default: what memory takes", "N"),
    TEXT_OPTION("threads", OPTION_THREADS, "use up to N threads; default: one a processor", "N"),
    TEXT_OPTION("kernel", OPTION_KERNEL, "use this kernel in all sweeps but kernels; dunlin kernels lists them; default: auto",
                "NAME"),
    TEXT_OPTION("steps", OPTION_STEPS, "time N steps a repeat; default: by the work", "N"),
    TEXT_OPTION("repeat", OPTION_REPEAT, "do it N times and take the median; default: 5, and more where they are short", "N"),
    TEXT_OPTION("output", OPTION_OUTPUT, "leave report, plots and CSV here; default: scale-DATE-TIME", "FOLDER"),
    TEXT_OPTION("results", OPTION_RESULTS, "append all rows to this machine's CSV as well", "FILE.csv"),
    FLAG_OPTION("no-plots", OPTION_NO_PLOTS, "do without plots"),
    FLAG_OPTION("quick", OPTION_QUICK, "everything small: a look in under two minutes, no figures to quote"),
    COMMAND_LINE_HELP,
    POPT_TABLEEND};

static bool read_numbers(scale_options *options) {
    const command_line *line = &options->line;
    uint64_t agents = 0, per_thread = 0, most = 0, threads = 0, steps = 0, repeats = 0;
    bool valid = command_line_number(line, OPTION_AGENTS, "agents", 1, SCALE_MAX_AGENTS, &agents) &&
                 command_line_number(line, OPTION_AGENTS_PER_THREAD, "agents-per-thread", 1, SCALE_MAX_AGENTS, &per_thread) &&
                 command_line_number(line, OPTION_MAX_AGENTS, "max-agents", 1, SCALE_MAX_AGENTS, &most) &&
                 command_line_number(line, OPTION_THREADS, "threads", 1, 1024, &threads) &&
                 command_line_number(line, OPTION_STEPS, "steps", 1, 1000000, &steps) &&
                 command_line_number(line, OPTION_REPEAT, "repeat", 1, 1000, &repeats);
    options->agents = (uint32_t)agents;
    options->agents_per_thread = (uint32_t)per_thread;
    options->max_agents = (uint32_t)most;
    options->threads = (int)threads;
    options->steps = (int)steps;
    options->repeats = (int)repeats;
    return valid;
}

static bool read_sweeps(scale_options *options) {
    const char *text = options->line.text[OPTION_SWEEP];
    for (int i = 0; i < SWEEPS; i++) options->sweeps[i] = !text;
    while (text) {
        sweep_kind sweep;
        size_t length = strcspn(text, ",");
        if (!sweep_find(text, length, &sweep)) {
            return command_line_reject("sweep", options->line.text[OPTION_SWEEP],
                                       "strong, weak, density, kernels, distribution, size, commas between");
        }
        options->sweeps[sweep] = true;
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    return true;
}

static bool read_dimensions(scale_options *options) {
    const char *text = options->line.text[OPTION_DIMENSIONS];
    bool both = !text || strcmp(text, "both") == 0;
    options->dimensions[2] = both || strcmp(text, "2") == 0;
    options->dimensions[3] = both || strcmp(text, "3") == 0;
    return options->dimensions[2] || options->dimensions[3] || command_line_reject("dimensions", text, "2, 3, both");
}

static bool is_kernel(const char *name) {
    for (int i = 0; i < dunlin_kernel_count(); i++) {
        if (dunlin_kernel_at(i).runs_here && strcmp(name, dunlin_kernel_at(i).name) == 0) return true;
    }
    return strcmp(name, "auto") == 0;
}

/* The baselines follow the library's kernels here. */
static bool read_kernel(scale_options *options) {
    const char *text = options->line.text[OPTION_KERNEL];
    options->kernel = !text ? "auto" : text;
    if (is_kernel(options->kernel)) return true;
    char names[KERNEL_NAMES], allowed[KERNEL_NAMES + 16];
    kernel_list(names, true);
    snprintf(allowed, sizeof allowed, "auto, %s", names);
    return command_line_reject("kernel", text, allowed);
}

bool scale_options_read(scale_options *options, int argc, const char **argv, int *status) {
    *options = (scale_options){0};
    if (!command_line_read(&options->line, argc, argv, options_table, NULL, status)) return false;
    bool valid = read_sweeps(options) && read_dimensions(options) && read_numbers(options) && read_kernel(options);
    options->output = options->line.text[OPTION_OUTPUT];
    options->results = options->line.text[OPTION_RESULTS];
    options->plots = !options->line.given[OPTION_NO_PLOTS];
    options->quick = options->line.given[OPTION_QUICK];
    *status = valid ? EXIT_OK : EXIT_USAGE;
    return valid;
}

void scale_options_free(scale_options *options) {
    command_line_free(&options->line);
}
