/* SPDX-License-Identifier: MIT */
/* What all commands have in common in reading their arguments with popt. */
#ifndef DUNLIN_HARNESS_COMMAND_LINE_H
#define DUNLIN_HARNESS_COMMAND_LINE_H

#include <popt.h>

#include <stdbool.h>
#include <stdint.h>

enum { COMMAND_LINE_OPTIONS = 32 }; /* one more than the largest `val` of an option */

typedef struct command_line {
    bool given[COMMAND_LINE_OPTIONS];
    char *text[COMMAND_LINE_OPTIONS]; /* the value as written, by the option's `val`; NULL without one */
    char *argument;                   /* the one argument that is no option, or NULL */
} command_line;

/* The option that every command has. */
enum { OPTION_HELP = 1 };
#define COMMAND_LINE_HELP                                                                                                      \
    { "help", 'h', POPT_ARG_NONE, NULL, OPTION_HELP, "show this help", NULL }

/* Entries of a popt table: an option with a value, and one without. */
#define TEXT_OPTION(name, option, help, value)                                                                                 \
    { name, '\0', POPT_ARG_STRING, NULL, option, help, value }
#define FLAG_OPTION(name, option, help)                                                                                        \
    { name, '\0', POPT_ARG_NONE, NULL, option, help, NULL }

/*
 * Reads argv by the popt table `options`, whose entries have a `val` >= 1 and no `arg`. Of an option given twice the last value
 * counts. `argument` names the one argument that the command takes, or is NULL. Returns false when there is nothing left to do:
 * help was shown, or a mistake was reported on stderr; *status is then the exit status. Always free the result.
 */
bool command_line_read(command_line *line, int argc, const char **argv, const struct poptOption *options, const char *argument,
                       int *status);

void command_line_free(command_line *line);

/* Says that the value of --`option` is not allowed, and what is. Returns false. */
bool command_line_reject(const char *option, const char *text, const char *allowed);

/* Reads the whole number low .. high of --`name` if it was given; otherwise leaves *value alone. False after a mistake, which
 * is then reported. */
bool command_line_number(const command_line *line, int option, const char *name, uint64_t low, uint64_t high, uint64_t *value);

/* The same for decimal numbers, such as 0.5. */
bool command_line_decimal(const command_line *line, int option, const char *name, double low, double high, double *value);

#endif
