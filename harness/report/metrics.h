/* SPDX-License-Identifier: MIT */
/* The metrics of a species, by the names that they have in files and tables. */
#ifndef DUNLIN_HARNESS_METRICS_H
#define DUNLIN_HARNESS_METRICS_H

#include <dunlin/dunlin.h>

#include <stddef.h>

typedef struct metrics_column {
    const char *name; /* in files */
    const char *head; /* in tables for people; NULL: it is not shown there */
    size_t offset;    /* in dunlin_metrics */
    bool is_count;    /* a uint64_t there, else a double */
} metrics_column;

/* In the order of files; ended by a column without a name. */
extern const metrics_column metrics_columns[];

/* The column of that name; NULL: there is none. */
const metrics_column *metrics_find(const char *name);

/* NaN if it could not be measured. */
double metrics_value(const dunlin_metrics *metrics, const metrics_column *column);

#endif
