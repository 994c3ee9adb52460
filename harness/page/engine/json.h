/* SPDX-License-Identifier: MIT */
/* A text of JSON that grows as it is written. */
#ifndef DUNLIN_HARNESS_PAGE_JSON_H
#define DUNLIN_HARNESS_PAGE_JSON_H

#include <stdbool.h>
#include <stddef.h>

typedef struct page_json {
    char *text; /* NULL at the start; always terminated afterwards */
    size_t length, room;
    bool out_of_memory; /* what was written after that is lost */
} page_json;

/* Begins again, in the memory that is there. */
void page_json_begin(page_json *json);

/* Writes the format's text as it is. */
void page_json_put(page_json *json, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes a string with its quotes. */
void page_json_put_string(page_json *json, const char *text);

/* Writes a number that reads back as the same bits; null if it is not finite. */
void page_json_put_number(page_json *json, double number);

/* The text; NULL if memory ran out. */
const char *page_json_end(page_json *json);

#endif
