/* SPDX-License-Identifier: MIT */
#include "harness/report/table.h"
#include "harness/report/numbers.h"
#include "harness/report/message.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- filling ---------------------------------------------------------------------------------------------------------- */

void table_free(table *t) {
    free(t->row);
    *t = (table){0};
}

void table_begin_row(table *t) {
    table_row *rows = realloc(t->row, ((size_t)t->count + 1) * sizeof *rows);
    t->column = rows ? 0 : TABLE_COLUMNS;
    if (!rows) return;
    t->row = rows;
    t->row[t->count++] = (table_row){0};
}

__attribute__((format(printf, 4, 0))) static void put(table *t, const char *head, bool is_text, const char *format,
                                                      va_list values) {
    if (t->column == TABLE_COLUMNS) return;
    vsnprintf(t->row[t->count - 1].cell[t->column], TABLE_CELL, format, values);
    if (t->column == t->columns) {
        t->head[t->columns] = head;
        t->is_text[t->columns++] = is_text;
    }
    t->column++;
}

void table_text(table *t, const char *head, const char *format, ...) {
    va_list values;
    va_start(values, format);
    put(t, head, true, format, values);
    va_end(values);
}

void table_cell(table *t, const char *head, const char *format, ...) {
    va_list values;
    va_start(values, format);
    put(t, head, false, format, values);
    va_end(values);
}

static int decimals_of(double value) {
    return value >= 99.95 ? 0 : value >= 9.995 ? 1 : value >= 0.9995 ? 2 : 3;
}

void table_number(table *t, const char *head, double value) {
    if (isnan(value))
        table_cell(t, head, "-");
    else
        table_cell(t, head, "%.*f", decimals_of(value), value);
}

void table_count(table *t, const char *head, uint64_t value) {
    char text[NUMBER_LENGTH];
    number_group(value, text);
    table_cell(t, head, "%s", text);
}

void table_percent(table *t, const char *head, double share, int decimals) {
    if (isnan(share))
        table_cell(t, head, "-");
    else
        table_cell(t, head, "%.*f %%", decimals, 100.0 * share);
}

void table_range(table *t, const char *head, double low, double high) {
    table_cell(t, head, "%.*f .. %.*f", decimals_of(low), low, decimals_of(high), high);
}

/* ---- on a terminal ---------------------------------------------------------------------------------------------------- */

enum { GAP = 2, HEAD_LINES = 2 }; /* GAP: spaces between columns */

/* How columns are laid out, and which are printed together: [0, keys) and [begin, end). */
typedef struct table_layout {
    int width[TABLE_COLUMNS];
    table_row head[HEAD_LINES];
    int keys, begin, end;
} table_layout;

/* Characters, of which UTF-8's later bytes begin none. */
static int text_width(const char *text) {
    int width = 0;
    for (; *text != '\0'; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* Puts as many words of the head as fit into its first line, the others into its second one. false: the column is too narrow.
 */
static bool wrap_head(const char *head, int width, char first[TABLE_CELL], char second[TABLE_CELL]) {
    snprintf(first, TABLE_CELL, "%s", head);
    for (char *space; text_width(first) > width && (space = strrchr(first, ' '));) *space = '\0';
    const char *rest = head + strlen(first);
    snprintf(second, TABLE_CELL, "%s", rest + strspn(rest, " "));
    return text_width(first) <= width && text_width(second) <= width;
}

static void lay_out_column(table_layout *layout, const table *t, int column, bool wraps) {
    int width = wraps ? 1 : text_width(t->head[column]);
    for (int i = 0; i < t->count; i++) {
        int cell = text_width(t->row[i].cell[column]);
        if (cell > width) width = cell;
    }
    while (!wrap_head(t->head[column], width, layout->head[0].cell[column], layout->head[1].cell[column])) width++;
    layout->width[column] = width;
}

/* Of the columns [begin, end), with a gap after each. */
static int sum_of_widths(const table_layout *layout, int begin, int end) {
    int sum = 0;
    for (int column = begin; column < end; column++) sum += layout->width[column] + GAP;
    return sum;
}

/* Texts at the left say what a row is about. If all of them take too much room, the first one does. */
static int count_keys(const table *t, const table_layout *layout, int width) {
    int keys = 0;
    while (keys < t->columns && t->is_text[keys]) keys++;
    return keys > 0 && keys < t->columns && sum_of_widths(layout, 0, keys) <= width / 2 ? keys : 1;
}

/* Heads are wrapped only if the table is too wide without. */
static table_layout lay_out(const table *t, int width) {
    table_layout layout = {.keys = 1};
    for (int wraps = 0; wraps < 2; wraps++) {
        for (int column = 0; column < t->columns; column++) lay_out_column(&layout, t, column, wraps == 1);
        if (sum_of_widths(&layout, 0, t->columns) <= width + GAP) return layout;
    }
    layout.keys = count_keys(t, &layout, width);
    return layout;
}

static bool is_in(const table_layout *layout, int column) {
    return column < layout->keys || column >= layout->begin;
}

/* Spaces are printed only before a text, so that no line ends in one. */
static void print_row(FILE *file, const table *t, const table_layout *layout, const table_row *row) {
    int spaces = 0;
    for (int column = 0; column < layout->end; column++) {
        if (!is_in(layout, column)) continue;
        const char *text = row->cell[column];
        const int room = layout->width[column] - text_width(text);
        if (!t->is_text[column]) spaces += room;
        if (*text != '\0') {
            fprintf(file, "%*s%s", spaces, "", text);
            spaces = 0;
        }
        spaces += GAP + (t->is_text[column] ? room : 0);
    }
    fputc('\n', file);
}

static bool is_empty(const table_layout *layout, const table_row *row) {
    for (int column = 0; column < layout->end; column++)
        if (is_in(layout, column) && *row->cell[column] != '\0') return false;
    return true;
}

static void print_columns(FILE *file, const table *t, const table_layout *layout) {
    for (int line = 0; line < HEAD_LINES; line++)
        if (!is_empty(layout, &layout->head[line])) print_row(file, t, layout, &layout->head[line]);
    for (int i = 0; i < t->count; i++) print_row(file, t, layout, &t->row[i]);
}

void table_print(FILE *file, const table *t) {
    int width = terminal_width(file);
    table_layout layout = lay_out(t, width);
    while (layout.end < t->columns) {
        int used = layout.end > 0 ? sum_of_widths(&layout, 0, layout.keys) : 0;
        layout.begin = layout.end++;
        while (layout.end < t->columns && used + sum_of_widths(&layout, layout.begin, layout.end + 1) <= width + GAP)
            layout.end++;
        if (layout.begin > 0) fputc('\n', file);
        print_columns(file, t, &layout);
    }
}

/* ---- Markdown --------------------------------------------------------------------------------------------------------- */

void table_print_markdown(FILE *file, const table *t) {
    for (int column = 0; column < t->columns; column++) fprintf(file, "| %s ", t->head[column]);
    fputs("|\n", file);
    for (int column = 0; column < t->columns; column++) fputs(t->is_text[column] ? "|:---" : "|---:", file);
    fputs("|\n", file);
    for (int i = 0; i < t->count; i++) {
        for (int column = 0; column < t->columns; column++) fprintf(file, "| %s ", t->row[i].cell[column]);
        fputs("|\n", file);
    }
}
