/* SPDX-License-Identifier: MIT */
#include "engine/state/state.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/check.h"

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

bool dun_parse_whole(const char *text, unsigned long long *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && !*end && !errno;
}

/* strtod() accepts far more: 0x1p3, inf, nan(1), leading blanks. */
static bool is_decimal(const char *text, const char *end) {
    return end > text && !*end && text[strspn(text, "+-.0123456789eE")] == '\0';
}

bool dun_parse_float(const char *text, float *value) {
    char *end;
    *value = strtof(text, &end);
    return is_decimal(text, end) && isfinite(*value);
}

bool dun_parse_double(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    return is_decimal(text, end) && isfinite(*value);
}

/* ---- lines ------------------------------------------------------------------------------------------------------------ */

dunlin_result dun_lines_fail(const dun_lines *lines, const char *what, const char *value, const char *allowed) {
    return dun_fail(lines->error, DUNLIN_ERROR_FILE, "%s:%lu: %s '%.40s': %s", lines->name, lines->number, what, value,
                    allowed);
}

dunlin_result dun_lines_fail_cut(const dun_lines *lines) {
    return dun_lines_fail(lines, "line", lines->text, "it does not end with a line feed: the file is cut short here");
}

static dunlin_result fail_text(dun_lines *lines, size_t length, const char *problem) {
    lines->text[length] = '\0';
    return dun_lines_fail(lines, "line", lines->text, problem);
}

/* Reads up to the line's end; `c` is the line's first character. */
static dunlin_result read_line(dun_lines *lines, int c) {
    size_t length = 0;
    for (; c != '\n' && c != EOF; c = getc_unlocked(lines->file)) {
        if (c == '\r') {
            c = getc_unlocked(lines->file);
            if (c == '\n') break;
            return fail_text(
                lines, length,
                "a carriage return follows: lines must end with a line feed, or with a carriage return and a line feed");
        }
        if (c == '\0') return fail_text(lines, length, "a zero byte follows, so this is not CSV");
        if (length == DUN_STATE_MAX_LINE)
            return fail_text(lines, length, "the line is too long: it may have at most 65536 bytes");
        lines->text[length++] = (char)c;
    }
    lines->text[length] = '\0';
    lines->ended = c == '\n';
    return DUNLIN_OK;
}

/* Some programs write this mark at the start of a UTF-8 file. */
static void skip_byte_order_mark(dun_lines *lines) {
    static const char mark[] = "\xef\xbb\xbf";
    if (strncmp(lines->text, mark, 3) == 0) memmove(lines->text, lines->text + 3, strlen(lines->text + 3) + 1);
}

static bool is_blank(const char *text) {
    return text[strspn(text, " \t")] == '\0';
}

dunlin_result dun_lines_next(dun_lines *lines, bool *found) {
    for (;;) {
        errno = 0;
        const int c = getc_unlocked(lines->file);
        *found = c != EOF;
        if (*found) {
            lines->number++;
            const dunlin_result result = read_line(lines, c);
            if (result) return result;
        }
        if (ferror(lines->file))
            return dun_fail(lines->error, DUNLIN_ERROR_FILE, "%s: cannot be read: %s", lines->name, strerror(errno));
        if (lines->number == 1) skip_byte_order_mark(lines);
        if (!*found || lines->number == 1 || !is_blank(lines->text)) return DUNLIN_OK;
        if (++lines->blanks > DUN_STATE_MAX_BLANKS)
            return fail_text(lines, 0, "a million blank lines come before it: at most a million may be blank");
    }
}
