/* SPDX-License-Identifier: MIT */
#include "harness/bench/bench_json.h"

dunlin_result bench_json_write(output_file *file, const machine *host, json_t *rows, dunlin_error *error) {
    if (!file->stream) {
        json_decref(rows);
        return DUNLIN_OK;
    }
    dunlin_result result = frame_rows_write_json(file->stream, host, rows, error);
    return result == DUNLIN_OK ? output_file_finish(file, error) : result;
}
