/* SPDX-License-Identifier: MIT */
#include "bench_json.h"

#include <string.h>

bool bench_is_stdout(const char *path) {
    return path != NULL && strcmp(path, "-") == 0;
}

dunlin_result bench_json_open(output_file *file, const char *path, dunlin_error *error) {
    return output_file_open(file, bench_is_stdout(path) ? NULL : path, error);
}

dunlin_result bench_json_write(output_file *file, const char *path, const machine *host, json_t *rows, dunlin_error *error) {
    if (path == NULL) {
        json_decref(rows);
        return DUNLIN_OK;
    }
    dunlin_result result = frame_rows_write_json(bench_is_stdout(path) ? "-" : file->work_path, host, rows, error);
    return result == DUNLIN_OK ? output_file_finish(file, error) : result;
}
