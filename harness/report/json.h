/* SPDX-License-Identifier: MIT */
/* Figures as rows: each is one JSON object, from which CSV takes its columns by name. */
#ifndef DUNLIN_HARNESS_REPORT_JSON_H
#define DUNLIN_HARNESS_REPORT_JSON_H

#include "harness/report/machine.h"
#include "harness/report/output_file.h"

#include <jansson.h>

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
