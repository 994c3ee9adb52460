/* SPDX-License-Identifier: MIT */
/* A table that is written twice: for the terminal, and as Markdown. */
#ifndef DUNLIN_HARNESS_SCALE_TABLE_H
#define DUNLIN_HARNESS_SCALE_TABLE_H

#include "harness/scale/sweep.h"

#include <stdio.h>

enum { TABLE_COLUMNS = 9, TABLE_CELL = 48 };

typedef struct text_table {
    int columns, rows;
    const char *heads[TABLE_COLUMNS];
    char cells[SWEEP_ROWS][TABLE_COLUMNS][TABLE_CELL]; /* ASCII, so that a byte is a column */
} text_table;

/* The sweep's rows. */
void table_fill(text_table *table, sweep_kind sweep, const sweep_rows *rows);

void table_print(FILE *file, const text_table *table);
void table_write_markdown(FILE *file, const text_table *table);

#endif
