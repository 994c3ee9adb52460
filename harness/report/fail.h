/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_BENCH_FAIL_H
#define DUNLIN_HARNESS_BENCH_FAIL_H

#include <dunlin/dunlin.h>

/* Fills in the error, unless it is NULL, and returns the code. */
__attribute__((format(printf, 3, 4))) dunlin_result bench_fail(dunlin_error *error, dunlin_result code, const char *format,
                                                               ...);

#endif
