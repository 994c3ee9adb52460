/* SPDX-License-Identifier: MIT */
#include "engine/base/check.h"
#include "engine/base/c_locale.h"
#include "engine/base/control.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dunlin_result dun_fail(dunlin_error *error, dunlin_result code, const char *format, ...) {
    if (!error) return code;
    DUN_C_LOCALE();
    error->code = code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    dun_escape(error->message, sizeof error->message);
    return code;
}

dunlin_result dun_fail_memory(dunlin_error *error, const char *what_for) {
    return dun_fail(error, DUNLIN_ERROR_MEMORY, "no memory for %s", what_for);
}

/* Enough digits to distinguish a binary32 from its neighbours: 1000001 is not 1e+06. */
static void write_value(double value, char *text, size_t room) {
    snprintf(text, room, "%g", value);
    if (strtof(text, NULL) != (float)value) snprintf(text, room, "%.9g", value);
}

/* Limits are round, or counts, which need all digits: 1048575 is not 1.04858e+06. */
static void write_limit(double limit, char *text, size_t room) {
    const bool counts = limit == floor(limit) && fabs(limit) < 1e15;
    snprintf(text, room, "%g", limit);
    if (counts && strtod(text, NULL) != limit) snprintf(text, room, "%.0f", limit);
}

dunlin_result dun_check(double value, const dun_limits *range, dunlin_error *error) {
    const bool above = range->min_open ? value > range->min : value >= range->min;
    if (above && value <= range->max) return DUNLIN_OK;
    DUN_C_LOCALE();
    char minimum[32], maximum[32], text[32];
    write_limit(range->min, minimum, sizeof minimum);
    write_limit(range->max, maximum, sizeof maximum);
    write_value(value, text, sizeof text);
    const bool ends = isfinite(range->max);
    return dun_fail(error, DUNLIN_ERROR_VALUE, "%s is %s: it must be %s %s%s%s%s%s", range->field, text,
                    range->min_open ? "above" : "at least", minimum, ends ? " and at most " : "", ends ? maximum : "",
                    range->unit ? " " : "", range->unit ? range->unit : "");
}

dunlin_result dun_check_numbers(const dun_number *numbers, size_t count, dunlin_error *error) {
    dunlin_result result = DUNLIN_OK;
    for (size_t i = 0; i < count && !result; i++) result = dun_check(numbers[i].value, &numbers[i].range, error);
    return result;
}

dunlin_result dun_check_axis(double value, int axis, const dun_limits *range, dunlin_error *error) {
    char field[64];
    dun_limits component = *range;
    snprintf(field, sizeof field, "%s[%d]", range->field, axis);
    component.field = field;
    return dun_check(value, &component, error);
}

dunlin_result dun_check_vector(const float vector[3], int dimensions, const char *field, dunlin_error *error) {
    const dun_limits range = {field, -1e9, 1e9, false, NULL};
    dunlin_result result = DUNLIN_OK;
    for (int a = 0; a < dimensions && !result; a++) result = dun_check_axis((double)vector[a], a, &range, error);
    return result;
}

dunlin_result dun_check_position(int position, int count, const char *field, const char *things, dunlin_error *error) {
    if (position >= 0 && position < count) return DUNLIN_OK;
    if (count == 0)
        return dun_fail(error, DUNLIN_ERROR_VALUE, "%s is %d: the world has 0%s; add one and set its number", field, position,
                        things);
    return dun_fail(error, DUNLIN_ERROR_VALUE, "%s is %d: the world has %d%s; set it to 0 .. %d", field, position, count,
                    things, count - 1);
}

dunlin_result dun_check_cookie(int cookie, const char *type, dunlin_error *error) {
    if (cookie == DUN_COOKIE) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE, "the %s was not made by its default function (its cookie is %d)", type, cookie);
}

dunlin_result dun_check_name(const char *field, const char *name, dunlin_error *error) {
    if (!name) return dun_fail(error, DUNLIN_ERROR_VALUE, "%s is NULL: set it to 1 to %d bytes", field, DUNLIN_NAME_LENGTH - 1);
    const size_t length = strlen(name);
    const bool plain = length > 0 && !strpbrk(name, ",\"") && !dun_has_control(name);
    if (length < DUNLIN_NAME_LENGTH && plain) return DUNLIN_OK;
    return dun_fail(error, DUNLIN_ERROR_VALUE,
                    "%s is '%.63s': it must have 1 to %d bytes, none of them a comma, quote or control character", field, name,
                    DUNLIN_NAME_LENGTH - 1);
}
