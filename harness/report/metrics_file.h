/* SPDX-License-Identifier: MIT */
/* The metrics of every step as CSV: a row per species and step, step 0 included. What cannot be measured is an empty field. */
#ifndef DUNLIN_HARNESS_METRICS_FILE_H
#define DUNLIN_HARNESS_METRICS_FILE_H

#include <dunlin/dunlin.h>

#include <stdio.h>

/* The file's first line. */
void metrics_file_begin(FILE *file);

/* Appends a row for every species. The file's error flag tells whether it could be written. */
dunlin_result metrics_file_append(FILE *file, dunlin_world *world, dunlin_error *error);

#endif
