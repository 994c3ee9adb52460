/* SPDX-License-Identifier: MIT */
#include "harness/report/machine.h"
#include "harness/command/commands.h"
#include "harness/command/help.h"
#include "harness/command/interrupt.h"
#include "harness/command/ranks.h"
#include "harness/report/message.h"

#include <dunlin/dunlin.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct command {
    const char *name;
    help_subject help;
    int (*call)(int argc, const char **argv);
    bool pins_threads; /* it measures, so threads must not move */
} command;

static const command commands[] = {
    {"run",
     {"dunlin run", "fly a scenario, and report, save or draw the agents",
      "dunlin run default --picture flock.png\n"
      "dunlin run predators --set species.hawks.max_speed=0.9 --metrics metrics.csv\n"
      "dunlin run noc_5_09_flock --steps 100 --final half.csv --hash\n"
      "dunlin run noc_5_09_flock --steps 100 --init half.csv\n"
      "dunlin run predators --film flight.mp4\n"
      "dunlin run starlings --trajectory flight.h5 --every 10 --checkpoint flight.ckpt"},
     command_run,
     false},
    {"resume",
     {"dunlin resume", "go on with a run from its checkpoint",
      "dunlin resume flight.ckpt\n"
      "dunlin resume flight.ckpt --threads 8 --steps 20000"},
     command_resume,
     false},
    {"sweep",
     {"dunlin sweep", "fly a study: a scenario with many settings and seeds, and plot what comes out",
      "dunlin sweep vicsek_transition --quick\n"
      "dunlin sweep study.yaml --jobs 2"},
     command_sweep,
     false},
    {"check",
     {"dunlin check", "find all mistakes in scenario files, and what nothing uses",
      "dunlin check flock.yaml\n"
      "dunlin check - <flock.yaml"},
     command_check,
     false},
    {"show",
     {"dunlin show", "print a scenario with every default written out",
      "dunlin show starlings\n"
      "dunlin show predators --set species.hawks.max_speed=0.9 >faster.yaml"},
     command_show,
     false},
    {"export",
     {"dunlin export", "make files for other programs from a trajectory", "dunlin export flight.h5 --to vtkhdf"},
     command_export,
     false},
    {"plot",
     {"dunlin plot", "draw metrics against time",
      "dunlin plot metrics.csv\n"
      "dunlin plot metrics.csv --columns polarization,mean_speed --output flock.png"},
     command_plot,
     false},
    {"scenarios", {"dunlin scenarios", "list the shipped scenarios", NULL}, command_scenarios, false},
    {"schema",
     {"dunlin schema", "print the JSON Schema of scenario files, for editors", "dunlin schema >dunlin.schema.json"},
     command_schema,
     false},
    {"kernels", {"dunlin kernels", "list the kernels and say which run on this machine", NULL}, command_kernels, false},
    {"bench",
     {"dunlin bench", "measure the speed of frames and behaviours on this machine",
      "dunlin bench frame --kernel all\n"
      "dunlin bench targets"},
     command_bench,
     true},
    {"scale",
     {"dunlin scale", "measure how speed scales on this machine, and write a report with plots",
      "dunlin scale --output scaling"},
     command_scale,
     true},
    {"roofline",
     {"dunlin roofline", "measure this machine's limits, and how close kernels come to them",
      "dunlin roofline --output roofline"},
     command_roofline,
     true},
    {"validate",
     {"dunlin validate", "compare models of flocks with their published figures", "dunlin validate --quick"},
     command_validate,
     false},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int print_help(void) {
    static const help_subject program = {"dunlin", "fly flocks of millions",
                                         "dunlin run default --picture flock.png\n"
                                         "dunlin help run"};
    static const option_row rows[] = {ROW("version", OPTION_FLAG, NULL, NULL, "show the version")};
    help_entry parts[COMMANDS + 1];
    for (int i = 0; i < COMMANDS; i++) parts[i] = (help_entry){commands[i].name, commands[i].help.summary};
    parts[COMMANDS] = (help_entry){"help", "explain a command: dunlin help run"};
    help_describe(&program);
    help_print_parts(program.title, "COMMAND", "Commands", parts, COMMANDS + 1, rows, 1);
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
    const bool is_manual = strcmp(argv[1], "man") == 0;
    /* dunlin help COMMAND is dunlin COMMAND --help; dunlin man COMMAND is for the build, which makes manual pages of it. */
    if (strcmp(argv[1], "help") == 0 || is_manual) {
        memmove(&argv[1], &argv[2], (size_t)(argc - 2) * sizeof *argv);
        argv[argc - 1] = help;
    }
    if (is_manual) help_print_manuals();
    if (is_help(argv[1]) || strcmp(argv[1], "help") == 0) return print_help();
    if (strcmp(argv[1], "--version") == 0) {
        printf("dunlin %s\n", dunlin_version());
        return EXIT_OK;
    }
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) != 0) continue;
        if (commands[i].pins_threads && !ranks_here()->launched && !is_help(argv[argc - 1])) pin_threads(argv);
        const char **arguments = (const char **)argv + 1;
        arguments[0] = commands[i].help.title;
        help_describe(&commands[i].help);
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
    ranks_begin(&argc, &argv);
    int status = dispatch(argc, argv);
    /* Output that a full disk or a closed pipe has lost is not a success. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_OK) {
        fputs("dunlin: cannot write to standard output\n", stderr);
        status = EXIT_RUNTIME;
    }
    return ranks_end(status);
}
