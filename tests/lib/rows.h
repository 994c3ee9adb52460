/* SPDX-License-Identifier: MIT */
/* Tables that the program writes: lines of fields with commas between them, below the columns' names. None has quotes. */
#ifndef DUNLIN_TESTS_ROWS_H
#define DUNLIN_TESTS_ROWS_H

/* How many rows are below the names; -1: there is no such file. */
int count_table_rows(const char *path);

/* The field of a row, from 0 on, or of the last one for -1; NULL: there is no such column. It lasts for seven more calls. */
const char *field_in_row(const char *path, int row, const char *column);

/* The same as a number. Fails the test if there is none. */
double number_in_row(const char *path, int row, const char *column);

#endif
