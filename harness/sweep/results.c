/* SPDX-License-Identifier: MIT */
#include "harness/sweep/results.h"
#include "harness/report/csv.h"
#include "harness/report/message.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FIELDS = STUDY_PARAMETERS + STUDY_MEASURES + 8 };

static dunlin_result fail(const sweep_results *results, const char *problem, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.200s: %s", results->path, problem);
}

static dunlin_result out_of_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the results");
}

/* ---- rows ------------------------------------------------------------------------------------------------------------- */

/* run, the parameters, seed, the measures, hash, study, commit */
static void write_head(const sweep_results *results, FILE *file) {
    const study *in = &results->plan->study;
    csv_text(file, "run");
    for (uint32_t i = 0; i < in->parameters; i++) csv_text(file, in->parameter[i].name);
    csv_text(file, "seed");
    for (uint32_t i = 0; i < in->measures; i++) csv_text(file, in->measure[i].name);
    csv_text(file, "state_hash");
    csv_text(file, "study");
    csv_text(file, "commit");
    csv_end_row(file);
}

static void write_hash(FILE *file, uint64_t hash) {
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    csv_text(file, text);
}

static void write_row(const sweep_results *results, FILE *file, uint32_t run, const run_figures *figures) {
    const sweep_plan *plan = results->plan;
    const study *in = &plan->study;
    csv_count(file, run);
    for (uint32_t i = 0; i < in->parameters; i++)
        csv_text(file, in->parameter[i].values[sweep_plan_value(plan, run / in->seeds, i)].label);
    csv_count(file, in->seed[run % in->seeds]);
    for (uint32_t i = 0; i < in->measures; i++) csv_exact_number(file, figures->measured[i]);
    write_hash(file, figures->hash);
    write_hash(file, plan->fingerprint);
    csv_text(file, results->commit);
    csv_end_row(file);
}

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

static bool take_figures(const study *in, char *const field[], run_figures *figures) {
    char *end;
    bool done = true;
    for (uint32_t i = 0; i < in->measures; i++) done = done && csv_read_number(field[i], &figures->measured[i]);
    figures->hash = strtoull(field[in->measures], &end, 16);
    figures->is_there = done && *end == '\0';
    return figures->is_there;
}

static dunlin_result fail_row(const sweep_results *results, unsigned line, const char *problem, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.200s:%u: %.300s; choose another --output, or --fresh to begin anew",
                      results->path, line, problem);
}

static dunlin_result take_row(sweep_results *results, char *line, unsigned number, dunlin_error *error) {
    const sweep_plan *plan = results->plan;
    const study *in = &plan->study;
    const uint32_t fields = in->parameters + in->measures + 5;
    char *field[MAX_FIELDS], *end, problem[200];
    uint32_t count = 0;
    run_figures figures;
    for (char *at = line; at && count < MAX_FIELDS;) field[count++] = csv_next(&at);
    if (count != fields) return fail_row(results, number, "it is no row of this study", error);
    if (strtoull(field[fields - 2], NULL, 16) != plan->fingerprint)
        return fail_row(results, number, "the study or its scenario has changed since", error);
    snprintf(problem, sizeof problem, "it was flown by commit %.60s of dunlin, this is %.60s", field[fields - 1],
             results->commit);
    if (strcmp(field[fields - 1], results->commit) != 0) return fail_row(results, number, problem, error);
    const unsigned long long run = strtoull(field[0], &end, 10);
    if (*field[0] == '\0' || *end != '\0' || run >= plan->runs || !take_figures(in, field + in->parameters + 2, &figures))
        return fail_row(results, number, "it is no row of this study", error);
    results->present += !results->figures[run].is_there;
    results->figures[run] = figures;
    return DUNLIN_OK;
}

dunlin_result results_take(sweep_results *results, char *text, size_t *whole, dunlin_error *error) {
    char *head = NULL, *at = text;
    size_t length = 0;
    FILE *file = open_memstream(&head, &length);
    if (!file) return out_of_memory(error);
    write_head(results, file);
    fclose(file);
    dunlin_result result = head ? DUNLIN_OK : out_of_memory(error);
    for (unsigned number = 1; result == DUNLIN_OK && *at != '\0'; number++) {
        char *end = strchr(at, '\n');
        const bool is_head = number == 1 && strncmp(at, head, end ? length : strlen(at)) == 0;
        if (number == 1 && !is_head) result = fail_row(results, number, "it has other columns than this study", error);
        if (!end || result != DUNLIN_OK) break;
        *end = '\0';
        if (number > 1) result = take_row(results, at, number, error);
        at = end + 1;
    }
    *whole = (size_t)(at - text);
    free(head);
    return result;
}

static dunlin_result read_rows(sweep_results *results, dunlin_error *error) {
    char *text = NULL;
    size_t size = 0, whole = 0;
    FILE *file = fopen(results->path, "r");
    const ssize_t length = file ? getdelim(&text, &size, '\0', file) : -1;
    const bool is_read = file && !ferror(file);
    dunlin_result result = is_read ? DUNLIN_OK : fail(results, strerror(errno), error);
    if (file) fclose(file);
    if (is_read && length > 0) result = results_take(results, text, &whole, error);
    if (result == DUNLIN_OK && ftruncate(results->file, (off_t)whole) != 0) result = fail(results, strerror(errno), error);
    free(text);
    return result;
}

/* ---- appending -------------------------------------------------------------------------------------------------------- */

/* All of it or nothing: what a full disk leaves is removed. */
static dunlin_result append(sweep_results *results, const char *text, size_t length, dunlin_error *error) {
    struct stat before;
    if (fstat(results->file, &before) != 0) return fail(results, strerror(errno), error);
    for (ssize_t written; length > 0; text += written, length -= (size_t)written) {
        written = write(results->file, text, length);
        if (written >= 0) continue;
        const int problem = errno;
        (void)!ftruncate(results->file, before.st_size);
        return fail(results, strerror(problem), error);
    }
    return DUNLIN_OK;
}

/* The row of a run; NULL: the heads. */
static dunlin_result append_line(sweep_results *results, uint32_t run, const run_figures *figures, dunlin_error *error) {
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file) return out_of_memory(error);
    if (figures)
        write_row(results, file, run, figures);
    else
        write_head(results, file);
    dunlin_result result = fclose(file) == 0 ? append(results, text, length, error) : out_of_memory(error);
    free(text);
    return result;
}

dunlin_result results_add(sweep_results *results, uint32_t run, const run_figures *figures, dunlin_error *error) {
    results->figures[run] = *figures;
    results->present++;
    results->has_new_rows = true;
    return append_line(results, run, figures, error);
}

void results_sync(sweep_results *results) {
    if (results->has_new_rows) fdatasync(results->file);
    results->has_new_rows = false;
}

/* ---- opening and closing ---------------------------------------------------------------------------------------------- */

dunlin_result results_open(sweep_results *results, const sweep_plan *plan, const char *folder, const char *commit, bool fresh,
                           dunlin_error *error) {
    struct stat status;
    *results = (sweep_results){.plan = plan, .commit = commit, .file = -1};
    results->path = output_folder_path(folder, "runs.csv");
    results->figures = calloc(plan->runs, sizeof *results->figures);
    if (!results->path || !results->figures) return out_of_memory(error);
    results->file = open(results->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (results->file < 0) return fail(results, strerror(errno), error);
    if (fstat(results->file, &status) == 0 && !S_ISREG(status.st_mode)) return fail(results, "it is not a regular file", error);
    if (flock(results->file, LOCK_EX | LOCK_NB) != 0) return fail(results, "another sweep is writing it", error);
    if (fresh && ftruncate(results->file, 0) != 0) return fail(results, strerror(errno), error);
    dunlin_result result = read_rows(results, error);
    if (result != DUNLIN_OK) return result;
    const bool is_empty = fstat(results->file, &status) == 0 && status.st_size == 0;
    return is_empty ? append_line(results, 0, NULL, error) : DUNLIN_OK;
}

dunlin_result results_finish(sweep_results *results, dunlin_error *error) {
    output_file file;
    dunlin_result result = output_file_open(&file, results->path, error);
    if (result != DUNLIN_OK) return result;
    write_head(results, file.stream);
    for (uint32_t run = 0; run < results->plan->runs; run++)
        if (results->figures[run].is_there) write_row(results, file.stream, run, &results->figures[run]);
    return output_file_finish(&file, error);
}

void results_close(sweep_results *results) {
    if (results->file >= 0) close(results->file);
    free(results->figures);
    free(results->path);
    *results = (sweep_results){.file = -1};
}
