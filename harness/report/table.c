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

enum { GAP = 2 }; /* spaces between columns */

/* Characters, of which UTF-8's later bytes begin none. */
static int width_of(const char *text, int bytes) {
    int width = 0;
    for (int i = 0; i < bytes; i++) width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

static int text_width(const char *text) {
    return width_of(text, (int)strlen(text));
}

/* Bytes of the head's next line: a word, and as many more as fit. */
static int line_length(const char *head, int width) {
    int length = (int)strcspn(head, " ");
    while (head[length] != '\0') {
        int longer = length + 1 + (int)strcspn(head + length + 1, " ");
        if (width_of(head, longer) > width) break;
        length = longer;
    }
    return length;
}

static const char *next_line(const char *head, int width) {
    head += line_length(head, width);
    return head + strspn(head, " ");
}

/* Whether two lines of this width hold the head. */
static bool holds_head(const char *head, int width) {
    const char *second = next_line(head, width);
    bool is_whole = *next_line(second, width) == '\0';
    return is_whole && width_of(head, line_length(head, width)) <= width && width_of(second, (int)strlen(second)) <= width;
}

static int column_width(const table *t, int column, bool wraps) {
    int width = wraps ? 1 : text_width(t->head[column]);
    for (int i = 0; i < t->count; i++) {
        int cell = text_width(t->row[i].cell[column]);
        if (cell > width) width = cell;
    }
    while (!holds_head(t->head[column], width)) width++;
    return width;
}

/* A line of columns, to which spaces are added only before something else. */
typedef struct table_line {
    FILE *file;
    int spaces;
} table_line;

static void add_cell(table_line *line, const char *text, int bytes, int width, bool is_text) {
    int room = width - width_of(text, bytes);
    line->spaces += GAP;
    if (bytes > 0) {
        fprintf(line->file, "%*s%.*s", line->spaces + (is_text ? 0 : room), "", bytes, text);
        line->spaces = 0;
    }
    if (is_text || bytes == 0) line->spaces += room;
}

/* How columns are laid out, and which are printed together: [0, keys) and [begin, end). */
typedef struct table_layout {
    int width[TABLE_COLUMNS];
    int keys, begin, end;
} table_layout;

static bool is_in(const table_layout *layout, int column) {
    return column < layout->keys || (column >= layout->begin && column < layout->end);
}

/* Prints the next line of all heads; false: all have been printed. */
static bool print_heads(FILE *file, const table *t, const table_layout *layout, const char *rest[TABLE_COLUMNS]) {
    table_line line = {.file = file, .spaces = -GAP};
    bool is_left = false;
    for (int column = 0; column < t->columns; column++) is_left |= is_in(layout, column) && *rest[column] != '\0';
    for (int column = 0; column < layout->end && is_left; column++) {
        if (!is_in(layout, column)) continue;
        int width = layout->width[column], length = line_length(rest[column], width);
        add_cell(&line, rest[column], length, width, t->is_text[column]);
        rest[column] = next_line(rest[column], width);
    }
    if (is_left) fputc('\n', file);
    return is_left;
}

static void print_columns(FILE *file, const table *t, const table_layout *layout) {
    const char *rest[TABLE_COLUMNS];
    memcpy(rest, t->head, sizeof rest);
    while (print_heads(file, t, layout, rest)) continue;
    for (int i = 0; i < t->count; i++) {
        table_line line = {.file = file, .spaces = -GAP};
        for (int column = 0; column < layout->end; column++) {
            const char *text = t->row[i].cell[column];
            if (is_in(layout, column)) add_cell(&line, text, (int)strlen(text), layout->width[column], t->is_text[column]);
        }
        fputc('\n', file);
    }
}

/* Of the columns [begin, end), with a gap before each. */
static int sum_of_widths(const table_layout *layout, int begin, int end) {
    int sum = 0;
    for (int column = begin; column < end; column++) sum += GAP + layout->width[column];
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
        for (int column = 0; column < t->columns; column++) layout.width[column] = column_width(t, column, wraps == 1);
        if (sum_of_widths(&layout, 0, t->columns) <= width + GAP) return layout;
    }
    layout.keys = count_keys(t, &layout, width);
    return layout;
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
