/* SPDX-License-Identifier: MIT */
/* Files that a run writes every so many steps. After step 100 of 5000, flock.png is flock-0100.png. */
#ifndef DUNLIN_HARNESS_NUMBERED_H
#define DUNLIN_HARNESS_NUMBERED_H

#include "harness/program/output.h"

/* Whether the present step's number is a multiple of `every`; 0: none is. */
bool numbered_is_due(const run_context *run, uint64_t every);

/* The path with the present step's number before its ending. The number has as many digits as that of the last step, so that
 * names sort by steps. The caller frees *numbered. */
dunlin_result numbered_path(const run_context *run, const char *path, char **numbered, dunlin_error *error);

/* An error if such a file cannot be written: to be asked before the first step. Makes no file. */
dunlin_result numbered_check(const run_context *run, const char *path, dunlin_error *error);

#endif
