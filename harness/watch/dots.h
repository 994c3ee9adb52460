/* SPDX-License-Identifier: MIT */
/*
 * Pictures as text. A character is a cell of dots, two across and four down, which Unicode has as Braille patterns. Denser
 * parts of the picture have more dots, and a character has the mean colour of what its dots show.
 */
#ifndef DUNLIN_HARNESS_DOTS_H
#define DUNLIN_HARNESS_DOTS_H

#include <stdbool.h>
#include <stdint.h>
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

enum { DOTS_ACROSS = 2, DOTS_DOWN = 4 };

/* Writes row `row` of `columns` characters, without an end of line. `pixels`: [..][columns * DOTS_ACROSS] of 0x..RRGGBB on
 * paper of that colour. */
void dots_write_row(FILE *file, const dots_style *style, const uint32_t *pixels, uint32_t paper, int columns, int row);

#endif
