/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_SCALE_SWEEP_TABLE_H
#define DUNLIN_HARNESS_SCALE_SWEEP_TABLE_H

#include "harness/report/table.h"
#include "harness/scale/sweep.h"

/* The rows of a sweep as a table; free it. */
table sweep_table(sweep_kind sweep, const sweep_rows *rows);

#endif
