/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_RUN_H
#define DUNLIN_HARNESS_RUN_H

#include "harness/program/checkpoint.h"

/* Takes the run to its end, from its scenario, or, if `from` is not NULL, from a checkpoint. Returns the exit status. */
int run_advance(const run_options *options, checkpoint_source *from);

#endif
