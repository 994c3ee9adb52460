/* SPDX-License-Identifier: MIT */
/* The rows of frame_bench_run() as JSON, of which tables and CSV show columns. */
#ifndef DUNLIN_HARNESS_BENCH_FRAME_ROWS_H
#define DUNLIN_HARNESS_BENCH_FRAME_ROWS_H

#include "harness/measure/frame_bench.h"
#include "harness/report/json.h"

#include <stdio.h>

/* A list of those that were measured, with their ratios to baseline-aos and to baseline-simd for the same instruction set,
 * where these are among them. New references; NULL: out of memory. */
json_t *frame_rows_json(const frame_row *rows, int count);
json_t *frame_rows_json_row(const frame_row *row);

/* Prints what the rows share, such as the flock, or the rows as a table. A baseline does not time its stages. */
void frame_rows_print_title(FILE *file, const frame_row *row);
void frame_rows_print(FILE *file, json_t *rows, const json_column *columns);
#define FRAME_COST_COLUMNS                                                                                                     \
    {"ns per agent", "agent_updates_per_second", SHOWN_INVERSE, 1e9},                                                          \
        {"G pairs tested/s", "pairs_tested_per_second", SHOWN_NUMBER, 1e-9},                                                   \
        {"useful", "pairs_useful_per_pair_tested", SHOWN_PERCENT, 0.0}, {"ms per frame", "ms_frame", SHOWN_NUMBER, 0.0},       \
        {"snapshot ms", "ms_snapshot", SHOWN_POSITIVE, 0.0}, {"interact ms", "ms_interact", SHOWN_POSITIVE, 0.0},              \
        {"steer ms", "ms_steer", SHOWN_POSITIVE, 0.0}, {"integrate ms", "ms_integrate", SHOWN_POSITIVE, 0.0}, {                \
        "bytes per agent", "bytes_per_agent", SHOWN_NUMBER, 0.0                                                                \
    }
extern const json_column frame_kernel_columns[]; /* of kernels beside baselines */

/* Results are kept as one CSV per machine, to which every run appends; each row says what it was measured on. Both as in csv.h:
 * the check comes before measuring. Rows of ranks have more columns, so they need a file of their own. Takes `rows`. */
dunlin_result frame_rows_check_csv(const char *path, bool of_ranks, dunlin_error *error);
dunlin_result frame_rows_append_csv(const char *path, const machine *host, bool of_ranks, json_t *rows, dunlin_error *error);

/* Whether a promise is met, "at least" with sign ">=", otherwise "at most": "yes" or "no"; "-" of NAN. */
const char *frame_verdict(const char *sign, double bound, double reached);

/* Whether all kernels that took the same steps from the same start with the same index ended in the same state. If not,
 * `complaint` names two that differ. */
bool frame_rows_agree(const frame_row *rows, int count, char *complaint, size_t size);

#endif
