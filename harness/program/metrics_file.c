/* SPDX-License-Identifier: MIT */
#include "harness/program/metrics_file.h"
#include "harness/report/csv.h"
#include "harness/report/message.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* On its way through a file. */
typedef struct reader {
    const char *name;
    metrics_file *to;
    char *line;
    size_t size, number; /* of the line: its memory, and which it is */
    dunlin_error *error;
} reader;

#define FAIL(r, ...) fail(r, bench_fail((r)->error, DUNLIN_ERROR_FILE, __VA_ARGS__))

/* Puts the file and line before the message. */
static bool fail(const reader *r, dunlin_result code) {
    const dunlin_error inner = *r->error;
    bench_fail(r->error, code, "%.120s:%zu: %.160s", r->name, r->number, inner.message);
    return false;
}

static bool fail_memory(const reader *r) {
    bench_fail(r->error, DUNLIN_ERROR_MEMORY, "%.120s: no memory for its numbers", r->name);
    return false;
}

static bool read_head(reader *r) {
    metrics_file *to = r->to;
    to->species_at = -1;
    for (char *at = r->line; at; to->width++) {
        const char *name = csv_next(&at);
        if (strcmp(name, "species") == 0 && to->species_at < 0) {
            to->species_at = to->width;
            continue;
        }
        if (to->columns == METRICS_FILE_COLUMNS) return FAIL(r, "it has more columns; allowed: %d", METRICS_FILE_COLUMNS);
        to->names[to->columns] = strdup(name);
        if (!to->names[to->columns++]) return fail_memory(r);
    }
    return (to->columns > 1 && strcmp(to->names[0], "step") == 0) ||
           FAIL(r, "its first column is not step; allowed: a file of dunlin run --metrics");
}

static metrics_series *find_series(reader *r, const char *species) {
    metrics_file *to = r->to;
    for (int i = 0; i < to->series_count; i++) {
        if (strcmp(to->series[i].species, species) == 0) return &to->series[i];
    }
    if (to->series_count == METRICS_FILE_SPECIES) {
        FAIL(r, "it has more species; allowed: %d", METRICS_FILE_SPECIES);
        return NULL;
    }
    metrics_series *made = &to->series[to->series_count++];
    made->species = strdup(species);
    if (made->species) return made;
    fail_memory(r);
    return NULL;
}

static bool add_row(reader *r, const char *species, const double *numbers) {
    const size_t columns = (size_t)r->to->columns;
    metrics_series *to = find_series(r, species);
    if (!to) return false;
    if (to->rows == to->capacity) {
        const size_t capacity = 2 * to->capacity + 64;
        double *grown = realloc(to->numbers, capacity * columns * sizeof *grown);
        if (!grown) return fail_memory(r);
        to->numbers = grown;
        to->capacity = capacity;
    }
    memcpy(to->numbers + to->rows++ * columns, numbers, columns * sizeof *numbers);
    return true;
}

static bool read_row(reader *r) {
    const metrics_file *of = r->to;
    double numbers[METRICS_FILE_COLUMNS];
    const char *species = "";
    char *at = r->line;
    int field = 0;
    for (int column = 0; at && field < of->width; field++) {
        const char *text = csv_next(&at);
        if (field == of->species_at) {
            species = text;
            continue;
        }
        if (!csv_read_number(text, &numbers[column]))
            return FAIL(r, "%s is '%.40s'; allowed: a number", of->names[column], text);
        if (!isfinite(numbers[column])) numbers[column] = (double)NAN;
        column++;
    }
    if (at || field != of->width) return FAIL(r, "it has not as many fields as the first line");
    return add_row(r, species, numbers);
}

/* A last row without an end is still being written, or its run was killed. */
static bool read_lines(reader *r, FILE *file) {
    bool done = true;
    for (ssize_t length; done && (length = getline(&r->line, &r->size, file)) >= 0; r->number++) {
        if (r->to->columns > 0 && r->line[length - 1] != '\n') break;
        while (length > 0 && strchr("\r\n", r->line[length - 1])) r->line[--length] = '\0';
        if (length > 0) done = r->to->columns == 0 ? read_head(r) : read_row(r);
    }
    if (done && ferror(file)) done = FAIL(r, "%s", strerror(errno));
    if (done && r->to->series_count == 0) done = FAIL(r, "it has no metrics");
    return done;
}

dunlin_result metrics_file_read(FILE *from, const char *name, metrics_file *read, dunlin_error *error) {
    reader r = {.name = name, .number = 1, .to = read, .error = error};
    *read = (metrics_file){.columns = 0};
    const bool done = read_lines(&r, from);
    free(r.line);
    return done ? DUNLIN_OK : error->code;
}

void metrics_file_free(metrics_file *file) {
    for (int i = 0; i < file->columns; i++) free(file->names[i]);
    for (int i = 0; i < file->series_count; i++) {
        free(file->series[i].species);
        free(file->series[i].numbers);
    }
    *file = (metrics_file){.columns = 0};
}

int metrics_file_find(const metrics_file *file, const char *name) {
    for (int i = 0; i < file->columns; i++) {
        if (strcmp(file->names[i], name) == 0) return i;
    }
    return -1;
}
