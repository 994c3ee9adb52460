/* SPDX-License-Identifier: MIT */
/* What dunlin_scenario_schema() and dunlin_scenario_reference() do, for any format: a table with all below it. */
#ifndef DUNLIN_HARNESS_SCENARIO_REFERENCE_H
#define DUNLIN_HARNESS_SCENARIO_REFERENCE_H

#include "harness/scenario/schema.h"

#include <stdio.h>

size_t dun_write_schema(const table *format, char *text, size_t size);
size_t dun_write_reference(const table *format, const char *page, char *text, size_t size);

/* What put(…, of) writes, as snprintf() does: at most `size` bytes of it with the terminator. Returns the length of all; 0: out
 * of memory. */
size_t dun_print(char *text, size_t size, void (*put)(FILE *, const void *), const void *of);

#endif
