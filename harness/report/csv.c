/* SPDX-License-Identifier: MIT */
#include "harness/report/csv.h"
#include "harness/report/message.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    if (!isnan(value)) fprintf(file, "%.17g", value);
}

void csv_count(FILE *file, uint64_t value) {
    begin_field(file);
    fprintf(file, "%" PRIu64, value);
}

char *csv_next(char **at) {
    char *field = *at, *to = field;
    bool is_quoted = false;
    for (; **at != '\0' && (is_quoted || **at != ','); (*at)++) {
        if (**at != '"')
            *to++ = **at;
        else if (is_quoted && (*at)[1] == '"')
            *to++ = *(*at)++;
        else
            is_quoted = !is_quoted;
    }
    const bool is_last = **at == '\0';
    *to = '\0';
    *at = is_last ? NULL : *at + 1;
    return field;
}

bool csv_read_number(const char *text, double *value) {
    char *end = NULL;
    *value = *text == '\0' ? (double)NAN : strtod(text, &end);
    return !end || *end == '\0';
}

static dunlin_result fail(const char *path, const char *problem, dunlin_error *error) {
    return bench_fail(error, DUNLIN_ERROR_FILE, "cannot append to %s: %s", path, problem);
}

/* The whole contents, so that nothing of them is lost where the file is then opened to be written again. */
static dunlin_result read_rows(const char *path, const char *header, char **rows, dunlin_error *error) {
    FILE *file = fopen(path, "r+");
    if (!file) return fail(path, strerror(errno), error);
    size_t size = 0;
    const ssize_t length = getdelim(rows, &size, '\0', file);
    const bool is_read = feof(file) && !ferror(file);
    fclose(file);
    if (!is_read) return fail(path, "it cannot be read", error);
    if (strncmp(*rows, header, strlen(header)) != 0)
        return fail(path, "it begins with another header than the one of these rows", error);
    return (*rows)[length - 1] == '\n' ? DUNLIN_OK : fail(path, "its last line has no end", error);
}

static bool has_rows(const char *path) {
    struct stat status;
    return !output_file_is_stdout(path) && stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
}

/* The file is written again with all its rows: appended to, it could end in half a row, to which nothing can be appended. */
dunlin_result csv_open(output_file *file, const char *path, const char *header, dunlin_error *error) {
    char *rows = NULL;
    *file = (output_file){0};
    dunlin_result result = has_rows(path) ? read_rows(path, header, &rows, error) : DUNLIN_OK;
    if (result == DUNLIN_OK) result = output_file_open(file, path, error);
    /* Rows are still there after opening only where standard output goes to the file. */
    if (result == DUNLIN_OK && !(file->replacement.is_direct && has_rows(path))) fputs(rows ? rows : header, file->stream);
    free(rows);
    return result;
}

dunlin_result csv_check(const char *path, const char *header, dunlin_error *error) {
    struct stat status;
    if (output_file_is_stdout(path)) return DUNLIN_OK;
    /* A pipe must not be opened: once closed, it is at its end. */
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return access(path, W_OK) == 0 ? DUNLIN_OK : fail(path, strerror(errno), error);
    output_file file;
    dunlin_result result = csv_open(&file, path, header, error);
    /* Opening has emptied a file that is written directly, so its rows are put back. */
    if (result == DUNLIN_OK && file.replacement.is_direct) return output_file_finish(&file, error);
    output_file_drop(&file);
    return result;
}
