/* SPDX-License-Identifier: MIT */
/* Tables of text: columns line up on the terminal, and the same table goes into a Markdown report. */
#ifndef DUNLIN_HARNESS_ROOFLINE_CELLS_H
#define DUNLIN_HARNESS_ROOFLINE_CELLS_H

#include <stdbool.h>
#include <stdio.h>

enum { CELLS_COLUMNS = 20, CELLS_ROWS = 96, CELL = 64 };

typedef struct cells {
    int columns, rows;
    bool is_text[CELLS_COLUMNS]; /* left-aligned */
    char head[CELLS_COLUMNS][CELL];
    char at[CELLS_ROWS][CELLS_COLUMNS][CELL]; /* ASCII: a byte is a column */
} cells;

/* Adds a column at the right. Heads come before rows. */
void cells_head(cells *table, const char *head, bool is_text);

/* Begins a row, whose cells are empty. */
void cells_row(cells *table);

/* Fills the next cell of the last row; what is too much is left out. */
__attribute__((format(printf, 2, 3))) void cells_put(cells *table, const char *format, ...);

/* Three digits that count: "0.123", "4.56", "78.9", "1234"; "-" for 0. */
void cells_put_number(cells *table, double value);

void cells_print(FILE *file, const cells *table);
void cells_print_markdown(FILE *file, const cells *table);

#endif
