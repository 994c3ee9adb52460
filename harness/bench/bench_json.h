/* SPDX-License-Identifier: MIT */
/* The JSON that a bench leaves in a file, which appears only when it is whole, or on standard output, as "-". */
#ifndef DUNLIN_HARNESS_BENCH_BENCH_JSON_H
#define DUNLIN_HARNESS_BENCH_BENCH_JSON_H

#include "harness/report/output_file.h"
#include "harness/measure/frame_rows.h"

/* Writes machine and rows, and puts the file in its place, if it is open; takes `rows`, an array, or NULL where memory ran out
 * for it. */
dunlin_result bench_json_write(output_file *file, const machine *host, json_t *rows, dunlin_error *error);

#endif
