/* SPDX-License-Identifier: MIT */
#include "harness/report/fail.h"

#include <stdarg.h>
#include <stdio.h>

dunlin_result bench_fail(dunlin_error *error, dunlin_result code, const char *format, ...) {
    if (!error) return code;
    error->code = code;
    va_list values;
    va_start(values, format);
    vsnprintf(error->message, sizeof error->message, format, values);
    va_end(values);
    return code;
}
