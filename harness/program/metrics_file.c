/* SPDX-License-Identifier: MIT */
#include "harness/program/metrics_plot.h"
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
    int last;            /* the series of the row before */
    double step, before; /* of the row before, and of the rows before that step; NaN: none */
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
    to->species_at = to->group_at = -1;
    for (char *at = r->line; at; to->width++) {
        const char *name = csv_next(&at);
        int *names = strcmp(name, "species") == 0 ? &to->species_at : strcmp(name, "group") == 0 ? &to->group_at : NULL;
        if (names && *names < 0) {
            *names = to->width;
            continue;
        }
        if (to->columns == METRICS_FILE_COLUMNS) return FAIL(r, "it has more columns; allowed: %d", METRICS_FILE_COLUMNS);
        to->names[to->columns] = strdup(name);
        if (!to->names[to->columns++]) return fail_memory(r);
    }
    return (to->columns > 1 && strcmp(to->names[0], "step") == 0) ||
           FAIL(r, "its first column is not step; allowed: a file of dunlin run --metrics or --groups");
}

static int number_species(const metrics_file *file, const char *species) {
    int next = 0;
    for (int i = 0; i < file->series_count; i++) {
        const metrics_series *s = &file->series[i];
        if (strcmp(s->species, species) == 0) return s->species_number;
        if (s->species_number == next) next++;
    }
    return next;
}

static metrics_series *add_series(reader *r, const char *species, const char *group) {
    metrics_file *to = r->to;
    if (to->series_count == METRICS_FILE_SERIES) {
        FAIL(r, "it has more species and groups; allowed: %d", METRICS_FILE_SERIES);
        return NULL;
    }
    if (to->series_count == to->series_capacity) {
        const int capacity = 2 * to->series_capacity + 8;
        metrics_series *grown = realloc(to->series, (size_t)capacity * sizeof *grown);
        if (grown) to->series = grown, to->series_capacity = capacity;
    }
    metrics_series made = {.species = strdup(species), .group = strdup(group), .species_number = number_species(to, species)};
    if (made.species && made.group && to->series_count < to->series_capacity) {
        r->last = to->series_count;
        to->series[to->series_count++] = made;
        return &to->series[r->last];
    }
    free(made.species);
    free(made.group);
    fail_memory(r);
    return NULL;
}

/* Each step has them in the same order. */
static metrics_series *find_series(reader *r, const char *species, const char *group) {
    metrics_file *to = r->to;
    for (int i = 1; i <= to->series_count; i++) {
        const int at = (r->last + i) % to->series_count;
        if (strcmp(to->series[at].group, group) != 0 || strcmp(to->series[at].species, species) != 0) continue;
        r->last = at;
        return &to->series[at];
    }
    return add_series(r, species, group);
}

/* A file with other rows, such as one per agent, makes no curves. */
static bool check_step(reader *r, const metrics_series *of, double step) {
    if (of->rows == 0 || step > of->numbers[(of->rows - 1) * (size_t)r->to->columns]) return true;
    return FAIL(
        r,
        "step %.9g does not come after the steps before it; allowed: a row per step and species, or group, as in a file "
        "of dunlin run --metrics or --groups",
        step);
}

static bool append_row(reader *r, metrics_series *to, const double *numbers) {
    const size_t columns = (size_t)r->to->columns;
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

/* Steps at which a group had no agents, and so no row, are a gap in its curve. */
static bool append_gap(reader *r, metrics_series *to) {
    double numbers[METRICS_FILE_COLUMNS];
    if (to->rows == 0 || !(r->before > to->numbers[(to->rows - 1) * (size_t)r->to->columns])) return true;
    for (int i = 0; i < METRICS_FILE_COLUMNS; i++) numbers[i] = i == 0 ? r->before : (double)NAN;
    return append_row(r, to, numbers);
}

static bool add_row(reader *r, const char *species, const char *group, const double *numbers) {
    metrics_series *to = find_series(r, species, group);
    if (!to || !check_step(r, to, numbers[0])) return false;
    if (numbers[0] != r->step) r->before = r->step, r->step = numbers[0];
    return append_gap(r, to) && append_row(r, to, numbers);
}

static bool read_row(reader *r) {
    const metrics_file *of = r->to;
    double numbers[METRICS_FILE_COLUMNS];
    const char *species = "", *group = "";
    char *at = r->line;
    int field = 0;
    for (int column = 0; at && field < of->width; field++) {
        const char *text = csv_next(&at);
        if (field == of->species_at) species = text;
        if (field == of->group_at) group = text;
        if (field == of->species_at || field == of->group_at) continue;
        if (!csv_read_number(text, &numbers[column]))
            return FAIL(r, "%s is '%.40s'; allowed: a number", of->names[column], text);
        if (!isfinite(numbers[column])) numbers[column] = (double)NAN;
        column++;
    }
    if (at || field != of->width) return FAIL(r, "it has not as many fields as the first line");
    return add_row(r, species, group, numbers);
}

/* A last line without an end is still being written, or its run was killed. */
static bool read_lines(reader *r, FILE *file) {
    bool done = true;
    for (ssize_t length; done && (length = getline(&r->line, &r->size, file)) >= 0; r->number++) {
        if (r->line[length - 1] != '\n') break;
        while (length > 0 && strchr("\r\n", r->line[length - 1])) r->line[--length] = '\0';
        if (length > 0) done = r->to->columns == 0 ? read_head(r) : read_row(r);
    }
    if (done && ferror(file)) done = FAIL(r, "%s", strerror(errno));
    if (done && r->to->series_count == 0) done = FAIL(r, "it has no metrics");
    return done;
}

dunlin_result metrics_file_read(FILE *from, const char *name, metrics_file *read, dunlin_error *error) {
    reader r = {.name = name, .number = 1, .to = read, .step = (double)NAN, .before = (double)NAN, .error = error};
    *read = (metrics_file){.columns = 0};
    const bool done = read_lines(&r, from);
    free(r.line);
    return done ? DUNLIN_OK : error->code;
}

void metrics_file_free(metrics_file *file) {
    for (int i = 0; i < file->columns; i++) free(file->names[i]);
    for (int i = 0; i < file->series_count; i++) {
        free(file->series[i].species);
        free(file->series[i].group);
        free(file->series[i].numbers);
    }
    free(file->series);
    *file = (metrics_file){.columns = 0};
}

int metrics_file_find(const metrics_file *file, const char *name) {
    for (int i = 0; i < file->columns; i++) {
        if (strcmp(file->names[i], name) == 0) return i;
    }
    return -1;
}
