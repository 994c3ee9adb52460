/* SPDX-License-Identifier: MIT */
/* Small files that tests write. */
#ifndef DUNLIN_TESTS_FILES_H
#define DUNLIN_TESTS_FILES_H

#include <stddef.h>

/* Both replace the file, and fail the test if they cannot. */
void write_file(const char *path, const char *text);
void write_bytes(const char *path, const void *bytes, size_t length);

#endif
