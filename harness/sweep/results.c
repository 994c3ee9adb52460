/* SPDX-License-Identifier: MIT */
#include "harness/sweep/results.h"
#include "harness/report/claim.h"
#include "harness/report/csv.h"
#include "harness/report/message.h"
#include "harness/report/numbers.h"
#include "harness/report/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_FIELDS = STUDY_PARAMETERS + 2 * STUDY_MEASURES + 8,
    MAX_NUMBER = 100 * STUDY_RUNS /* of a run: a study that has changed since may have given any */
};

static dunlin_result fail(const sweep_results *results, const char *problem, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.200s: %s", results->path, problem);
}

static dunlin_result out_of_memory(dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_MEMORY, "no memory for the results");
}

/* ---- rows ------------------------------------------------------------------------------------------------------------- */

/* run, the parameters, seed, the measures and of how many steps they are, hash, study, commit, problem */
static void write_head(const sweep_results *results, FILE *file) {
    const study *in = &results->plan->study;
    csv_text(file, "run");
    for (uint32_t i = 0; i < in->parameters; i++) csv_text(file, in->parameter[i].name);
    csv_text(file, "seed");
    for (uint32_t i = 0; i < in->measures; i++) {
        char samples[STUDY_NAME + 16];
        snprintf(samples, sizeof samples, "%s_samples", in->measure[i].name);
        csv_text(file, in->measure[i].name);
        csv_text(file, samples);
    }
    csv_text(file, "state_hash");
    csv_text(file, "study");
    csv_text(file, "commit");
    csv_text(file, "problem");
    csv_end_row(file);
}

static void write_hash(FILE *file, uint64_t hash) {
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    csv_text(file, text);
}

static void write_figures(const study *in, FILE *file, const run_figures *figures) {
    for (uint32_t i = 0; i < in->measures; i++) {
        csv_exact_number(file, figures->measured[i]);
        csv_count(file, figures->samples[i]);
    }
    write_hash(file, figures->hash);
}

static void write_row(const sweep_results *results, FILE *file, uint32_t run) {
    const sweep_plan *plan = results->plan;
    const study *in = &plan->study;
    csv_count(file, plan->number[run]);
    for (uint32_t i = 0; i < in->parameters; i++)
        csv_text(file, in->parameter[i].values[sweep_plan_value(plan, run / in->seeds, i)].label);
    csv_count(file, in->seed[run % in->seeds]);
    if (results->figures[run].is_there)
        write_figures(in, file, &results->figures[run]);
    else
        for (uint32_t i = 0; i < 2 * in->measures + 1; i++) csv_text(file, "");
    write_hash(file, sweep_plan_fingerprint(plan, run));
    csv_text(file, results->commit);
    csv_text(file, results->problem[run] ? results->problem[run] : "");
    csv_end_row(file);
}

static bool has_row(const sweep_results *results, uint32_t run) {
    return results->figures[run].is_there || results->problem[run];
}

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

/* A row, cut into its fields. */
typedef struct fields {
    char *number, **parameter, *seed, **figures, *study, *commit, *problem;
} fields;

static bool cut_row(const study *in, char *line, char *field[MAX_FIELDS], fields *row) {
    const uint32_t count = in->parameters + 2 * in->measures + 6;
    uint32_t cut = 0;
    for (char *at = line; at && cut < MAX_FIELDS;) field[cut++] = csv_next(&at);
    char **figures = field + in->parameters + 2, **last = field + count - 1;
    *row = (fields){field[0], field + 1, field[in->parameters + 1], figures, last[-2], last[-1], last[0]};
    return cut == count;
}

static bool take_figures(const study *in, char *const field[], run_figures *figures) {
    char *end;
    bool done = true;
    for (uint32_t i = 0; i < in->measures && done; i++)
        done = csv_read_number(field[2 * i], &figures->measured[i]) &&
               number_parse(field[2 * i + 1], 0, UINT64_MAX, &figures->samples[i]);
    const char *hash = field[2 * in->measures];
    figures->hash = strtoull(hash, &end, 16);
    figures->is_there = done && end > hash && *end == '\0';
    return figures->is_there;
}

static bool find_value(const study_parameter *p, const char *label, uint32_t *value) {
    for (*value = 0; *value < p->count; ++*value)
        if (strcmp(p->values[*value].label, label) == 0) return true;
    return false;
}

/* The run of the row's parameters and seed. false: the study does not have it. */
static bool find_run(const sweep_plan *plan, const fields *row, uint32_t *run) {
    const study *in = &plan->study;
    uint32_t point = 0, value, s = 0;
    uint64_t seed;
    for (uint32_t p = 0; p < in->parameters; p++) {
        if (!find_value(&in->parameter[p], row->parameter[p], &value)) return false;
        point = point * in->parameter[p].count + value;
    }
    if (!number_parse(row->seed, 0, UINT64_MAX, &seed)) return false;
    while (s < in->seeds && in->seed[s] != seed) s++;
    *run = point * in->seeds + s;
    return s < in->seeds;
}

static dunlin_result fail_row(const sweep_results *results, unsigned line, const char *problem, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "%.200s:%u: %.300s; choose another --output, or --fresh to start over",
                      results->path, line, problem);
}

static char *keep_text(const char *text) {
    char *kept = strdup(text);
    for (char *c = kept; c && *c != '\0'; c++)
        if (*c == '\n' || *c == '\r') *c = ' '; /* a row is a line */
    return kept;
}

static void count_run(const sweep_results *results, uint32_t run, uint32_t *present, uint32_t *failed) {
    *present += results->figures[run].is_there;
    *failed += results->problem[run] != NULL;
}

/* The last row of a run counts. */
static bool keep_run(sweep_results *results, uint32_t run, const run_figures *figures, const char *problem) {
    uint32_t present = 0, failed = 0;
    char *kept = problem ? keep_text(problem) : NULL;
    count_run(results, run, &present, &failed);
    results->figures[run] = *figures;
    free(results->problem[run]);
    results->problem[run] = kept;
    results->present -= present;
    results->failed -= failed;
    count_run(results, run, &results->present, &results->failed);
    return kept || !problem;
}

static bool keep_other(sweep_results *results, const char *line) {
    const size_t length = strlen(line);
    char *grown = realloc(results->others, results->others_length + length + sizeof "\n");
    if (!grown) return false;
    memcpy(grown + results->others_length, line, length);
    memcpy(grown + results->others_length + length, "\n", sizeof "\n");
    results->others = grown;
    results->others_length += length + 1;
    return true;
}

/* Why a row cannot count. `run`: that of its parameters and seed; NULL: the study has no such run. NULL: it can. */
static const char *misfit(const sweep_results *results, const fields *row, const uint32_t *run, char problem[200]) {
    const uint64_t own = strtoull(row->study, NULL, 16);
    const uint64_t wanted = run ? sweep_plan_fingerprint(results->plan, *run) : results->plan->fingerprint;
    if (run ? own != wanted : own >> 32 != wanted >> 32) return "the study or its scenario has changed since";
    snprintf(problem, 200, "it was run by commit %.60s of dunlin, this is %.60s", row->commit, results->commit);
    return strcmp(row->commit, results->commit) == 0 ? NULL : problem;
}

/* Failed runs are run again, whatever has changed since. `line`: the row in one piece. */
static dunlin_result take_row(sweep_results *results, const char *line, char *cut, unsigned at, dunlin_error *error) {
    sweep_plan *plan = results->plan;
    char *field[MAX_FIELDS] = {NULL}, problem[200];
    uint64_t number;
    uint32_t run = 0;
    fields row;
    run_figures figures = {0};
    if (!cut_row(&plan->study, cut, field, &row) || !number_parse(row.number, 0, MAX_NUMBER, &number))
        return fail_row(results, at, "it is no row of this study", error);
    const bool is_sound = *row.problem == '\0', is_known = find_run(plan, &row, &run);
    const char *wrong = misfit(results, &row, is_known ? &run : NULL, problem);
    if (wrong) return is_sound ? fail_row(results, at, wrong, error) : DUNLIN_OK;
    if (is_sound && !take_figures(&plan->study, row.figures, &figures))
        return fail_row(results, at, "it is no row of this study", error);
    if (is_known) plan->number[run] = (uint32_t)number;
    const bool kept =
        is_known ? keep_run(results, run, &figures, is_sound ? NULL : row.problem) : !is_sound || keep_other(results, line);
    return kept ? DUNLIN_OK : out_of_memory(error);
}

static dunlin_result take_line(sweep_results *results, const char *line, unsigned at, dunlin_error *error) {
    char *cut = strdup(line);
    const dunlin_result result = cut ? take_row(results, line, cut, at, error) : out_of_memory(error);
    free(cut);
    return result;
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
        if (number > 1) result = take_line(results, at, number, error);
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
    if (result == DUNLIN_OK && dun_truncate(results->file, (off_t)whole) != 0) result = fail(results, strerror(errno), error);
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
        if (written < 0 && errno == EINTR) written = 0;
        if (written >= 0) continue;
        const int problem = errno;
        (void)!dun_truncate(results->file, before.st_size);
        return fail(results, strerror(problem), error);
    }
    return DUNLIN_OK;
}

/* The row of a run; NULL: the heads. */
static dunlin_result append_line(sweep_results *results, const uint32_t *run, dunlin_error *error) {
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file) return out_of_memory(error);
    if (run)
        write_row(results, file, *run);
    else
        write_head(results, file);
    dunlin_result result = fclose(file) == 0 ? append(results, text, length, error) : out_of_memory(error);
    free(text);
    return result;
}

dunlin_result results_add(sweep_results *results, uint32_t run, const run_figures *figures, const char *problem,
                          dunlin_error *error) {
    if (!keep_run(results, run, figures, problem)) return out_of_memory(error);
    results->has_new_rows = true;
    return append_line(results, &run, error);
}

void results_sync(sweep_results *results) {
    if (results->has_new_rows) dun_sync(results->file);
    results->has_new_rows = false;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

static void note(bool *taken, uint64_t number) {
    if (number <= MAX_NUMBER) taken[number] = true;
}

/* Runs without a row get numbers that no row has: their own, as they are counted, where that is free. */
static dunlin_result number_runs(sweep_results *results, dunlin_error *error) {
    sweep_plan *plan = results->plan;
    bool *taken = calloc(MAX_NUMBER + 1, sizeof *taken);
    uint32_t next = plan->runs;
    if (!taken) return out_of_memory(error);
    for (uint32_t run = 0; run < plan->runs; run++)
        if (has_row(results, run)) note(taken, plan->number[run]);
    for (const char *row = results->others, *end = row + results->others_length; row < end; row = strchr(row, '\n') + 1)
        note(taken, strtoull(row, NULL, 10));
    for (uint32_t run = 0; run < plan->runs; run++) {
        if (has_row(results, run) || !taken[run]) continue;
        while (next < MAX_NUMBER && taken[next]) next++;
        plan->number[run] = next++;
    }
    free(taken);
    return DUNLIN_OK;
}

/* ---- opening and closing ---------------------------------------------------------------------------------------------- */

dunlin_result results_open(sweep_results *results, sweep_plan *plan, const char *folder, const char *commit, bool fresh,
                           dunlin_error *error) {
    struct stat status;
    *results = (sweep_results){.plan = plan, .commit = commit, .file = -1};
    results->path = output_folder_path(folder, "runs.csv");
    results->figures = calloc(plan->runs, sizeof *results->figures);
    results->problem = calloc(plan->runs, sizeof *results->problem);
    if (!results->path || !results->figures || !results->problem) return out_of_memory(error);
    results->file = dun_open(results->path, O_RDWR | O_CREAT | O_APPEND, 0666);
    if (results->file < 0) return fail(results, strerror(errno), error);
    if (fstat(results->file, &status) == 0 && !S_ISREG(status.st_mode)) return fail(results, "it is not a regular file", error);
    if (flock(results->file, LOCK_EX | LOCK_NB) != 0) return fail(results, "another sweep is writing it", error);
    if (fresh && dun_truncate(results->file, 0) != 0) return fail(results, strerror(errno), error);
    dunlin_result result = read_rows(results, error);
    if (result == DUNLIN_OK) result = number_runs(results, error);
    if (result != DUNLIN_OK) return result;
    const bool is_empty = fstat(results->file, &status) == 0 && status.st_size == 0;
    return is_empty ? append_line(results, NULL, error) : DUNLIN_OK;
}

dunlin_result results_finish(sweep_results *results, dunlin_error *error) {
    output_file file;
    dunlin_result result = output_file_open(&file, results->path, error);
    if (result != DUNLIN_OK) return result;
    write_head(results, file.stream);
    for (uint32_t run = 0; run < results->plan->runs; run++)
        if (has_row(results, run)) write_row(results, file.stream, run);
    if (results->others) fwrite(results->others, 1, results->others_length, file.stream);
    return output_file_finish(&file, error);
}

void results_close(sweep_results *results) {
    if (results->file >= 0) close(results->file);
    for (uint32_t run = 0; results->problem && run < results->plan->runs; run++) free(results->problem[run]);
    free(results->problem);
    free(results->others);
    free(results->figures);
    free(results->path);
    *results = (sweep_results){.file = -1};
}
