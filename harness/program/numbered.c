/* SPDX-License-Identifier: MIT */
#include "harness/program/numbered.h"
#include "harness/report/message.h"
#include "harness/report/output_file.h"
#include "harness/report/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static uint64_t step_of(const run_context *run) {
    return dunlin_world_stats(run->world).step;
}

bool numbered_is_due(const run_context *run, uint64_t every) {
    return every > 0 && step_of(run) % every == 0;
}

dunlin_result numbered_path(const run_context *run, const char *path, char **numbered, dunlin_error *error) {
    const uint64_t last = step_of(run) - run->totals.steps + run->steps;
    const int digits = snprintf(NULL, 0, "%" PRIu64, last), before = path_length_before_ending(path);
    if (asprintf(numbered, "%.*s-%0*" PRIu64 "%s", before, path, digits, step_of(run), path + before) >= 0) return DUNLIN_OK;
    *numbered = NULL;
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the name of a file");
}

dunlin_result numbered_check(const run_context *run, const char *path, dunlin_error *error) {
    char *numbered;
    struct stat status;
    output_file file;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return bench_fail(error, DUNLIN_ERROR_FILE, "cannot number files after %.200s, which is not a regular file", path);
    dunlin_result result = numbered_path(run, path, &numbered, error);
    if (result == DUNLIN_OK) result = output_file_open(&file, numbered, error);
    if (result == DUNLIN_OK) output_file_drop(&file);
    free(numbered);
    return result;
}
