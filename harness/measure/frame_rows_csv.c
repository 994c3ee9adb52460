/* SPDX-License-Identifier: MIT */
#include "harness/report/output_file.h"
#include "harness/report/fail.h"
#include "harness/measure/frame_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- columns ---------------------------------------------------------------------------------------------------------- */

typedef enum column_kind { TEXT, INT, AGENTS, REAL, DISTRIBUTION, HASH } column_kind;
typedef enum column_source { HOST, ROW } column_source;

typedef struct column {
    const char *name;
    column_kind kind;
    column_source source;
    size_t offset; /* bytes into the source */
} column;

#define OF_HOST(kind, member)                                                                                                  \
    { #member, kind, HOST, offsetof(machine, member) }
#define OF_ROW(kind, member)                                                                                                   \
    { #member, kind, ROW, offsetof(frame_row, member) }
#define OF_WORKLOAD(kind, member)                                                                                              \
    { #member, kind, ROW, offsetof(frame_row, workload.member) }
#define OF_STAGES(member)                                                                                                      \
    { "ms_" #member, REAL, ROW, offsetof(frame_row, ms.member) }

static const column columns[] = {
    OF_HOST(TEXT, date),
    OF_HOST(TEXT, commit),
    OF_HOST(TEXT, compiler),
    OF_HOST(TEXT, flags),
    OF_HOST(TEXT, cpu),
    OF_HOST(INT, cores),
    OF_HOST(TEXT, os),
    OF_HOST(TEXT, pinning),
    OF_ROW(TEXT, kernel),
    OF_ROW(TEXT, index),
    OF_ROW(INT, threads),
    OF_WORKLOAD(INT, dimensions),
    OF_WORKLOAD(AGENTS, agents),
    OF_WORKLOAD(REAL, neighbours),
    OF_WORKLOAD(DISTRIBUTION, distribution),
    OF_ROW(INT, steps),
    OF_ROW(INT, repeats),
    OF_ROW(REAL, agent_updates_per_second),
    OF_ROW(REAL, agent_updates_per_second_min),
    OF_ROW(REAL, agent_updates_per_second_max),
    OF_ROW(REAL, pairs_tested_per_second),
    OF_ROW(REAL, pairs_useful_per_second),
    OF_ROW(REAL, pairs_tested_per_agent),
    OF_ROW(REAL, neighbours_found),
    OF_STAGES(snapshot),
    OF_STAGES(interact),
    OF_STAGES(steer),
    OF_STAGES(integrate),
    OF_STAGES(frame),
    OF_ROW(REAL, bytes_per_agent),
    OF_ROW(HASH, hash),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ---- writing ---------------------------------------------------------------------------------------------------------- */

void frame_rows_csv_quote(FILE *file, const char *text) {
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

/* Only what would be taken for more needs quotes. */
static void write_text(FILE *file, const char *text) {
    if (!strpbrk(text, ",\"\r\n"))
        fputs(text, file);
    else
        frame_rows_csv_quote(file, text);
}

static void write_field(FILE *file, const column *field, const void *source) {
    const void *at = (const char *)source + field->offset;
    switch (field->kind) {
    case TEXT:
        write_text(file, at);
        break;
    case INT:
        fprintf(file, "%d", *(const int *)at);
        break;
    case AGENTS:
        fprintf(file, "%" PRIu32, *(const uint32_t *)at);
        break;
    case REAL:
        fprintf(file, "%.9g", *(const double *)at);
        break;
    case DISTRIBUTION:
        fputs(bench_distribution_name(*(const bench_distribution *)at), file);
        break;
    case HASH:
        if (*(const uint64_t *)at != 0) fprintf(file, "%016" PRIx64, *(const uint64_t *)at);
        break;
    }
}

static void write_header(FILE *file) {
    for (int i = 0; i < COLUMNS; i++) fprintf(file, "%s%c", columns[i].name, i + 1 < COLUMNS ? ',' : '\n');
}

static void write_row(FILE *file, const machine *host, const frame_row *row) {
    for (int i = 0; i < COLUMNS; i++) {
        write_field(file, &columns[i], columns[i].source == HOST ? (const void *)host : row);
        fputc(i + 1 < COLUMNS ? ',' : '\n', file);
    }
}

/* ---- the file --------------------------------------------------------------------------------------------------------- */

static dunlin_result fail(const char *path, const char *problem, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot append to %s: %s", path, problem);
}

/* Reads on as long as the file says what the header does. */
static bool has_header(FILE *file) {
    char want[1024];
    FILE *text = fmemopen(want, sizeof want, "w");
    if (!text) return false;
    write_header(text);
    fclose(text);
    for (const char *at = want; *at != '\0'; at++) {
        if (fgetc(file) != *at) return false;
    }
    return true;
}

static bool ends_with_line(FILE *file) {
    return fseek(file, -1, SEEK_END) == 0 && fgetc(file) == '\n';
}

static dunlin_result check_present(const char *path, dunlin_error *error) {
    FILE *file = fopen(path, "r+");
    if (!file) return fail(path, strerror(errno), error);
    dunlin_result result = DUNLIN_OK;
    if (!has_header(file)) {
        result = fail(path, "it begins with another header than dunlin bench writes", error);
    } else if (!ends_with_line(file)) {
        result = fail(path, "its last line has no end", error);
    }
    fclose(file);
    return result;
}

static bool has_rows(const struct stat *status) {
    return S_ISREG(status->st_mode) && status->st_size > 0;
}

/* A file that is not there can be made: begins to, and makes none. */
static dunlin_result check_place(const char *path, dunlin_error *error) {
    output_file file;
    dunlin_result result = output_file_open(&file, path, error);
    output_file_drop(&file);
    return result;
}

dunlin_result frame_rows_check_csv(const char *path, dunlin_error *error) {
    struct stat status;
    if (output_file_is_stdout(path)) return DUNLIN_OK;
    bool exists = stat(path, &status) == 0;
    /* A pipe, once closed, is at its end. */
    if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return access(path, W_OK) == 0 ? DUNLIN_OK : fail(path, strerror(errno), error);
    dunlin_result result = check_place(path, error);
    return result == DUNLIN_OK && exists && has_rows(&status) ? check_present(path, error) : result;
}

static bool copy(FILE *from, FILE *to) {
    char bytes[4096];
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, from)) > 0;) fwrite(bytes, 1, count, to);
    return !ferror(from);
}

/* What the file holds so far: its rows, or a header. */
static dunlin_result write_present(const output_file *file, dunlin_error *error) {
    struct stat status;
    bool is_begun = stat(file->path, &status) == 0 && has_rows(&status);
    if (!is_begun) write_header(file->stream);
    if (!is_begun || file->replacement.is_direct) return DUNLIN_OK;
    FILE *present = fopen(file->path, "r");
    if (!present) return fail(file->path, strerror(errno), error);
    bool is_copied = copy(present, file->stream);
    fclose(present);
    return is_copied ? DUNLIN_OK : fail(file->path, "it cannot be read", error);
}

/* Written anew with all its rows: appended to, it could be left with half a row, to which nothing can be appended. */
dunlin_result frame_rows_append_csv(const char *path, const machine *host, const frame_row *rows, int count,
                                    dunlin_error *error) {
    output_file file;
    dunlin_result result = frame_rows_check_csv(path, error);
    if (result == DUNLIN_OK) result = output_file_open(&file, path, error);
    if (result != DUNLIN_OK) return result;
    result = write_present(&file, error);
    for (int i = 0; i < count && result == DUNLIN_OK; i++) {
        if (rows[i].repeats > 0) write_row(file.stream, host, &rows[i]);
    }
    if (result == DUNLIN_OK) return output_file_finish(&file, error);
    output_file_drop(&file);
    return result;
}
