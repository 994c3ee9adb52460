/* SPDX-License-Identifier: MIT */
/*
 * What commands read: files that the command line names. Each is opened once, so that it may be a pipe, and claimed, so that no
 * output replaces it (claim.h).
 */
#ifndef DUNLIN_HARNESS_INPUT_H
#define DUNLIN_HARNESS_INPUT_H

#include <dunlin/dunlin.h>

#include <stdbool.h>
#include <stdio.h>

enum { INPUT_TEXT_BYTES = 1 << 20, INPUT_PATH = 32 }; /* of a scenario or a study */

/* Whether that path is standard input. */
bool input_is_stdin(const char *path);

/* What messages call it: "standard input", or the path. */
const char *input_name(const char *path);

/* Opens it for reading from its beginning, or, of standard input, from where that stands. `use` says what it is, such as "the
 * scenario", and must outlive the command. Close the stream, which is NULL after a failure. */
dunlin_result input_open(FILE **stream, const char *use, const char *path, dunlin_error *error);

/* Reads the rest of what is no regular file into memory, and lets the stream stand at its beginning: then it can be sought in.
 * `name` is for messages. */
dunlin_result input_make_seekable(FILE **stream, const char *name, dunlin_error *error);

/* Writes a path under which a regular file that is open can be opened again. */
void input_reopen_path(FILE *stream, char path[INPUT_PATH]);

/* Reads a whole text, but not more than INPUT_TEXT_BYTES and one: then it is too long. free() *text in any case. */
dunlin_result input_read_text(const char *use, const char *path, char **text, size_t *length, dunlin_error *error);

#endif
