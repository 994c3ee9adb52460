/* SPDX-License-Identifier: MIT */
#include "harness/bench/bench.h"
#include "harness/command/commands.h"
#include "harness/command/help.h"

#include <stdio.h>
#include <string.h>

typedef struct bench_kind {
    const char *name;
    help_subject help;
    int (*call)(int argc, const char **argv);
} bench_kind;

static const bench_kind kinds[] = {
    {"frame",
     {"dunlin bench frame", "whole frames of kernels and baselines", "dunlin bench frame --kernel all --json frame.json"},
     bench_frame},
    {"behaviours", {"dunlin bench behaviours", "what behaviours and ways of seeing cost", NULL}, bench_behaviours},
    {"targets", {"dunlin bench targets", "what Dunlin promises beside what it reaches here", NULL}, bench_targets},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void list_parts(help_entry parts[KINDS]) {
    for (int i = 0; i < KINDS; i++) parts[i] = (help_entry){kinds[i].name, kinds[i].help.summary};
}

static int print_help(const char *title) {
    help_entry parts[KINDS];
    list_parts(parts);
    help_print(title, "WHAT", "Measures on this machine", parts, KINDS, NULL, 0);
    return EXIT_OK;
}

static int fail_usage(const char *word) {
    help_entry parts[KINDS];
    list_parts(parts);
    help_reject("measure", word, parts, KINDS, "--help");
    return EXIT_USAGE;
}

int command_bench(int argc, const char **argv) {
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return print_help(argv[0]);
    for (int i = 0; i < KINDS; i++) {
        if (strcmp(argv[1], kinds[i].name) != 0) continue;
        argv[1] = kinds[i].help.title;
        help_describe(&kinds[i].help);
        return kinds[i].call(argc - 1, argv + 1);
    }
    return fail_usage(argv[1]);
}
