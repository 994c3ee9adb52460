/* SPDX-License-Identifier: MIT */
/* What the rows say, in sentences computed from them. */
#ifndef DUNLIN_HARNESS_SCALE_FINDINGS_H
#define DUNLIN_HARNESS_SCALE_FINDINGS_H

#include "harness/report/machine.h"
#include "harness/scale/sweep.h"

#include <stdio.h>

/* Writes a line, or nothing if there are too few rows. */
void findings_write(FILE *file, const machine *host, sweep_kind sweep, const sweep_rows *rows);

#endif
