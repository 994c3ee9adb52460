/* SPDX-License-Identifier: MIT */
#include "harness/scenario/words.h"
#include "harness/report/control.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WORD = 40 };

static size_t smallest(size_t a, size_t b, size_t c) {
    const size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Levenshtein's: how many letters are to be added, removed or replaced. */
static size_t distance_between(const char *a, const char *b) {
    const size_t width = strlen(b);
    size_t row[MAX_WORD + 1];
    for (size_t j = 0; j <= width; j++) row[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            const size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = smallest(replaced, row[j] + 1, diagonal + 1);
        }
    }
    return row[width];
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

void dun_words_say(const words *all, char *text, size_t size) {
    if (all->closest)
        snprintf(text, size, "did you mean '%s'? allowed: %s", all->closest, all->list);
    else
        snprintf(text, size, "allowed: %s", all->list);
}

void dun_mask_control(char *message) {
    for (; *message != '\0'; message++) {
        for (int length = control_length(message); length > 0; length--) message[length - 1] = '?';
    }
}
