/* SPDX-License-Identifier: MIT */
#include "tests/lib/files.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

void write_bytes(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    if (!file) fail_msg("%s cannot be written: %s", path, strerror(errno));
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

void write_file(const char *path, const char *text) {
    write_bytes(path, text, strlen(text));
}

bool read_bytes(const char *path, void *bytes, size_t most, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    *length = fread(bytes, 1, most, file);
    fclose(file);
    return true;
}

size_t read_text_file(const char *path, char *text, size_t size) {
    size_t length = 0;
    if (!read_bytes(path, text, size - 1, &length)) fail_msg("%s cannot be read: %s", path, strerror(errno));
    text[length] = '\0';
    return length;
}
