/* SPDX-License-Identifier: MIT */
#include "harness/roofline/cells.h"

#include <stdarg.h>
#include <string.h>

void cells_head(cells *table, const char *head, bool is_text) {
    if (table->columns == CELLS_COLUMNS) return;
    table->is_text[table->columns] = is_text;
    snprintf(table->head[table->columns++], CELL, "%s", head);
}

void cells_row(cells *table) {
    if (table->rows < CELLS_ROWS) table->rows++;
}

/* Cells are filled in order, and none is filled with nothing. */
void cells_put(cells *table, const char *format, ...) {
    int column = 0;
    if (table->rows == 0) return;
    while (column < table->columns && table->at[table->rows - 1][column][0] != '\0') column++;
    if (column == table->columns) return;
    va_list values;
    va_start(values, format);
    vsnprintf(table->at[table->rows - 1][column], CELL, format, values);
    va_end(values);
}

void cells_put_number(cells *table, double value) {
    const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : value >= 0.9995 ? 2 : 3;
    if (value == 0.0)
        cells_put(table, "-");
    else
        cells_put(table, "%.*f", decimals, value);
}

static int width_of(const cells *table, int column) {
    size_t width = strlen(table->head[column]);
    for (int row = 0; row < table->rows; row++) {
        const size_t length = strlen(table->at[row][column]);
        if (length > width) width = length;
    }
    return (int)width;
}

static void print_line(FILE *file, const cells *table, const char line[CELLS_COLUMNS][CELL]) {
    char text[CELLS_COLUMNS * (CELL + 2) + 1] = "";
    int length = 0;
    for (int column = 0; column < table->columns; column++) {
        const int width = width_of(table, column);
        length +=
            sprintf(text + length, "%s%*s", column > 0 ? "  " : "", table->is_text[column] ? -width : width, line[column]);
    }
    while (length > 0 && text[length - 1] == ' ') text[--length] = '\0';
    fprintf(file, "%s\n", text);
}

void cells_print(FILE *file, const cells *table) {
    print_line(file, table, table->head);
    for (int row = 0; row < table->rows; row++) print_line(file, table, table->at[row]);
}

static void print_markdown_line(FILE *file, const cells *table, const char line[CELLS_COLUMNS][CELL]) {
    for (int column = 0; column < table->columns; column++) fprintf(file, "| %s ", line[column]);
    fputs("|\n", file);
}

void cells_print_markdown(FILE *file, const cells *table) {
    print_markdown_line(file, table, table->head);
    for (int column = 0; column < table->columns; column++) fputs(table->is_text[column] ? "|---" : "|---:", file);
    fputs("|\n", file);
    for (int row = 0; row < table->rows; row++) print_markdown_line(file, table, table->at[row]);
}
