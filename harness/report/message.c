/* SPDX-License-Identifier: MIT */
#include "harness/report/message.h"
#include "harness/report/control.h"

#include <stdarg.h>
#include <stdlib.h>

static void write_quoted(FILE *file, const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        int length = control_length(at);
        if (length == 0) fputc(*at, file);
        for (int i = 0; i < length; i++) fprintf(file, "\\x%02x", (unsigned char)at[i]);
        if (length > 1) at++;
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
