/* SPDX-License-Identifier: MIT */
#include "message.h"

#include <stdarg.h>
#include <stdlib.h>

/* How many bytes of a control character begin here, or 0: those of ASCII, and U+0080 .. U+009F in UTF-8. */
static int control_length(const unsigned char *at) {
    if (at[0] < 0x20 || at[0] == 0x7f) return 1;
    return at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0 ? 2 : 0;
}

static void write_quoted(FILE *file, const char *text) {
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; ++at) {
        int length = control_length(at);
        if (length == 0) fputc(*at, file);
        for (int i = 0; i < length; ++i) fprintf(file, "\\x%02x", at[i]);
        if (length > 1) ++at;
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
