/* SPDX-License-Identifier: MIT */
/*
 * Messages quote text from files and callers. Characters in it that a terminal obeys, or that turn the direction of the text
 * after them, stand there as \x1b, byte by byte, and so do bytes that are no UTF-8.
 *
 * This file uses nothing else of the engine, and the scenario library and the program include it, too.
 */
#ifndef DUNLIN_ENGINE_CONTROL_H
#define DUNLIN_ENGINE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The code point that begins here in UTF-8, and its bytes; 0 bytes: there is none. */
static inline int dun_utf8_decode(const char *text, uint32_t *point) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    const int bytes = at[0] < 0x80 ? 1 : at[0] < 0xc0 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf8 ? 4 : 0;
    *point = bytes > 1 ? at[0] & (0x7fu >> bytes) : at[0];
    for (int i = 1; i < bytes; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
        *point = *point << 6 | (at[i] & 0x3f);
    }
    return *point < least[bytes] || *point > 0x10ffff || (*point >= 0xd800 && *point < 0xe000) ? 0 : bytes;
}

/* C0, DEL and C1; ends of lines and paragraphs; marks, embeddings, overrides and isolates of direction. */
static inline bool dun_is_control(uint32_t point) {
    return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c || point == 0x200e || point == 0x200f ||
           (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

/* The length in bytes of the control character at `text`; 0: there is none. */
static inline int dun_control_length(const char *text) {
    uint32_t point;
    const int bytes = dun_utf8_decode(text, &point);
    return bytes > 0 && dun_is_control(point) ? bytes : 0;
}

static inline bool dun_has_control(const char *text) {
    while (*text != '\0' && dun_control_length(text) == 0) text++;
    return *text != '\0';
}

/* The length in bytes of what is shown as \x..: a control character, or a byte that is no UTF-8; else 0, and *plain is the
 * length of the character. */
static inline int dun_escaped_length(const char *text, int *plain) {
    uint32_t point;
    *plain = dun_utf8_decode(text, &point);
    if (*plain == 0) return 1;
    return dun_is_control(point) ? *plain : 0;
}

/* Writes a byte as \x.. in place of it, within room for `size` bytes from here. false: what follows it is cut off. */
static inline bool dun_escape_byte(char *at, size_t size) {
    static const char digits[] = "0123456789abcdef";
    const unsigned byte = (unsigned char)*at;
    const size_t rest = strlen(at + 1), room = size < 5 ? 0 : size - 5, kept = rest < room ? rest : room;
    if (size < 5) {
        *at = '\0';
        return false;
    }
    memmove(at + 4, at + 1, kept);
    at[4 + kept] = '\0';
    memcpy(at, (const char[]){'\\', 'x', digits[byte >> 4], digits[byte & 15]}, 4);
    return kept == rest;
}

/* Escapes in place, within `size` bytes. What has no room is cut off, with the character that the cut goes through. */
static inline void dun_escape(char *text, size_t size) {
    bool is_cut = strlen(text) + 1 >= size;
    for (char *at = text; *at != '\0';) {
        int plain, escaped = dun_escaped_length(at, &plain);
        if (is_cut && plain == 0 && strlen(at) < 4 && (at[0] & 0xc0) == 0xc0) {
            *at = '\0';
            return;
        }
        at += escaped > 0 ? 0 : plain;
        for (; escaped > 0 && *at != '\0'; escaped--) {
            is_cut = !dun_escape_byte(at, size - (size_t)(at - text)) || is_cut;
            at += *at == '\0' ? 0 : 4;
        }
    }
}

#endif
