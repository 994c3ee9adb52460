/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_ROOFLINE_ROOFLINE_OPTIONS_H
#define DUNLIN_HARNESS_ROOFLINE_ROOFLINE_OPTIONS_H

#include "harness/command/command_line.h"
#include "harness/roofline/roofline.h"

/* What `dunlin roofline` was asked for. */
typedef struct roofline_options {
    roofline_plan plan;
    const char *json, *csv; /* paths to write to, "-": standard output; NULL: not wanted */
    const char *output;     /* folder for report and plots; NULL: not wanted */

    command_line line; /* owns the strings */
} roofline_options;

/*
 * Reads the arguments. Returns false when there is nothing to measure: help was shown or a mistake reported, *status is then
 * the exit status. Always free the result.
 */
bool roofline_options_read(roofline_options *options, int argc, const char **argv, int *status);

void roofline_options_free(roofline_options *options);

#endif
