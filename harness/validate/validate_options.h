/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_VALIDATE_VALIDATE_OPTIONS_H
#define DUNLIN_HARNESS_VALIDATE_VALIDATE_OPTIONS_H

#include "harness/command/options.h"
#include "harness/validate/trial.h"

/* What `dunlin validate` was asked for. */
typedef struct validate_options {
    bool kinds[TRIAL_KINDS];
    int threads;        /* 0: one per processor */
    const char *output; /* folder */
    const char *page;   /* NULL: none */
    bool quick, fresh, quiet;

    option_values read; /* owns the strings */
} validate_options;

/* Like run_options_read(). */
bool validate_options_read(validate_options *validate, int argc, const char **argv, int *status);

#endif
