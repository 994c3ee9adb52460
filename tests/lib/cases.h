/* SPDX-License-Identifier: MIT */
/* Cases that are data and not code: text files, most of them in tests/program/cases/. */
#ifndef DUNLIN_TESTS_CASES_H
#define DUNLIN_TESTS_CASES_H

#include <stddef.h>

enum { CASE_WORDS = 16 };

/*
 * A case begins with the line ">>> WORD | WORD | ...", and the lines up to the next such line are its text. ">>> # ..." begins
 * no case but a comment, which ends there, too.
 */
typedef struct test_case {
    const char *word[CASE_WORDS]; /* after the last one NULL */
    const char *text;             /* "": it has none */
    int line;                     /* of its first line in the file */
} test_case;

/* Calls `use` with each case of tests/NAME. Fails the test if there are fewer than `least`. */
void for_each_case(const char *name, int least, void (*use)(const test_case *c));

/* The text of tests/program/cases/NAME, a scenario for instance. It lives until the test ends. */
const char *case_text(const char *name);

/* Fails the test unless the message contains these words, up to NULL. A word that begins with "!" it must not contain. */
void expect_words(const test_case *c, const char *const words[], const char *message);

#endif
