/* SPDX-License-Identifier: MIT */
/* Messages: lists of what is allowed, and what a misspelled word may have meant. */
#ifndef DUNLIN_HARNESS_SCENARIO_WORDS_H
#define DUNLIN_HARNESS_SCENARIO_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct table;

enum { WORDS_LENGTH = 320 };

/* Begin with {.wanted = word}, or with {0} for a list without a suggestion. */
typedef struct words {
    const char *wanted;
    const char *closest; /* a word that `wanted` may have meant; NULL: none */
    size_t distance;
    char list[240]; /* "a, b, c"; where it ends in …, there are more */
} words;

void dun_words_add(words *all, const char *word);

/* The names of a table's rows, except older forms. */
void dun_words_add_fields(words *all, const struct table *of);

/* "did you mean '--steps'? ", where `before` is "--", or nothing. Returns `text`. */
const char *dun_words_meant(const words *all, const char *before, char text[WORDS_LENGTH]);

/* "did you mean 'speed'? allowed: a, b, c", or without the first part. Returns `text`. */
const char *dun_words_say(const words *all, char text[WORDS_LENGTH]);

/* Whether a text has line breaks or other control characters. */
bool dun_has_controls(const char *text);

#endif
