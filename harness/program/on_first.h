/* SPDX-License-Identifier: MIT */
/*
 * What rank 0 does for all: it alone measures, writes files and reports. Ranks must go the same way, or one waits for another
 * that never comes. So whatever may differ among them is agreed on: errors here, signals and clocks in goes_on() of
 * command_run.c.
 * In a program without other ranks rank 0 is all there is.
 */
#ifndef DUNLIN_HARNESS_ON_FIRST_H
#define DUNLIN_HARNESS_ON_FIRST_H

#include "harness/program/output.h"

typedef dunlin_result work_fn(run_context *run, void *context, dunlin_error *error);

/* Does the work on rank 0; if `whole`, with all agents in its world meanwhile. Its error is that of all. */
dunlin_result on_first(run_context *run, bool whole, work_fn *work, void *context, dunlin_error *error);

#endif
