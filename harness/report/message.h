/* SPDX-License-Identifier: MIT */
/*
 * Messages that quote names which others chose: paths, words of the command line, contents of files. Control characters in
 * them, which a terminal would obey, are shown as \x1b.
 */
#ifndef DUNLIN_HARNESS_MESSAGE_H
#define DUNLIN_HARNESS_MESSAGE_H

#include <stdio.h>

/* Prints one line on standard error, after "dunlin: ". */
__attribute__((format(printf, 1, 2))) void message_print(const char *format, ...);

/* Prints the same without "dunlin: " and without an end of line. */
__attribute__((format(printf, 2, 3))) void message_write(FILE *file, const char *format, ...);

#endif
