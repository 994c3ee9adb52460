/* SPDX-License-Identifier: MIT */
#include "harness/report/message.h"
#include "harness/report/output_file.h"
#include "harness/validate/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char ends[] = "<!-- end -->";

static bool is_complete(const trial_results *results, trial_kind kind) {
    for (int i = 0; i < results->list.count; i++)
        if (results->list.at[i].kind == kind && !results->of[i].is_there) return false;
    return true;
}

/* The kind of the table that begins with this line, or TRIAL_KINDS. */
static trial_kind table_of(const char *line) {
    char name[32];
    int kind = 0;
    if (sscanf(line, "<!-- measured: %31s ", name) != 1) return TRIAL_KINDS;
    while (kind < TRIAL_KINDS && strcmp(name, trial_kind_names[kind]) != 0) kind++;
    return (trial_kind)kind;
}

/* false: a table has no end. */
static bool copy(FILE *from, FILE *to, const trial_results *results, const char *by) {
    char *line = NULL;
    size_t size = 0;
    bool in_table = false, is_left_out = false;
    while (getline(&line, &size, from) > 0) {
        if (strncmp(line, ends, strlen(ends)) == 0) in_table = is_left_out = false;
        if (!is_left_out) fputs(line, to);
        const trial_kind kind = table_of(line);
        if (kind == TRIAL_KINDS) continue;
        in_table = true;
        is_left_out = is_complete(results, kind);
        if (!is_left_out) continue;
        table t = verdict_table(results, kind, true);
        table_print_markdown(to, &t);
        table_free(&t);
        fprintf(to, "\n%s\n", by);
    }
    free(line);
    return !in_table;
}

dunlin_result page_update(const char *path, const trial_results *results, const char *by, dunlin_error *error) {
    output_file anew;
    FILE *from = fopen(path, "r");
    if (!from) return bench_fail(error, DUNLIN_ERROR_FILE, "cannot read %s: %s", path, strerror(errno));
    dunlin_result result = output_file_open(&anew, path, error);
    if (result == DUNLIN_OK && !copy(from, anew.stream, results, by ? by : ""))
        result = bench_fail(error, DUNLIN_ERROR_FILE, "%s has a table without a line %s", path, ends);
    else if (result == DUNLIN_OK && ferror(from))
        result = bench_fail(error, DUNLIN_ERROR_FILE, "cannot read %s", path);
    fclose(from);
    if (result == DUNLIN_OK && by) return output_file_finish(&anew, error);
    output_file_drop(&anew);
    return result;
}
