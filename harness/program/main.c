/* SPDX-License-Identifier: MIT */
#include "harness/report/machine.h"
#include "harness/command/commands.h"
#include "harness/command/interrupt.h"
#include "harness/report/message.h"

#include <dunlin/dunlin.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct command {
    const char *name;
    const char *title; /* what its help and its messages call it */
    const char *summary;
    int (*call)(int argc, const char **argv);
    bool pins_threads; /* it measures, so threads must not move */
} command;

static const command commands[] = {
    {"run", "dunlin run", "fly a scenario, and report, save or draw the agents", command_run, false},
    {"check", "dunlin check", "find all mistakes in scenario files, and what nothing uses", command_check, false},
    {"show", "dunlin show", "print a scenario with every default written out", command_show, false},
    {"export", "dunlin export", "make files for other programs from a trajectory", command_export, false},
    {"scenarios", "dunlin scenarios", "list the shipped scenarios", command_scenarios, false},
    {"schema", "dunlin schema", "print the JSON Schema of scenario files, for editors", command_schema, false},
    {"kernels", "dunlin kernels", "list the kernels and say which run on this machine", command_kernels, false},
    {"bench", "dunlin bench", "measure the speed of frames and behaviours on this machine", command_bench, true},
    {"scale", "dunlin scale", "measure how speed scales on this machine, and write a report with plots", command_scale, true},
    {"roofline", "dunlin roofline", "measure this machine's limits, and how close kernels come to them", command_roofline,
     true},
    {"validate", "dunlin validate", "compare models of flocks with their published figures", command_validate, false},
    {"sweep", "dunlin sweep", "fly a study: a scenario with many settings and seeds, and plot what comes out", command_sweep,
     false},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int print_help(void) {
    puts("Usage: dunlin COMMAND [OPTION...]\n"
         "\n"
         "Dunlin flies flocks of millions.\n"
         "\n"
         "Commands:");
    for (int i = 0; i < COMMANDS; i++) printf("  %-12s %s\n", commands[i].name, commands[i].summary);
    puts("  help         explain a command: dunlin help run\n"
         "\n"
         "Options:\n"
         "  --help       show this help\n"
         "  --version    show the version\n"
         "\n"
         "To begin with: dunlin run default --picture flock.png");
    return EXIT_OK;
}

static int fail_usage(const char *problem, const char *word) {
    fputs("dunlin: ", stderr);
    message_write(stderr, "%s%s", problem, word);
    fputs("; allowed: ", stderr);
    for (int i = 0; i < COMMANDS; i++) fprintf(stderr, "%s, ", commands[i].name);
    fputs("help, --version\n", stderr);
    return EXIT_USAGE;
}

static bool is_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) return fail_usage("a command is missing", "");
    static char help[] = "--help";
    /* dunlin help COMMAND is dunlin COMMAND --help */
    if (strcmp(argv[1], "help") == 0) {
        memmove(&argv[1], &argv[2], (size_t)(argc - 2) * sizeof *argv);
        argv[argc - 1] = help;
    }
    if (is_help(argv[1]) || strcmp(argv[1], "help") == 0) return print_help();
    if (strcmp(argv[1], "--version") == 0) {
        printf("dunlin %s\n", dunlin_version());
        return EXIT_OK;
    }
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) != 0) continue;
        if (commands[i].pins_threads) pin_threads(argv);
        if (argc == 3 && is_help(argv[2])) printf("%s: %s\n\n", commands[i].title, commands[i].summary);
        const char **arguments = (const char **)argv + 1;
        arguments[0] = commands[i].title;
        return commands[i].call(argc - 1, arguments);
    }
    return fail_usage("unknown command ", argv[1]);
}

/*
 * A descriptor that is closed at the start (2>&-) would be given to the first file that is opened, and progress would be
 * written into that file. Messages to a closed standard error are lost. Writing to a closed standard output must still fail, so
 * a folder takes its place.
 */
static bool open_standard_streams(void) {
    static const char *const paths[] = {[STDIN_FILENO] = "/dev/null", [STDOUT_FILENO] = "/", [STDERR_FILENO] = "/dev/null"};
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
        bool is_closed = fcntl(i, F_GETFD) < 0 && errno == EBADF;
        if (is_closed && open(paths[i], i == STDERR_FILENO ? O_WRONLY : O_RDONLY) != i) return false;
    }
    return true;
}

int main(int argc, char **argv) {
    if (!open_standard_streams()) return EXIT_RUNTIME;
    interrupt_fail_writes();
    int status = dispatch(argc, argv);
    /* Output that a full disk or a closed pipe has lost is not a success. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_OK) {
        fputs("dunlin: cannot write to standard output\n", stderr);
        return EXIT_RUNTIME;
    }
    return status;
}
