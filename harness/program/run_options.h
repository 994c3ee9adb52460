/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_RUN_OPTIONS_H
#define DUNLIN_HARNESS_RUN_OPTIONS_H

#include "harness/command/command_line.h"
#include "harness/picture/picture.h"
#include "harness/scenario/scenario.h"

/* What `dunlin run` was asked for. */
typedef struct run_options {
    const char *scenario;
    const uint64_t *steps; /* NULL: the scenario's */
    scenario_options build;
    const char *final; /* paths to write to; NULL: not wanted */
    const char *metrics;
    const char *picture;
    picture_look picture_look;
    bool hash;
    bool quiet;

    command_line line; /* owns the strings */
    uint64_t steps_value, seed_value;
    uint32_t agents_value;
} run_options;

/*
 * Reads the arguments. Returns false when there is nothing to run: help was shown or a mistake reported, *status is then the
 * exit status. Always free the result. It points into itself, so it must not be copied.
 */
bool run_options_read(run_options *options, int argc, const char **argv, int *status);

void run_options_free(run_options *options);

#endif
