/* SPDX-License-Identifier: MIT */
/* What is promised beside what is reached. */
#ifndef DUNLIN_HARNESS_BENCH_TARGET_TABLE_H
#define DUNLIN_HARNESS_BENCH_TARGET_TABLE_H

#include <stdbool.h>
#include <stdio.h>

typedef enum target_sense { AT_LEAST, BELOW, AT_MOST } target_sense;

typedef struct target {
    char what[80];
    target_sense sense;
    double bound;
    const char *unit; /* "x", "ms", "%", or "" */
    double reached;   /* NAN: not measured */
    double low, high; /* of the rounds whose median was reached; NAN: there are none */
    char remark[96];  /* why it cannot be measured here, or details of `reached`; may be empty */
} target;

enum { TARGETS = 48 };

typedef struct target_table {
    int count;
    target rows[TARGETS];
} target_table;

/* Adds a row that has not been measured yet, and returns it. `format` says what it is about. */
__attribute__((format(printf, 5, 6))) target *target_table_add(target_table *targets, target_sense sense, double bound,
                                                               const char *unit, const char *format, ...);

bool target_is_met(const target *row);

/* Met is "yes", "no", "not here" where a remark says why, or "-" where the measurement was stopped before. */
void target_table_print(FILE *file, const target_table *targets);

#endif
