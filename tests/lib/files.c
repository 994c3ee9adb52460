/* SPDX-License-Identifier: MIT */
#include "tests/lib/files.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

void write_below(const char *root, const char *path, const char *text) {
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = strchr(whole, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (*whole) mkdir(whole, 0777);
        *slash = '/';
    }
    write_file(whole, text);
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

void for_each_file(const char *folder, const char *ending, int least, void (*use)(const char *path, int number)) {
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, alphasort);
    int used = 0;
    for (int i = 0; i < count; i++) {
        char path[512];
        const char *name = entries[i]->d_name;
        const size_t length = strlen(name), end = strlen(ending);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (length > end && strcmp(name + length - end, ending) == 0) use(path, used++);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    if (used < least) fail_msg("%s has %d files %s, fewer than %d", folder, used, ending, least);
}
