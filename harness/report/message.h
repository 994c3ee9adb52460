/* SPDX-License-Identifier: MIT */
/*
 * What the program says on a terminal about names that others chose: paths, words of the command line, what stands in a file.
 * Control characters in them, with which a terminal can be made to do things, are shown as \x1b.
 */
#ifndef DUNLIN_HARNESS_MESSAGE_H
#define DUNLIN_HARNESS_MESSAGE_H

#include <stdio.h>

/* One line on standard error, with "dunlin: " before it. */
__attribute__((format(printf, 1, 2))) void message_print(const char *format, ...);

/* The same words without "dunlin: " or an end of line. */
__attribute__((format(printf, 2, 3))) void message_write(FILE *file, const char *format, ...);

#endif
