/* SPDX-License-Identifier: MIT */
/* Errors are values. These functions fill them in and check values against their ranges. */
#ifndef DUNLIN_ENGINE_CHECK_H
#define DUNLIN_ENGINE_CHECK_H

#include <dunlin/dunlin.h>

/* Fills *error, unless it is NULL, and returns `code`: `return dun_fail(error, DUNLIN_ERROR_VALUE, "…", …);` */
dunlin_result dun_fail(dunlin_error *error, dunlin_result code, const char *format, ...) __attribute__((format(printf, 3, 4)));

dunlin_result dun_fail_memory(dunlin_error *error, const char *what_for);

/* A number's name in messages, such as "interaction.separation.radius", and its limits. */
typedef struct dun_limits {
    const char *field;
    double min, max;
    bool min_open; /* `min` itself is not allowed */
    const char *unit;
} dun_limits;

/* Checks that a value is a number within the range. Infinity passes only if `max` is infinite. */
dunlin_result dun_check(double value, const dun_limits *range, dunlin_error *error);

/* A number, and the range it must be in. */
typedef struct dun_number {
    double value;
    dun_limits range;
} dun_number;

/* Checks numbers in order and reports the first that is out of its range. */
dunlin_result dun_check_numbers(const dun_number *numbers, size_t count, dunlin_error *error);

/* Checks one component of a vector; messages name it "field[axis]". */
dunlin_result dun_check_axis(double value, int axis, const dun_limits *range, dunlin_error *error);

/* Checks a vector whose components must be within ±1e9. */
dunlin_result dun_check_vector(const float vector[3], int dimensions, const char *field, dunlin_error *error);

/* Checks a position in one of the world's lists. `things`: the messages' word for its `count` elements, with a blank before it,
 * or "". */
dunlin_result dun_check_position(int position, int count, const char *field, const char *things, dunlin_error *error);

/* Checks that CSV can hold the name as it is. */
dunlin_result dun_check_name(const char *field, const char *name, dunlin_error *error);

/* Checks that a definition was made by its default function. */
dunlin_result dun_check_cookie(int cookie, const char *type, dunlin_error *error);

enum { DUN_COOKIE = 0x0d0711a5 };

#endif
