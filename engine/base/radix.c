/* SPDX-License-Identifier: MIT */
#include "engine/base/radix.h"

#include <stdbool.h>
#include <string.h>

enum { KEY_BYTES = 8, DIGITS = 256 };

static uint32_t digit_of(uint64_t key, int byte) {
    return (uint32_t)(key >> (8 * byte)) % DIGITS;
}

/* Turns counts into the places of the first items. false: all items have one digit. */
static bool find_places(uint32_t places[DIGITS], uint32_t count) {
    uint32_t place = 0;
    for (int d = 0; d < DIGITS; d++) {
        const uint32_t here = places[d];
        if (here == count) return false;
        places[d] = place;
        place += here;
    }
    return true;
}

void dun_radix_sort(dun_keyed *items, dun_keyed *spare, uint32_t count) {
    uint32_t places[KEY_BYTES][DIGITS] = {{0}};
    dun_keyed *from = items, *to = spare;
    for (uint32_t i = 0; i < count; i++)
        for (int byte = 0; byte < KEY_BYTES; byte++) places[byte][digit_of(items[i].key, byte)]++;
    for (int byte = 0; byte < KEY_BYTES && count > 0; byte++) {
        if (!find_places(places[byte], count)) continue;
        for (uint32_t i = 0; i < count; i++) to[places[byte][digit_of(from[i].key, byte)]++] = from[i];
        dun_keyed *const sorted = to;
        to = from;
        from = sorted;
    }
    if (from != items) memcpy(items, from, count * sizeof *items);
}
