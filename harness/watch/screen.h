/* SPDX-License-Identifier: MIT */
/*
 * The terminal, for something that is drawn over all of it. However the program ends or is stopped, short of kill -9, the
 * terminal is as it was before.
 */
#ifndef DUNLIN_HARNESS_SCREEN_H
#define DUNLIN_HARNESS_SCREEN_H

#include "harness/watch/dots.h"

#include <dunlin/dunlin.h>

typedef struct screen_size {
    int columns, rows;
} screen_size;

/* An error if standard output is no terminal, or one that cannot move its cursor. */
dunlin_result screen_check(dunlin_error *error);

/* What the terminal shows, by COLORTERM, TERM, NO_COLOR and the locale. */
dots_style screen_style(void);

/* As large as the window is now. */
screen_size screen_size_now(void);

/* Turn to an empty screen without a cursor, and back. Going back twice does nothing. */
void screen_enter(void);
void screen_leave(void);

#endif
