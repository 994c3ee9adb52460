/* SPDX-License-Identifier: MIT */
/* What no message may have: an enumerator's number, which only headers explain, or a character that a terminal obeys. */
#ifndef DUNLIN_TESTS_PLAIN_H
#define DUNLIN_TESTS_PLAIN_H

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Fields that are enumerators, as messages name them. check_messages.sh finds one that is missing here. */
static const char *const plain_enumerations[] = {
    "boundary",     "axis_boundary", "integrator", "region",     "response", "falloff", "kin",         "order", "role",
    "distribution", "lookup",        "kind",       "prediction", "corner",   "shape",   "off_segment", "signal"};

/* The length of the whole number that begins here; 0: none does. */
static inline size_t plain_digits(const char *text) {
    const size_t sign = *text == '-', digits = strspn(text + sign, "0123456789");
    return digits > 0 ? sign + digits : 0;
}

/* "open (3)" */
static inline bool plain_has_number_in_brackets(const char *message) {
    for (const char *at = strstr(message, " ("); at; at = strstr(at + 1, " ("))
        if (plain_digits(at + 2) > 0 && at[2 + plain_digits(at + 2)] == ')') return true;
    return false;
}

/* "role 11", "role is 8", unless it is out of range: "role is 99: it must be one of value, mass". */
static inline bool plain_has_number_of(const char *message, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(message, word); at; at = strstr(at + 1, word)) {
        if (at > message && (isalnum((unsigned char)at[-1]) || at[-1] == '_')) continue;
        const bool is = strncmp(at + length, " is ", 4) == 0;
        if (!is && strcmp(word, "role") != 0) continue;
        const char *number = at + length + (is ? 4 : at[length] == ' ');
        const char *end = number + plain_digits(number);
        if (end > number && *end != '.' && strncmp(end, ": it must be one of", 19) != 0) return true;
    }
    return false;
}

/* An end of line, or an override, isolate or mark of direction: U+061C, U+200E, U+200F, U+2028 .. U+202E, U+2066 .. U+2069. */
static inline bool plain_turns_text(const unsigned char *at) {
    if (at[0] == 0xd8) return at[1] == 0x9c;
    if (at[0] != 0xe2) return false;
    return (at[1] == 0x80 && (at[2] == 0x8e || at[2] == 0x8f || (at[2] >= 0xa8 && at[2] <= 0xae))) ||
           (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9);
}

/* The bytes of the character of UTF-8 that begins here; 0: there is none. */
static inline size_t plain_bytes(const unsigned char *at) {
    const size_t bytes = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < bytes; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    const bool is_odd = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0) ||
                        (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90);
    return is_odd ? 0 : bytes;
}

/* What is wrong with a message of one line; NULL: nothing. */
static inline const char *plain_fault(const char *message) {
    if (plain_has_number_in_brackets(message)) return "an enumerator's number in brackets";
    for (size_t i = 0; i < sizeof plain_enumerations / sizeof *plain_enumerations; i++)
        if (plain_has_number_of(message, plain_enumerations[i])) return plain_enumerations[i];
    for (const unsigned char *at = (const unsigned char *)message; *at; at += plain_bytes(at)) {
        if (plain_bytes(at) == 0) return "a byte that is no UTF-8";
        if (*at < ' ' || *at == 0x7f || (*at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0)) return "a control character";
        if (plain_turns_text(at)) return "a character that turns text";
    }
    return NULL;
}

#endif
