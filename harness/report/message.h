/* SPDX-License-Identifier: MIT */
/*
 * Messages and errors. They quote names which others chose: paths, words of the command line, contents of files.
 * engine/base/control.h says what is shown as \x1b.
 */
#ifndef DUNLIN_HARNESS_MESSAGE_H
#define DUNLIN_HARNESS_MESSAGE_H

#include <dunlin/dunlin.h>

#include <stdio.h>

/* Prints one line on standard error, after "dunlin: ". */
__attribute__((format(printf, 1, 2))) void message_print(const char *format, ...);

/* Prints the same without "dunlin: " and without an end of line. */
__attribute__((format(printf, 2, 3))) void message_write(FILE *file, const char *format, ...);

/* Fills in the error, unless it is NULL, and returns the code. */
__attribute__((format(printf, 3, 4))) dunlin_result bench_fail(dunlin_error *error, dunlin_result code, const char *format,
                                                               ...);

/* The first failure of several that do not depend on each other: of what failed so far, `first` with its error, and of one
 * more. A further failure is printed. */
dunlin_result first_failure(dunlin_result first, dunlin_error *error, dunlin_result next, const dunlin_error *own);

/* How many columns a line on this stream may have: those of $COLUMNS if it is set, those of the terminal, otherwise unlimited.
 */
enum { TERMINAL_UNLIMITED = 1000000 };
int terminal_width(FILE *file);

#endif
