/* SPDX-License-Identifier: MIT */
/* What dunlin_scenario_schema() and dunlin_scenario_reference() do, for any format: a table with all below it. */
#ifndef DUNLIN_HARNESS_SCENARIO_REFERENCE_H
#define DUNLIN_HARNESS_SCENARIO_REFERENCE_H

#include "harness/scenario/schema.h"

#include <stdio.h>

/* Writes the JSON Schema of `format`, a table. */
void dun_put_schema(FILE *to, const void *format);

/* A page, and the format with the tables that it shows. */
typedef struct reference_page {
    const char *text;
    const table *format;
} reference_page;

/* Writes a reference_page with its tables brought up to date. */
void dun_put_page(FILE *to, const void *page);

/* What put(…, of) writes, as snprintf() does: at most `size` bytes of it with the terminator. Returns the length of all; 0: out
 * of memory. */
size_t dun_print(char *text, size_t size, void (*put)(FILE *, const void *), const void *of);

#endif
