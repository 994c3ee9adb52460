/* SPDX-License-Identifier: MIT */
#include "harness/bench/bench.h"
#include "harness/command/commands.h"
#include "harness/report/message.h"

#include <stdio.h>
#include <string.h>

typedef struct bench_kind {
    const char *name;
    const char *title; /* what its help and its messages call it */
    const char *summary;
    int (*call)(int argc, const char **argv);
} bench_kind;

static const bench_kind kinds[] = {
    {"frame", "dunlin bench frame", "whole frames of kernels and baselines", bench_frame},
    {"behaviours", "dunlin bench behaviours", "what behaviours and ways of seeing cost", bench_behaviours},
    {"targets", "dunlin bench targets", "what Dunlin promises beside what it reaches here", bench_targets},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int print_help(void) {
    puts("Usage: dunlin bench WHAT [OPTION...]\n"
         "\n"
         "Measures on this machine:");
    for (int i = 0; i < KINDS; i++) printf("  %-12s %s\n", kinds[i].name, kinds[i].summary);
    puts("\n"
         "Options:\n"
         "  --help       show this help; dunlin bench WHAT --help shows its options\n"
         "\n"
         "Threads are bound to cores unless OMP_PLACES or OMP_PROC_BIND is set.");
    return EXIT_OK;
}

static int fail_usage(const char *word) {
    fputs("dunlin: ", stderr);
    message_write(stderr, "unknown bench %s; allowed: ", word);
    for (int i = 0; i < KINDS; i++) fprintf(stderr, "%s, ", kinds[i].name);
    fputs("--help\n", stderr);
    return EXIT_USAGE;
}

int command_bench(int argc, const char **argv) {
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return print_help();
    for (int i = 0; i < KINDS; i++) {
        if (strcmp(argv[1], kinds[i].name) != 0) continue;
        argv[1] = kinds[i].title;
        return kinds[i].call(argc - 1, argv + 1);
    }
    return fail_usage(argv[1]);
}
