/* SPDX-License-Identifier: MIT */
/* A CSV file of metrics, as runs write it, read back by column and species. */
#ifndef DUNLIN_HARNESS_METRICS_FILE_H
#define DUNLIN_HARNESS_METRICS_FILE_H

#include <dunlin/dunlin.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { METRICS_FILE_COLUMNS = 64, METRICS_FILE_SPECIES = 64 };

/* What a file says of one species; of all agents, if it does not name any. */
typedef struct metrics_series {
    char *species;
    double *numbers; /* of row after row, all columns; NaN: empty */
    size_t rows, capacity;
} metrics_series;

typedef struct metrics_file {
    char *names[METRICS_FILE_COLUMNS]; /* of the columns with numbers: the first is `step` */
    int columns;
    metrics_series series[METRICS_FILE_SPECIES]; /* as they first appear */
    int series_count;
    int species_at, width; /* the field with the species, or -1; the fields of a row */
} metrics_file;

/* Reads the file, which messages call `name`. Free the result also after a failure, which names the line. */
dunlin_result metrics_file_read(FILE *from, const char *name, metrics_file *read, dunlin_error *error);
void metrics_file_free(metrics_file *file);

/* The column's number; -1: there is none of that name. */
int metrics_file_find(const metrics_file *file, const char *name);

static inline double metrics_file_at(const metrics_file *file, const metrics_series *series, size_t row, int column) {
    return series->numbers[row * (size_t)file->columns + (size_t)column];
}

#endif
