/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_ROOFLINE_ROOFLINE_OPTIONS_H
#define DUNLIN_HARNESS_ROOFLINE_ROOFLINE_OPTIONS_H

#include "harness/command/options.h"
#include "harness/roofline/roofline.h"

/* What `dunlin roofline` was asked for. */
typedef struct roofline_options {
    roofline_plan plan;
    const char *kernel;
    const char *json, *csv; /* paths to write to, "-": standard output; NULL: not wanted */
    const char *output;     /* folder for report and plots; NULL: not wanted */

    option_values read; /* owns the strings */
} roofline_options;

/* Like run_options_read(). */
bool roofline_options_read(roofline_options *roof, int argc, const char **argv, int *status);

#endif
