/* SPDX-License-Identifier: MIT */
/* What --help prints of a command, its manual page, and what shells complete: all are made from the rows of its options. */
#ifndef DUNLIN_HARNESS_HELP_H
#define DUNLIN_HARNESS_HELP_H

#include "harness/command/options.h"

/* What rows do not say of a command. */
typedef struct help_subject {
    const char *title;    /* "dunlin run" */
    const char *summary;  /* a phrase */
    const char *examples; /* command lines with an end of line between them, or NULL */
} help_subject;

/* A part of the program with a help of its own. */
typedef struct help_entry {
    const char *name, *summary;
} help_entry;

/* Sets what is called from now on: its help has the summary and the examples. */
void help_describe(const help_subject *subject);

/* More sections for the manual page, in its language. */
void help_add_sections(const char *text);

/* What help_print() prints. */
typedef enum help_form {
    HELP_TEXT,
    HELP_MANUAL, /* the source of a manual page */
    HELP_ROWS, /* for command/make_completions.sh: "part", "argument", "option" or "list", the name, words, and help, with tabs
                  between */
} help_form;
void help_set_form(help_form form);

/* Prints the help of a command with these options. Where it has parts, its `argument` is the name of one of them; `heading` is
 * NULL where it has none. The argument may be NULL. */
void help_print(const char *title, const char *argument, const char *heading, const help_entry *parts, int part_count,
                const option_row *rows, int count);

/* Says that a part, or such an option, is missing, or is none that there is: then with what it may have meant. */
void help_reject(const char *kind, const char *word, const help_entry *parts, int part_count, const char *option);

#endif
