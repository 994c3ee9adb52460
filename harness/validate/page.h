/* SPDX-License-Identifier: MIT */
/* The tables of a page, written anew from what was measured; its words stay. */
#ifndef DUNLIN_HARNESS_VALIDATE_PAGE_H
#define DUNLIN_HARNESS_VALIDATE_PAGE_H

#include "harness/validate/results.h"

/*
 * In the page, whatever stands between a line `<!-- measured: KIND -->` and the next `<!-- end -->` becomes that kind's table,
 * where all of its trials are there, and the words `by` below it. An error, the page left alone, where it cannot be read or
 * written, or lacks a line `<!-- end -->`.
 */
dunlin_result page_update(const char *path, const trial_results *results, const char *by, dunlin_error *error);

/* Whether that could be done now, the page left alone: hours of flights are not to end at a wrong path. */
dunlin_result page_check(const char *path, const trial_results *results, dunlin_error *error);

#endif
