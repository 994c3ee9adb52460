/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_COMMANDS_H
#define DUNLIN_HARNESS_COMMANDS_H

#include <dunlin/dunlin.h>

/* Exit statuses of the program. A run that a signal ended exits with 128 + the number of the signal, as in shells. */
enum { EXIT_OK = 0, EXIT_RUNTIME = 1, EXIT_USAGE = 2, EXIT_SIGNAL = 128 };

/*
 * The exit status of a command with this result. Prints on standard error what went wrong, or `stopped`, unless that is NULL,
 * if a signal ended the command.
 */
int command_end(dunlin_result result, const dunlin_error *error, const char *stopped);

/* Each command takes its own arguments and returns an exit status. argv[0] is what messages call it. */
int command_run(int argc, const char **argv);
int command_resume(int argc, const char **argv);
int command_check(int argc, const char **argv);
int command_plot(int argc, const char **argv);
int command_show(int argc, const char **argv);
int command_export(int argc, const char **argv);
int command_scenarios(int argc, const char **argv);
int command_schema(int argc, const char **argv);
int command_kernels(int argc, const char **argv);
int command_bench(int argc, const char **argv);
int command_scale(int argc, const char **argv);
int command_sweep(int argc, const char **argv);

#endif
