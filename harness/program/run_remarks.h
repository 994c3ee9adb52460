/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_RUN_REMARKS_H
#define DUNLIN_HARNESS_RUN_REMARKS_H

#include "harness/program/run_report.h"

/* Prints a line for each reason to doubt the run or its speed that the last state shows; usually there is none. */
void run_remarks_print(FILE *file, const dunlin_world *world, const run_totals *totals);

#endif
