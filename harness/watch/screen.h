/* SPDX-License-Identifier: MIT */
/*
 * The terminal, for something that is drawn over all of it. However the program ends or is stopped, short of kill -9, the
 * terminal is as it was before.
 */
#ifndef DUNLIN_HARNESS_SCREEN_H
#define DUNLIN_HARNESS_SCREEN_H

#include <dunlin/dunlin.h>

#include <stdio.h>

typedef enum dots_colours {
    DOTS_PLAIN,
    DOTS_256, /* the palette of xterm */
    DOTS_TRUE,
} dots_colours;

typedef struct dots_style {
    dots_colours colours;
    bool is_ascii; /* the terminal shows no Unicode: more dots are a darker letter */
} dots_style;

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

/*
 * Pictures as text. A character is a cell of dots, two across and four down, which Unicode has as Braille patterns. Denser
 * parts of the picture have more dots, and a character has the mean colour of what its dots show.
 */
enum { DOTS_ACROSS = 2, DOTS_DOWN = 4 };

/* Writes row `row` of `columns` characters, without an end of line. `pixels`: [..][columns * DOTS_ACROSS] of 0x..RRGGBB on
 * paper of that colour. */
void dots_write_row(FILE *file, const dots_style *style, const uint32_t *pixels, uint32_t paper, int columns, int row);

#endif
