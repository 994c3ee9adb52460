/* SPDX-License-Identifier: MIT */
/* Plots of a CSV file of metrics or groups, as runs write it: read back by column, species and group, and drawn. */
#ifndef DUNLIN_HARNESS_METRICS_PLOT_H
#define DUNLIN_HARNESS_METRICS_PLOT_H

#include <dunlin/dunlin.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { METRICS_FILE_COLUMNS = 64, METRICS_FILE_SERIES = 2000 };

/* What a file says of one species, or of one of its groups. */
typedef struct metrics_series {
    char *species, *group; /* "": the file does not name any */
    int species_number;    /* as they first appear */
    double *numbers;       /* of row after row, all columns; NaN: empty; steps ascend */
    size_t rows, capacity;
} metrics_series;

typedef struct metrics_file {
    char *names[METRICS_FILE_COLUMNS]; /* of the columns with numbers: the first is `step` */
    int columns;
    metrics_series *series; /* [series_capacity], of which there are series_count, as they first appear */
    int series_count, series_capacity;
    int species_at, group_at, width; /* the fields with the species and the group, or -1; the fields of a row */
} metrics_file;

/* Reads the file, which messages call `name`. Free the result also after a failure, which names the line. */
dunlin_result metrics_file_read(FILE *from, const char *name, metrics_file *read, dunlin_error *error);
void metrics_file_free(metrics_file *file);

/* The column's number; -1: there is none of that name. */
int metrics_file_find(const metrics_file *file, const char *name);

static inline double metrics_file_at(const metrics_file *file, const metrics_series *series, size_t row, int column) {
    return series->numbers[row * (size_t)file->columns + (size_t)column];
}

/* A small plot per column, with a curve per species or group, against the step, as a script of gnuplot that holds its data. */
typedef struct metrics_plot {
    const metrics_file *file;
    const char *title;
    bool is_wanted[METRICS_FILE_COLUMNS]; /* which columns to draw */
    bool is_png;                          /* otherwise SVG */
} metrics_plot;

/* Whether a column has any number. */
bool metrics_plot_has(const metrics_plot *of, int column);

/* Chooses what changes; if nothing does, all that there is. false: there is no number. */
bool metrics_plot_choose(metrics_plot *of);

void metrics_plot_write(const metrics_plot *of, FILE *script);

#endif
