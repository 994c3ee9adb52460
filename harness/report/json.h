/* SPDX-License-Identifier: MIT */
/* Figures as rows: each is one JSON object, from which tables and CSV take their columns by name. */
#ifndef DUNLIN_HARNESS_REPORT_JSON_H
#define DUNLIN_HARNESS_REPORT_JSON_H

#include "harness/report/machine.h"
#include "harness/report/output_file.h"
#include "harness/report/table.h"

#include <jansson.h>

/* A column of a table. `name` is a key as in a CSV header; the figure is shown times `scale`, where that is not 0. */
typedef enum json_shown {
    SHOWN_TEXT = 0,
    SHOWN_NUMBER,
    SHOWN_POSITIVE, /* 0 is "-" */
    SHOWN_COUNT,
    SHOWN_PERCENT,
    SHOWN_SMALL_PERCENT, /* with two decimals */
    SHOWN_INVERSE,       /* scale / figure */
    SHOWN_RANGE          /* NAME_min .. NAME_max */
} json_shown;

typedef struct json_column {
    const char *head, *name;
    json_shown shown;
    double scale;
} json_column;

/* The rows as a table; free it. A column without a head ends the list. */
table json_table(json_t *rows, const json_column *columns);

/* A figure of a row; NaN: it has none. */
double json_figure(json_t *row, const char *name);

/* A new reference; NULL: out of memory. */
json_t *json_of_machine(const machine *host);

/* Writes a document, and puts the file in its place if it is open. Takes `json`; NULL: memory ran out for it. */
dunlin_result json_write(output_file *file, json_t *json, dunlin_error *error);

/* {"machine": {...}, "rows": [...]}; takes `rows`. */
dunlin_result json_write_rows(output_file *file, const machine *host, json_t *rows, dunlin_error *error);

/*
 * Appends the rows to a CSV file as csv_open() does. The header's names are keys of a row or of the machine; "ms_frame" may be
 * "frame" in a row's object "ms". What is null stays empty. Takes `rows`.
 */
dunlin_result json_append_csv(const char *path, const char *header, const machine *host, json_t *rows, dunlin_error *error);

#endif
