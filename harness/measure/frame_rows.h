/* SPDX-License-Identifier: MIT */
/* The rows of frame_bench_run() as tables, JSON and CSV. */
#ifndef DUNLIN_HARNESS_BENCH_FRAME_ROWS_H
#define DUNLIN_HARNESS_BENCH_FRAME_ROWS_H

#include "harness/measure/frame_bench.h"
#include "harness/report/json.h"

#include <stdio.h>

/* ---- for people ------------------------------------------------------------------------------------------------------- */

/* A title and a table of the rows that were measured, which have one workload and thread count, with their ratios to
 * baseline-aos and to baseline-simd for the same instruction set, where these are among them. */
void frame_rows_print(FILE *file, const frame_row *rows, int count);

/* Parts of it for other tables: the title, and the columns from ns per agent on. A baseline does not time its stages. */
void frame_rows_print_title(FILE *file, const frame_row *row);
#define FRAME_COST_COLUMNS                                                                                                     \
    {"ns per agent", "agent_updates_per_second", SHOWN_INVERSE, 1e9},                                                          \
        {"G pairs tested/s", "pairs_tested_per_second", SHOWN_NUMBER, 1e-9},                                                   \
        {"useful", "pairs_useful_per_pair_tested", SHOWN_PERCENT, 0.0}, {"ms per frame", "ms_frame", SHOWN_NUMBER, 0.0},       \
        {"snapshot ms", "ms_snapshot", SHOWN_POSITIVE, 0.0}, {"interact ms", "ms_interact", SHOWN_POSITIVE, 0.0},              \
        {"steer ms", "ms_steer", SHOWN_POSITIVE, 0.0}, {"integrate ms", "ms_integrate", SHOWN_POSITIVE, 0.0}, {                \
        "bytes per agent", "bytes_per_agent", SHOWN_NUMBER, 0.0                                                                \
    }

/* The row of that kernel with the flock and threads of `row`, or NULL. */
const frame_row *frame_rows_find(const frame_row *rows, int count, const frame_row *row, const char *kernel);

/* The same of baseline-simd for the instruction set of the row's kernel. */
const frame_row *frame_rows_find_twin(const frame_row *rows, int count, const frame_row *row);

/* ---- JSON ------------------------------------------------------------------------------------------------------------- */

/* New references; NULL: out of memory. */
json_t *frame_rows_json_row(const frame_row *row);
/* An array of those that were measured, with their ratios to baselines among them. */
json_t *frame_rows_json(const frame_row *rows, int count);

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
