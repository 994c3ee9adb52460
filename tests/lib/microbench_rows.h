/* SPDX-License-Identifier: MIT */
/* The rows of JSON that Google Benchmark writes. */
#ifndef DUNLIN_TESTS_MICROBENCH_ROWS_H
#define DUNLIN_TESTS_MICROBENCH_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>

/* Reads the document, or fails if it is not valid. Free it with json_decref(). */
json_t *rows_load(const char *path);

size_t rows_count(const json_t *document);
const json_t *rows_at(const json_t *document, size_t position);

/* The row with exactly that name, or NULL. */
const json_t *rows_find(const json_t *document, const char *name);

/* A value of a row or of the document's context; these fail if there is none. */
const char *row_name(const json_t *row);
const char *row_text(const json_t *row, const char *key);
double row_number(const json_t *row, const char *key);
const char *rows_context(const json_t *document, const char *key);

bool row_has(const json_t *row, const char *key);

/* Fails if the number differs from `want` by more than `tolerance` times `want`. */
void row_expect(const json_t *row, const char *key, double want, double tolerance);

/* A file's text, in one of two static buffers that take turns. */
const char *text_of_file(const char *path);

#endif
