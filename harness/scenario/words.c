/* SPDX-License-Identifier: MIT */
#include "harness/scenario/words.h"
#include "harness/scenario/schema.h"
#include "engine/base/control.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WORD = 40 };

static size_t smallest(size_t a, size_t b, size_t c) {
    const size_t smaller = a < b ? a : b;
    return smaller < c ? smaller : c;
}

/* How many letters are added, removed, replaced or swapped with the next: the optimal string alignment. */
static size_t distance_between(const char *a, const char *b) {
    size_t d[MAX_WORD + 1][MAX_WORD + 1] = {{0}};
    const size_t height = strlen(a), width = strlen(b);
    for (size_t i = 0; i <= height; i++) d[i][0] = i;
    for (size_t j = 0; j <= width; j++) d[0][j] = j;
    for (size_t i = 1; i <= height; i++) {
        for (size_t j = 1; j <= width; j++) {
            d[i][j] = smallest(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]), d[i - 1][j] + 1, d[i][j - 1] + 1);
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && d[i - 2][j - 2] + 1 < d[i][j]) d[i][j] = d[i - 2][j - 2] + 1;
        }
    }
    return d[height][width];
}

/* A third of the letters may be wrong. */
static void compare(words *all, const char *word) {
    const size_t length = strlen(all->wanted);
    if (length > MAX_WORD || strlen(word) > MAX_WORD) return;
    const size_t distance = distance_between(all->wanted, word);
    if (3 * distance > length || (all->closest && distance >= all->distance)) return;
    all->closest = word;
    all->distance = distance;
}

void dun_words_add(words *all, const char *word) {
    const size_t length = strlen(all->list), room = sizeof all->list - length;
    if (all->wanted) compare(all, word);
    if (strlen(word) + sizeof ", , …" < room) {
        snprintf(all->list + length, room, "%s%s", length > 0 ? ", " : "", word);
    } else if (!strstr(all->list, "…")) {
        snprintf(all->list + length, room, ", …");
    }
}

void dun_words_add_fields(words *all, const table *of) {
    for (int i = 0; i < dun_table_count(of); i++) dun_words_add(all, dun_table_row(of, i)->name);
}

bool dun_has_controls(const char *text) {
    return dun_has_control(text);
}

const char *dun_words_meant(const words *all, const char *before, char text[WORDS_LENGTH]) {
    text[0] = '\0';
    if (all->closest) snprintf(text, WORDS_LENGTH, "did you mean '%s%s'? ", before, all->closest);
    return text;
}

const char *dun_words_say(const words *all, char text[WORDS_LENGTH]) {
    const size_t used = strlen(dun_words_meant(all, "", text));
    snprintf(text + used, WORDS_LENGTH - used, "allowed: %s", all->list);
    return text;
}
