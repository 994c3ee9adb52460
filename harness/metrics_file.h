/* SPDX-License-Identifier: MIT */
/* The metrics of every step as CSV: a row a species and step, step 0 included. What cannot be measured is an empty field. */
#ifndef DUNLIN_HARNESS_METRICS_FILE_H
#define DUNLIN_HARNESS_METRICS_FILE_H

#include <dunlin/dunlin.h>

#include <stdio.h>

typedef struct metrics_file {
    FILE *file; /* NULL: not wanted */
    const char *path;
} metrics_file;

/* Opens `work_path` and writes the head; `path` is for messages. With `work_path` NULL nothing is ever written. */
dunlin_result metrics_file_open(metrics_file *metrics, const char *work_path, const char *path, dunlin_error *error);

/* Appends a row for every species. */
dunlin_result metrics_file_append(metrics_file *metrics, dunlin_world *world, dunlin_error *error);

/* Closes the file; an error where not all of it could be written. */
dunlin_result metrics_file_close(metrics_file *metrics, dunlin_error *error);

#endif
