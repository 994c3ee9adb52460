/* SPDX-License-Identifier: MIT */
#include "tests/lib/rows.h"

#include <string.h>
#include <unistd.h>

#include "tests/lib/program.h"

static char text[OUTPUT];

int count_table_rows(const char *path) {
    int rows = -1; /* the names */
    if (access(path, F_OK) != 0) return -1;
    read_file(path, text);
    for (const char *at = text; (at = strchr(at, '\n')); at++) rows++;
    return rows;
}

static const char *find_row(int row) {
    const char *line = text;
    for (int i = 0; i <= row; i++) line = strchr(line, '\n') + 1;
    return line;
}

const char *field_in_row(const char *path, int row, const char *column) {
    static char fields[8][512];
    static int turn;
    char *field = fields[turn++ % 8];
    const int rows = count_table_rows(path);
    assert_true(row < rows);
    const char *name = text, *at = find_row(row < 0 ? rows - 1 : row);
    for (size_t length; strcspn(name, ",\n") != strlen(column) || strncmp(name, column, strlen(column)) != 0;
         name += length + 1) {
        length = strcspn(name, ",\n");
        if (name[length] != ',') return NULL;
        at += strcspn(at, ",\n");
        assert_true(*at++ == ',');
    }
    snprintf(field, sizeof *fields, "%.*s", (int)strcspn(at, ",\n"), at);
    return field;
}

double number_in_row(const char *path, int row, const char *column) {
    const char *field = field_in_row(path, row, column);
    if (!field || !*field) fail_msg("%s, row %d, %s: %s", path, row, column, field ? "empty" : "no such column");
    return strtod(field, NULL);
}
