/* SPDX-License-Identifier: MIT */
#include "tests/lib/cases.h"

#include <stdio.h>
#include <string.h>

#include "tests/lib/files.h"
#include "tests/lib/test.h"

/* Where the next line is that begins a case, or NULL. */
static char *find_begin(char *text) {
    if (strncmp(text, ">>> ", 4) == 0) return text;
    char *before = strstr(text, "\n>>> ");
    return before ? before + 1 : NULL;
}

static void split(char *line, const char *word[CASE_WORDS]) {
    int count = 0;
    for (char *next; line; line = next) {
        next = strstr(line, " | ");
        if (next) {
            *next = '\0';
            next += strlen(" | ");
        }
        assert_true(count < CASE_WORDS - 1);
        word[count++] = line;
    }
    word[count] = NULL;
}

static int count_lines(const char *from, const char *to) {
    int lines = 0;
    for (; from < to; from++) lines += *from == '\n';
    return lines;
}

void for_each_case(const char *name, int least, void (*use)(const test_case *c)) {
    static char file[1 << 17], path[512];
    int used = 0;
    snprintf(path, sizeof path, "%s/%s", DUNLIN_TESTS_DIR, name);
    assert_true(read_text_file(path, file, sizeof file) < sizeof file - 1);
    char *begin = find_begin(file), *next;
    assert_non_null(begin);
    for (int line = 1 + count_lines(file, begin), lines; begin; begin = next, line += lines) {
        char *head = begin + strlen(">>> "), *text = strchr(head, '\n') + 1;
        next = find_begin(text);
        lines = 1 + count_lines(text, next ? next : text);
        text[-1] = '\0';
        if (next) *next = '\0';
        test_case c = {.text = text, .line = line};
        split(head, c.word);
        if (c.word[0][0] == '#') continue;
        use(&c);
        used++;
    }
    if (used < least) fail_msg("%s has %d cases, fewer than %d", name, used, least);
}

const char *case_text(const char *name) {
    enum { MOST = 1 << 13 };
    char path[512], *text = malloc(MOST);
    assert_non_null(text);
    end_after_test(text, free);
    snprintf(path, sizeof path, "%s/program/cases/%s", DUNLIN_TESTS_DIR, name);
    assert_true(read_text_file(path, text, MOST) < MOST - 1);
    return text;
}

void expect_words(const test_case *c, const char *const words[], const char *message) {
    for (; *words; words++) {
        const bool is_wanted = **words != '!';
        if (!strstr(message, *words + !is_wanted) == is_wanted)
            fail_msg("line %d: '%s' is %s by: %s", c->line, *words + !is_wanted, is_wanted ? "not said" : "said", message);
    }
}
