/* SPDX-License-Identifier: MIT */
#include "harness/report/claim.h"
#include "harness/report/machine.h"
#include "harness/command/commands.h"
#include "harness/command/help.h"
#include "harness/command/interrupt.h"
#include "harness/command/ranks.h"
#include "harness/report/message.h"

#include <dunlin/dunlin.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct command {
    const char *name;
    help_subject help;
    int (*call)(int argc, const char **argv);
    bool pins_threads;                                   /* it measures, so threads must not move */
    enum { ON_ALL_RANKS, ON_RANK_0, ON_ONE_RANK } where; /* ON_ONE_RANK: only if there is no other */
} command;

static const command commands[] = {
    {"run",
     {"dunlin run", "run a scenario, and report, save or draw the agents",
      "dunlin run default --picture flock.png\n"
      "dunlin run predators --set species.hawks.max_speed=0.9 --metrics metrics.csv\n"
      "dunlin run noc_5_09_flock --steps 100 --final half.csv --hash\n"
      "dunlin run noc_5_09_flock --steps 100 --init half.csv\n"
      "dunlin run predators --film film.mp4\n"
      "dunlin run starlings --trajectory run.h5 --every 10 --checkpoint run.ckpt"},
     command_run,
     false,
     ON_ALL_RANKS},
    {"resume",
     {"dunlin resume", "continue with a run from its checkpoint",
      "dunlin resume run.ckpt\n"
      "dunlin resume run.ckpt --threads 8 --steps 20000"},
     command_resume,
     false,
     ON_ALL_RANKS},
    {"sweep",
     {"dunlin sweep", "run a study: a scenario with many settings and seeds, and plot what comes out",
      "dunlin sweep vicsek_transition --quick\n"
      "dunlin sweep study.yaml --jobs 2"},
     command_sweep,
     false,
     ON_ONE_RANK},
    {"check",
     {"dunlin check", "find all mistakes in scenario files, and what nothing uses",
      "dunlin check flock.yaml\n"
      "dunlin check - <flock.yaml"},
     command_check,
     false,
     ON_RANK_0},
    {"show",
     {"dunlin show", "print a scenario with every default written out",
      "dunlin show starlings\n"
      "dunlin show predators --set species.hawks.max_speed=0.9 >faster.yaml"},
     command_show,
     false,
     ON_RANK_0},
    {"export",
     {"dunlin export", "make files for other programs from a trajectory", "dunlin export run.h5 --to vtkhdf"},
     command_export,
     false,
     ON_RANK_0},
    {"plot",
     {"dunlin plot", "draw metrics against time",
      "dunlin plot metrics.csv\n"
      "dunlin plot metrics.csv --columns polarization,mean_speed --output flock.png"},
     command_plot,
     false,
     ON_RANK_0},
    {"scenarios", {"dunlin scenarios", "list the shipped scenarios", NULL}, command_scenarios, false, ON_RANK_0},
    {"schema",
     {"dunlin schema", "print the JSON Schema of scenario files, for editors", "dunlin schema >dunlin.schema.json"},
     command_schema,
     false,
     ON_RANK_0},
    {"kernels",
     {"dunlin kernels", "list the kernels and say which run on this machine", NULL},
     command_kernels,
     false,
     ON_RANK_0},
    {"bench",
     {"dunlin bench", "measure the speed of frames and behaviours on this machine",
      "dunlin bench frame --kernel all\n"
      "dunlin bench targets"},
     command_bench,
     true,
     ON_ONE_RANK},
    {"scale",
     {"dunlin scale", "measure how speed scales on this machine, and write a report with plots",
      "dunlin scale --output scaling"},
     command_scale,
     true,
     ON_ALL_RANKS},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* Of the page that is also that of dunlin-mpi. */
static const char manual_sections[] =
    ".SH \"ON A CLUSTER\"\n\\fBdunlin\\-mpi\\fR has the same commands and options. The mpirun of its MPI starts it; then all "
    "processes\n"
    "run one flock, and its state has the same bits:\n.PP\n.EX\nmpirun \\-n 4 dunlin\\-mpi run million \\-\\-threads 2\n.EE\n"
    ".SH FILES\n.TP\n\\fI../share/dunlin/scenarios\\fR\nthe shipped scenarios, from the program's folder\n"
    ".TP\n\\fI/usr/share/doc/dunlin/docs\\fR\nthe guides, if Debian's package dunlin\\-doc is installed";

static void list_parts(help_entry parts[COMMANDS + 1]) {
    for (int i = 0; i < COMMANDS; i++) parts[i] = (help_entry){commands[i].name, commands[i].help.summary};
    parts[COMMANDS] = (help_entry){"help", "explain a command: dunlin help run"};
}

static int print_help(void) {
    static const help_subject program = {"dunlin", "run flocks of millions",
                                         "dunlin run default --picture flock.png\n"
                                         "dunlin help run"};
    static const option_row rows[] = {ROW("version", OPTION_FLAG, NULL, NULL, "show the version")};
    help_entry parts[COMMANDS + 1];
    list_parts(parts);
    help_describe(&program);
    help_add_sections(manual_sections);
    help_print(program.title, "COMMAND", "Commands", parts, COMMANDS + 1, rows, 1);
    return EXIT_OK;
}

/* NULL: the command is missing. */
static int fail_usage(const char *word) {
    help_entry parts[COMMANDS + 1];
    list_parts(parts);
    help_reject("command", word, parts, COMMANDS + 1, "--version");
    return EXIT_USAGE;
}

static bool is_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* Others wait for rank 0, and would spoil what it measures. */
static int call(const command *c, int argc, char **argv) {
    const command_ranks *ranks = ranks_here();
    const char **arguments = (const char **)argv + 1;
    const bool wants_help = is_help(argv[argc - 1]);
    if (ranks->ranks > 1 && c->where == ON_ONE_RANK && !wants_help) {
        message_print("%s runs on one rank, and here are %u; use dunlin %s", c->name, ranks->ranks, c->name);
        return EXIT_USAGE;
    }
    if (ranks->rank > 0 && c->where != ON_ALL_RANKS) return EXIT_OK;
    if (c->pins_threads && !ranks->launched && !wants_help) pin_threads(argv);
    if (!wants_help && !launcher_check(ranks)) return EXIT_USAGE;
    arguments[0] = c->help.title;
    help_describe(&c->help);
    return c->call(argc - 1, arguments);
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) return fail_usage(NULL);
    static char help[] = "--help";
    /* dunlin help COMMAND is dunlin COMMAND --help; man and rows are for the build, which makes pages and completions of it. */
    static const char *const forms[] = {"help", "man", "rows"};
    int form = HELP_TEXT;
    while (form <= HELP_ROWS && strcmp(argv[1], forms[form]) != 0) form++;
    if (form <= HELP_ROWS) {
        help_set_form((help_form)form);
        memmove(&argv[1], &argv[2], (size_t)(argc - 2) * sizeof *argv);
        argv[argc - 1] = help;
    }
    if (is_help(argv[1]) || strcmp(argv[1], "help") == 0) return print_help();
    if (strcmp(argv[1], "--version") == 0) {
        const char *mpi = ranks_here()->mpi;
        printf("%s %s%s%s%s\n", ranks_program_name(), dunlin_version(), *mpi ? " (" : "", mpi, *mpi ? ")" : "");
        return EXIT_OK;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0) return call(&commands[i], argc, argv);
    return fail_usage(argv[1]);
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

/* Output that a full disk has lost is not a success. A reader that has closed its pipe, as head does, ends the program without
 * a word. */
static int flush_output(int status) {
    if ((fflush(stdout) == 0 && !ferror(stdout)) || status != EXIT_OK) return status;
    if (interrupt_lost_reader()) return EXIT_SIGNAL + SIGPIPE;
    fputs("dunlin: cannot write to standard output\n", stderr);
    return EXIT_RUNTIME;
}

int main(int argc, char **argv) {
    if (!open_standard_streams()) return EXIT_RUNTIME;
    interrupt_fail_writes();
    launcher_note();
    ranks_begin(&argc, &argv);
    const int status = dispatch(argc, argv);
    claims_release();
    return ranks_end(flush_output(status));
}
