/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_COMMANDS_H
#define DUNLIN_HARNESS_COMMANDS_H

#include <dunlin/dunlin.h>

/* Exit statuses of the program. A run that a signal ended exits with 128 + the signal's number, as shells do. */
enum { EXIT_OK = 0, EXIT_RUNTIME = 1, EXIT_USAGE = 2, EXIT_SIGNAL = 128 };

/*
 * The exit status of a command that came to this result. Says on standard error what went wrong, or, where a signal ended it
 * and `stopped` is not NULL, those words.
 */
int command_end(dunlin_result result, const dunlin_error *error, const char *stopped);

/* Each command takes its own arguments, argv[0] being what to call it in messages, and returns an exit status. */
int command_run(int argc, const char **argv);
int command_scenarios(int argc, const char **argv);
int command_kernels(int argc, const char **argv);
int command_bench(int argc, const char **argv);
int command_scale(int argc, const char **argv);
int command_roofline(int argc, const char **argv);
int command_validate(int argc, const char **argv);

#endif
