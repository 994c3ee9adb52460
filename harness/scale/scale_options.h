/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCALE_SCALE_OPTIONS_H
#define DUNLIN_HARNESS_SCALE_SCALE_OPTIONS_H

#include "harness/command/options.h"
#include "harness/scale/sweep.h"

/* What `dunlin scale` was asked for. A number of 0 was not given. */
typedef struct scale_options {
    bool sweeps[SWEEPS];
    bool dimensions[4]; /* [2] and [3] */
    uint32_t agents, agents_per_thread, max_agents;
    int threads, repeats, steps;
    const char *kernel;
    const char *output; /* NULL: a folder named after the time */
    const char *csv;    /* NULL: not wanted */
    bool quick, no_plots, quiet;

    option_values read; /* owns the strings */
} scale_options;

/* Like run_options_read(). */
bool scale_options_read(scale_options *scale, int argc, const char **argv, int *status);

#endif
