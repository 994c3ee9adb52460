/* SPDX-License-Identifier: MIT */
#include "tests/lib/files.h"
#include "tests/lib/microbench_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

json_t *rows_load(const char *path) {
    json_error_t error;
    json_t *document = json_load_file(path, 0, &error);
    if (!document) fail_msg("%s:%d: %s", path, error.line, error.text);
    assert_true(json_is_array(json_object_get(document, "benchmarks")));
    assert_true(json_is_object(json_object_get(document, "context")));
    return document;
}

size_t rows_count(const json_t *document) {
    return json_array_size(json_object_get(document, "benchmarks"));
}

const json_t *rows_at(const json_t *document, size_t position) {
    return json_array_get(json_object_get(document, "benchmarks"), position);
}

const json_t *rows_find(const json_t *document, const char *name) {
    for (size_t i = 0; i < rows_count(document); i++)
        if (strcmp(row_name(rows_at(document, i)), name) == 0) return rows_at(document, i);
    return NULL;
}

const char *row_name(const json_t *row) {
    return row_text(row, "name");
}

const char *row_text(const json_t *row, const char *key) {
    const json_t *value = json_object_get(row, key);
    if (!json_is_string(value)) fail_msg("%s is no text of the row", key);
    return json_string_value(value);
}

double row_number(const json_t *row, const char *key) {
    const json_t *value = json_object_get(row, key);
    if (!json_is_number(value)) fail_msg("%s: %s is no number", row_name(row), key);
    return json_number_value(value);
}

const char *rows_context(const json_t *document, const char *key) {
    const json_t *value = json_object_get(json_object_get(document, "context"), key);
    if (!json_is_string(value)) fail_msg("%s is not said", key);
    return json_string_value(value);
}

bool row_has(const json_t *row, const char *key) {
    return json_object_get(row, key);
}

void row_expect(const json_t *row, const char *key, double want, double tolerance) {
    const double got = row_number(row, key);
    if (!(fabs(got - want) <= tolerance * fabs(want))) fail_msg("%s: %s is %.9g, not %.9g", row_name(row), key, got, want);
}

const char *text_of_file(const char *path) {
    static char texts[2][1 << 16];
    static int turn;
    char *text = texts[turn = 1 - turn];
    read_text_file(path, text, sizeof texts[0]);
    return text;
}
