/* SPDX-License-Identifier: MIT */
#include "harness/report/csv.h"
#include "harness/report/message.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- fields ----------------------------------------------------------------------------------------------------------- */

/* Whether the row that is being written has a field. One thread writes one row at a time. */
static _Thread_local bool has_field;

static void begin_field(FILE *file) {
    if (has_field) fputc(',', file);
    has_field = true;
}

void csv_end_row(FILE *file) {
    fputc('\n', file);
    has_field = false;
}

void csv_text(FILE *file, const char *text) {
    bool is_quoted = strpbrk(text, ",\"\r\n");
    begin_field(file);
    if (is_quoted) fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', file);
        fputc(*text, file);
    }
    if (is_quoted) fputc('"', file);
}

void csv_number(FILE *file, double value) {
    begin_field(file);
    if (!isnan(value)) fprintf(file, "%.9g", value);
}

void csv_exact_number(FILE *file, double value) {
    begin_field(file);
    fprintf(file, "%.17g", value);
}

void csv_count(FILE *file, uint64_t value) {
    begin_field(file);
    fprintf(file, "%" PRIu64, value);
}

void csv_hash(FILE *file, uint64_t value) {
    begin_field(file);
    if (value != 0) fprintf(file, "%016" PRIx64, value);
}

/* ---- the file --------------------------------------------------------------------------------------------------------- */

static dunlin_result fail(const char *path, const char *problem, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot append to %s: %s", path, problem);
}

static bool has_header(FILE *file, const char *header) {
    for (const char *at = header; *at != '\0'; at++) {
        if (fgetc(file) != *at) return false;
    }
    return true;
}

static bool ends_with_line(FILE *file) {
    return fseek(file, -1, SEEK_END) == 0 && fgetc(file) == '\n';
}

static dunlin_result check_present(const char *path, const char *header, dunlin_error *error) {
    FILE *file = fopen(path, "r+");
    if (!file) return fail(path, strerror(errno), error);
    dunlin_result result = DUNLIN_OK;
    if (!has_header(file, header)) {
        result = fail(path, "it begins with another header than the one of these rows", error);
    } else if (!ends_with_line(file)) {
        result = fail(path, "its last line has no end", error);
    }
    fclose(file);
    return result;
}

static bool has_rows(const struct stat *status) {
    return S_ISREG(status->st_mode) && status->st_size > 0;
}

/* Whether a file can be made there; makes none. */
static dunlin_result check_place(const char *path, dunlin_error *error) {
    output_file file;
    dunlin_result result = output_file_open(&file, path, error);
    output_file_drop(&file);
    return result;
}

dunlin_result csv_check(const char *path, const char *header, dunlin_error *error) {
    struct stat status;
    if (output_file_is_stdout(path)) return DUNLIN_OK;
    bool exists = stat(path, &status) == 0;
    /* A pipe must not be opened: once closed, it is at its end. */
    if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return access(path, W_OK) == 0 ? DUNLIN_OK : fail(path, strerror(errno), error);
    dunlin_result result = check_place(path, error);
    return result == DUNLIN_OK && exists && has_rows(&status) ? check_present(path, header, error) : result;
}

static bool copy(FILE *from, FILE *to) {
    char bytes[4096];
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, from)) > 0;) fwrite(bytes, 1, count, to);
    return !ferror(from);
}

/* Begins with what the file holds so far, or with the header. */
static dunlin_result write_present(const output_file *file, const char *header, dunlin_error *error) {
    struct stat status;
    bool is_begun = stat(file->path, &status) == 0 && has_rows(&status);
    if (!is_begun) fputs(header, file->stream);
    if (!is_begun || file->replacement.is_direct) return DUNLIN_OK;
    FILE *present = fopen(file->path, "r");
    if (!present) return fail(file->path, strerror(errno), error);
    bool is_copied = copy(present, file->stream);
    fclose(present);
    return is_copied ? DUNLIN_OK : fail(file->path, "it cannot be read", error);
}

/* The file is written anew with all its rows: appended to, it could end in half a row, to which nothing can be appended. */
dunlin_result csv_open(output_file *file, const char *path, const char *header, dunlin_error *error) {
    dunlin_result result = csv_check(path, header, error);
    if (result == DUNLIN_OK) result = output_file_open(file, path, error);
    if (result != DUNLIN_OK) return result;
    result = write_present(file, header, error);
    if (result != DUNLIN_OK) output_file_drop(file);
    return result;
}
