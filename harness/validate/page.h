/* SPDX-License-Identifier: MIT */
/* Rewrites the tables of a page from what was measured, and leaves its text. */
#ifndef DUNLIN_HARNESS_VALIDATE_PAGE_H
#define DUNLIN_HARNESS_VALIDATE_PAGE_H

#include "harness/validate/results.h"

/*
 * Replaces everything between a line `<!-- measured: KIND -->` and the next `<!-- end -->` with the table of that kind and the
 * words `by`, if all of its trials were measured. It is an error, and the page stays as it is, if it cannot be read or written,
 * or lacks a line `<!-- end -->`.
 */
dunlin_result page_update(const char *path, const trial_results *results, const char *by, dunlin_error *error);

/* Whether page_update() would work now, so that long flights do not end at a wrong path. Leaves the page alone. */
dunlin_result page_check(const char *path, const trial_results *results, dunlin_error *error);

#endif
