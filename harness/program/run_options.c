/* SPDX-License-Identifier: MIT */
#include "harness/program/run_options.h"
#include "harness/command/commands.h"
#include "harness/report/numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    OPTION_AGENTS = OPTION_HELP + 1,
    OPTION_STEPS,
    OPTION_THREADS,
    OPTION_KERNEL,
    OPTION_INDEX,
    OPTION_SEED,
    OPTION_INIT,
    OPTION_RESEED,
    OPTION_FINAL,
    OPTION_METRICS,
    OPTION_PICTURE,
    OPTION_PICTURE_SIZE,
    OPTION_COLOUR,
    OPTION_ALLOW_OUTSIDE,
    OPTION_HASH,
    OPTION_QUIET
};

static const struct poptOption options_table[] = {
    TEXT_OPTION("agents", OPTION_AGENTS, "fly N agents in all, shared out among the species as the scenario does", "N"),
    TEXT_OPTION("steps", OPTION_STEPS, "take N steps", "N"),
    TEXT_OPTION("threads", OPTION_THREADS, "use N threads; 0, the default: one a processor", "N"),
    TEXT_OPTION("kernel", OPTION_KERNEL, "use this kernel; dunlin kernels lists them; default: auto", "NAME"),
    TEXT_OPTION("index", OPTION_INDEX, "find neighbours by grid, tree or brute; default: auto", "NAME"),
    TEXT_OPTION("seed", OPTION_SEED, "draw random numbers from this seed", "N"),
    TEXT_OPTION("init", OPTION_INIT, "start from the agents of a state file instead of the scenario's", "STATE.csv"),
    FLAG_OPTION("reseed", OPTION_RESEED, "go on from a state that was flown with another seed"),
    TEXT_OPTION("final", OPTION_FINAL, "write the agents after the last step", "STATE.csv"),
    TEXT_OPTION("metrics", OPTION_METRICS, "write the metrics of every step", "FILE.csv"),
    TEXT_OPTION("picture", OPTION_PICTURE, "draw the agents after the last step", "FILE.png"),
    TEXT_OPTION("picture-size", OPTION_PICTURE_SIZE, "pixels, up to 4096x4096, or of the longer side alone; default: 1600",
                "WxH"),
    TEXT_OPTION("colour", OPTION_COLOUR, "colour the picture by this attribute; default: by where agents fly", "ATTRIBUTE"),
    FLAG_OPTION("allow-outside", OPTION_ALLOW_OUTSIDE, "let the scenario name files outside its own folder"),
    FLAG_OPTION("hash", OPTION_HASH, "print the hash of the last state"),
    FLAG_OPTION("quiet", OPTION_QUIET, "print nothing but errors and what was asked for"),
    COMMAND_LINE_HELP,
    POPT_TABLEEND};

/* ---- values ----------------------------------------------------------------------------------------------------------- */

/* "1600" or "1920x1080" */
static bool read_picture_size(const command_line *line, picture_size *size) {
    const char *text = line->text[OPTION_PICTURE_SIZE];
    if (!text) return true;
    uint64_t width = 0, height = 0;
    const char *x = strchr(text, 'x');
    char first[8] = "";
    if (x && (size_t)(x - text) < sizeof first) memcpy(first, text, (size_t)(x - text));
    bool valid = !x ? number_parse(text, 1, PICTURE_MAX_SIDE, &width)
                    : number_parse(first, 1, PICTURE_MAX_SIDE, &width) && number_parse(x + 1, 1, PICTURE_MAX_SIDE, &height);
    if (!valid) return command_line_reject("picture-size", text, "WxH or one number, each 1 .. 4096");
    *size = (picture_size){.width = (int)width, .height = (int)height};
    return true;
}

static bool read_numbers(run_options *options) {
    const command_line *line = &options->line;
    uint64_t agents = 0, threads = 0;
    /* Ids are 32 bits wide, and the largest is taken. */
    bool valid = command_line_number(line, OPTION_AGENTS, "agents", 0, UINT32_MAX, &agents) &&
                 command_line_number(line, OPTION_STEPS, "steps", 0, SCENARIO_MAX_STEPS, &options->steps_value) &&
                 command_line_number(line, OPTION_THREADS, "threads", 0, 1024, &threads) &&
                 command_line_number(line, OPTION_SEED, "seed", 0, UINT64_MAX, &options->seed_value) &&
                 read_picture_size(line, &options->picture_look.size);
    options->agents_value = (uint32_t)agents;
    options->build.threads = (int)threads;
    if (line->given[OPTION_AGENTS]) options->build.agents = &options->agents_value;
    if (line->given[OPTION_STEPS]) options->steps = &options->steps_value;
    if (line->given[OPTION_SEED]) options->build.seed = &options->seed_value;
    return valid;
}

static bool read_values(run_options *options) {
    const command_line *line = &options->line;
    options->scenario = line->argument;
    options->build.kernel = line->text[OPTION_KERNEL];
    options->build.index = line->text[OPTION_INDEX];
    options->build.init = line->text[OPTION_INIT];
    options->build.reseed = line->given[OPTION_RESEED];
    options->final = line->text[OPTION_FINAL];
    options->metrics = line->text[OPTION_METRICS];
    options->picture = line->text[OPTION_PICTURE];
    options->picture_look.colour = line->text[OPTION_COLOUR];
    options->build.allow_outside = line->given[OPTION_ALLOW_OUTSIDE];
    options->build.shown = options->picture_look.colour;
    options->hash = line->given[OPTION_HASH];
    options->quiet = line->given[OPTION_QUIET];
    if (options->build.init && line->given[OPTION_AGENTS]) {
        fputs("dunlin: --agents and --init cannot go together: the state file says how many agents there are\n", stderr);
        return false;
    }
    if (!options->build.init && options->build.reseed) {
        fputs("dunlin: --reseed needs --init: it is about the seed of a state file\n", stderr);
        return false;
    }
    return read_numbers(options);
}

bool run_options_read(run_options *options, int argc, const char **argv, int *status) {
    *options = (run_options){.build = scenario_options_default(), .picture_look = {.size = {.width = 1600}}};
    if (!command_line_read(&options->line, argc, argv, options_table, "SCENARIO", status)) return false;
    bool valid = read_values(options);
    *status = valid ? EXIT_OK : EXIT_USAGE;
    return valid;
}

void run_options_free(run_options *options) {
    command_line_free(&options->line);
}
