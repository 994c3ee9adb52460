/* SPDX-License-Identifier: MIT */
#include "harness/report/message.h"
#include "engine/base/control.h"
#include "harness/report/numbers.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

static void write_quoted(FILE *file, const char *text) {
    for (const char *at = text; *at != '\0';) {
        int plain;
        const int escaped = dun_escaped_length(at, &plain);
        if (escaped == 0) fwrite(at, 1, (size_t)plain, file);
        for (int i = 0; i < escaped; i++) fprintf(file, "\\x%02x", (unsigned char)at[i]);
        at += escaped > 0 ? escaped : plain;
    }
}

static void write_values(FILE *file, const char *format, va_list values) {
    char *text;
    if (vasprintf(&text, format, values) < 0) return;
    write_quoted(file, text);
    free(text);
}

void message_write(FILE *file, const char *format, ...) {
    va_list values;
    va_start(values, format);
    write_values(file, format, values);
    va_end(values);
}

void message_print(const char *format, ...) {
    va_list values;
    va_start(values, format);
    fputs("dunlin: ", stderr);
    write_values(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
}

dunlin_result bench_fail(dunlin_error *error, dunlin_result code, const char *format, ...) {
    if (!error) return code;
    error->code = code;
    va_list values;
    va_start(values, format);
    vsnprintf(error->message, sizeof error->message, format, values);
    va_end(values);
    dun_escape(error->message, sizeof error->message);
    return code;
}

dunlin_result first_failure(dunlin_result first, dunlin_error *error, dunlin_result next, const dunlin_error *own) {
    if (next == DUNLIN_OK) return first;
    if (first != DUNLIN_OK) {
        message_print("%s", own->message);
        return first;
    }
    *error = *own;
    return next;
}

/* The terminal is asked every time, because its window may be resized. */
int terminal_width(FILE *file) {
    const char *columns = getenv("COLUMNS");
    uint64_t wanted;
    if (columns && number_parse(columns, 1, 10000, &wanted)) return (int)wanted;
    struct winsize window;
    bool is_known = ioctl(fileno(file), TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
    return is_known ? window.ws_col : TERMINAL_UNLIMITED;
}
