/* SPDX-License-Identifier: MIT */
/* Small files that tests write and read. */
#ifndef DUNLIN_TESTS_FILES_H
#define DUNLIN_TESTS_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Both replace the file, and fail the test if they cannot. */
void write_file(const char *path, const char *text);
void write_bytes(const char *path, const void *bytes, size_t length);

/* Writes to root/path, and makes its folders. */
void write_below(const char *root, const char *path, const char *text);

/* Reads up to `most` bytes. false: the file cannot be opened. */
bool read_bytes(const char *path, void *bytes, size_t most, size_t *length);

/* Reads up to size - 1 characters, and a zero after them; fails the test if it cannot. Returns how many it has read. */
size_t read_text_file(const char *path, char *text, size_t size);

/* Calls `use` with the path of each file in the folder that has this ending, in the order of their names, and numbers them.
 * Fails the test if there are fewer than `least`. */
void for_each_file(const char *folder, const char *ending, int least, void (*use)(const char *path, int number));

/* A command of the shell that empties the test's own folder, or "/NAME" in it, from wherever the test runs. */
#define EMPTY_OWN_FOLDER(name) "cd '" DUNLIN_TEST_FOLDER name "' && rm -rf ./* ./.dunlin-*"

#endif
