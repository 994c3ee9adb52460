/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_TERMINAL_H
#define DUNLIN_HARNESS_TERMINAL_H

#include <stdio.h>

/* How many columns a line on this stream may have: those of $COLUMNS if it is set, those of the terminal, otherwise unlimited.
 */
enum { TERMINAL_UNLIMITED = 1000000 };
int terminal_width(FILE *file);

#endif
