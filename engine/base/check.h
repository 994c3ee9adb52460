/* SPDX-License-Identifier: MIT */
/* Errors are values: these fill them in, and check values against their ranges. */
#ifndef DUNLIN_ENGINE_CHECK_H
#define DUNLIN_ENGINE_CHECK_H

#include <dunlin/dunlin.h>

/* Fills *error, where there is one, and returns `code`: `return dun_fail(error, DUNLIN_ERROR_VALUE, "…", …);` */
dunlin_result dun_fail(dunlin_error *error, dunlin_result code, const char *format, ...) __attribute__((format(printf, 3, 4)));

dunlin_result dun_fail_memory(dunlin_error *error, const char *what_for);

/* A number's place, as messages name it: "interaction.separation.radius". */
typedef struct dun_range {
    const char *field;
    double low, high;
    bool low_open; /* low itself is not allowed */
    const char *unit;
} dun_range;

/* Finite and within the range; infinity only where `high` is. */
dunlin_result dun_check(double value, const dun_range *range, dunlin_error *error);

/* A number, and the range it must be in. */
typedef struct dun_number {
    double value;
    dun_range range;
} dun_number;

/* Checks numbers in order and reports the first that is out of its range. */
dunlin_result dun_check_numbers(const dun_number *numbers, size_t count, dunlin_error *error);

/* Checks one component of a vector; messages name it "field[axis]". */
dunlin_result dun_check_axis(double value, int axis, const dun_range *range, dunlin_error *error);

/* Checks a vector whose components must be within ±1e9. */
dunlin_result dun_check_vector(const float vector[3], int dimensions, const char *field, dunlin_error *error);

/* Checks an enumerator, 0 .. last. */
dunlin_result dun_check_choice(int value, const char *field, int last, dunlin_error *error);

/* A position in one of the world's lists, of `count` things; `things` is what messages call them, with a blank before it, or
 * "". */
dunlin_result dun_check_position(int position, int count, const char *field, const char *things, dunlin_error *error);

/* A name that CSV can hold as it is. */
dunlin_result dun_check_name(const char *field, const char *name, dunlin_error *error);

/* A dunlin_*_def that was not made by its default function. */
dunlin_result dun_check_cookie(int cookie, const char *type, dunlin_error *error);

enum { DUN_COOKIE = 0x0d0711a5 };

#endif
