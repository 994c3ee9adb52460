/* SPDX-License-Identifier: MIT */
/* The rows of frame_bench_run() as tables, JSON and CSV. */
#ifndef DUNLIN_HARNESS_BENCH_FRAME_ROWS_H
#define DUNLIN_HARNESS_BENCH_FRAME_ROWS_H

#include "harness/measure/frame_bench.h"
#include "harness/report/json.h"
#include "harness/report/table.h"

#include <stdio.h>

/* ---- for people ------------------------------------------------------------------------------------------------------- */

/* A title and a table of the rows that were measured, which have one workload and thread count, with their ratios to
 * baseline-aos and to baseline-simd for the same instruction set, where these are among them. */
void frame_rows_print(FILE *file, const frame_row *rows, int count);

/* Parts of it for other tables: the title, and the columns of a row from ns per agent on. */
void frame_rows_print_title(FILE *file, const frame_row *row);
void frame_rows_put_costs(table *t, const frame_row *row);

/* The row of that kernel with the flock and threads of `row`, or NULL. */
const frame_row *frame_rows_find(const frame_row *rows, int count, const frame_row *row, const char *kernel);

/* The same of baseline-simd for the instruction set of the row's kernel. */
const frame_row *frame_rows_find_twin(const frame_row *rows, int count, const frame_row *row);

/* ---- JSON ------------------------------------------------------------------------------------------------------------- */

/* New references; NULL: out of memory. */
json_t *frame_rows_json_row(const frame_row *row);
json_t *frame_rows_json(const frame_row *rows, int count); /* an array of those that were measured */

/* ---- CSV -------------------------------------------------------------------------------------------------------------- */

/* Results are kept as one CSV per machine, to which every run appends; each row says what it was measured on. Both as in csv.h:
 * the check comes before measuring. Rows of ranks have more columns, so they need a file of their own; `count` is at least 1.
 */
dunlin_result frame_rows_check_csv(const char *path, bool of_ranks, dunlin_error *error);
dunlin_result frame_rows_append_csv(const char *path, const machine *host, const frame_row *rows, int count,
                                    dunlin_error *error);

/* ---- bits ------------------------------------------------------------------------------------------------------------- */

/*
 * Whether all kernels that took the same steps from the same start with the same index ended in the same state. If
 * not, `complaint` names two that differ.
 */
bool frame_rows_agree(const frame_row *rows, int count, char *complaint, size_t size);

#endif
