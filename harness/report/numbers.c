/* SPDX-License-Identifier: MIT */
#include "harness/report/numbers.h"
#include "harness/report/numerals.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Only what a person writes: no spaces, no "inf", no hexadecimal digits. A sign before the number is for the caller to read. */
static bool parse(const char *text, double *value) {
    char *end;
    bool is_number = strchr("0123456789.", *text) && *text != '\0' && text[strspn(text, "0123456789.eE+-")] == '\0';
    if (!is_number) return false;
    *value = strtod(text, &end);
    return *end == '\0';
}

bool number_parse(const char *text, uint64_t low, uint64_t high, uint64_t *value) {
    uint64_t parsed;
    if (!whole_parse(text, &parsed) || parsed < low || parsed > high) return false;
    *value = parsed;
    return true;
}

bool number_parse_decimal(const char *text, double low, double high, double *value) {
    const bool is_negative = *text == '-';
    double parsed;
    if (!parse(text + is_negative, &parsed)) return false;
    if (is_negative) parsed = -parsed;
    if (!(parsed >= low && parsed <= high)) return false;
    *value = parsed;
    return true;
}

void number_group(uint64_t value, char text[NUMBER_LENGTH]) {
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%" PRIu64, value);
    int at = 0;
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0) text[at++] = ' ';
        text[at++] = digits[i];
    }
    text[at] = '\0';
}

void number_short(double value, char text[NUMBER_LENGTH]) {
    static const char *const units[] = {"", " thousand", " million", " billion", " trillion"};
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1000.0;
        unit++;
    }
    int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    snprintf(text, NUMBER_LENGTH, "%.*f%s", decimals, value, units[unit]);
}

void number_duration(double seconds, char text[NUMBER_LENGTH]) {
    if (seconds < 0.9995) {
        snprintf(text, NUMBER_LENGTH, "%.*f ms", seconds < 0.0995 ? 1 : 0, seconds * 1e3);
    } else if (seconds < 99.95) {
        snprintf(text, NUMBER_LENGTH, "%.1f s", seconds);
    } else if (seconds < 5999.5) {
        long whole = lround(seconds);
        snprintf(text, NUMBER_LENGTH, "%ld min %02ld s", whole / 60, whole % 60);
    } else {
        double minutes = fmin(seconds / 60.0, 1e12);
        snprintf(text, NUMBER_LENGTH, "%.0f h %02.0f min", floor(minutes / 60.0), fmod(minutes, 60.0));
    }
}
