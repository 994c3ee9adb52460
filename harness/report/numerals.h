/* SPDX-License-Identifier: MIT */
/* Numbers as people write them. The scenario library, which is not linked with this folder, includes this file, too. */
#ifndef DUNLIN_HARNESS_NUMERALS_H
#define DUNLIN_HARNESS_NUMERALS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends decimal digits; *text is then behind them. false: there are more than 64 bits. */
static inline bool whole_append(uint64_t *value, const char **text) {
    for (; **text >= '0' && **text <= '9'; ++*text) {
        const unsigned digit = (unsigned)(**text - '0');
        if (*value > (UINT64_MAX - digit) / 10) return false;
        *value = 10 * *value + digit;
    }
    return true;
}

/* Multiplies by a power of ten. false: the product is not whole, or has more than 64 bits. */
static inline bool whole_shift(uint64_t *value, long power) {
    for (; power < 0 && *value % 10 == 0 && *value > 0; power++) *value /= 10;
    for (; power > 0 && *value > 0 && *value <= UINT64_MAX / 10; power--) *value *= 10;
    return power == 0 || *value == 0;
}

/* Reads an exponent: "e3", "E-2". false: it is none, or is followed by something. */
static inline bool whole_exponent(const char *text, long *power) {
    if (*text != 'e' && *text != 'E') return false;
    const char *const number = text + 1 + (text[1] == '-' || text[1] == '+');
    const size_t length = strspn(number, "0123456789");
    *power = strtol(text + 1, NULL, 10);
    return length > 0 && length <= 4 && number[length] == '\0';
}

/* "1000", or with an exponent "1e3" and "2.5e6": exactly this number, which must be whole and below 2^64. */
static inline bool whole_parse(const char *text, uint64_t *value) {
    const char *const begin = text;
    long power, decimals = 0;
    *value = 0;
    if (!whole_append(value, &text) || text == begin) return false;
    if (*text == '\0') return true;
    if (*text == '.') {
        const char *const point = text++;
        if (!whole_append(value, &text) || text == point + 1) return false;
        decimals = (long)(text - point - 1);
    }
    return whole_exponent(text, &power) && whole_shift(value, power - decimals);
}

/* Whether the text is a number with a decimal comma, such as "0,5" or "-1,5e3"; then `point` is the same with a point. */
static inline bool comma_numeral(const char *text, char *point, size_t size) {
    static const char digits[] = "0123456789";
    const size_t sign = *text == '-' || *text == '+', whole = strspn(text + sign, digits), comma = sign + whole;
    if (text[comma] != ',' || strlen(text) >= size) return false;
    const size_t decimals = strspn(text + comma + 1, digits);
    const char *const end = text + comma + 1 + decimals;
    long power;
    if (whole == 0 || decimals == 0 || (*end != '\0' && !whole_exponent(end, &power))) return false;
    snprintf(point, size, "%s", text);
    point[comma] = '.';
    return true;
}

#endif
