/* SPDX-License-Identifier: MIT */
/*
 * The tables of all commands: filled cell by cell from left to right, then printed for a terminal or as Markdown.
 *
 * An empty table is {0}. Every cell names its column's head; the first row decides the columns. Cells that memory runs out for
 * stay empty.
 */
#ifndef DUNLIN_HARNESS_TABLE_H
#define DUNLIN_HARNESS_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { TABLE_COLUMNS = 20, TABLE_CELL = 96 };

typedef struct table_row {
    char cell[TABLE_COLUMNS][TABLE_CELL]; /* UTF-8 */
} table_row;

typedef struct table {
    int columns, count, column; /* column: of the next cell */
    const char *head[TABLE_COLUMNS];
    bool is_text[TABLE_COLUMNS]; /* aligned to the left */
    table_row *row;              /* [count] */
} table;

void table_free(table *t);

/* Begins a row. */
void table_begin_row(table *t);

/* The row's next cell, aligned to the left (text) or to the right (cell). */
__attribute__((format(printf, 3, 4))) void table_text(table *t, const char *head, const char *format, ...);
__attribute__((format(printf, 3, 4))) void table_cell(table *t, const char *head, const char *format, ...);

/* Numbers, aligned to the right: three significant digits ("0.123", "4.56", "78.9", "1234"; "-" for NAN), "1 234 567", and
 * a share as "12.3 %" ("-" for NAN). */
void table_number(table *t, const char *head, double value);
void table_count(table *t, const char *head, uint64_t value);
void table_percent(table *t, const char *head, double share, int decimals);

/* "1.23 .. 4.56" */
void table_range(table *t, const char *head, double low, double high);

/* Folds a table that is wider than the terminal: first its heads, then its columns, which follow below,
 * beside the texts at the left again. */
void table_print(FILE *file, const table *t);

void table_print_markdown(FILE *file, const table *t);

#endif
