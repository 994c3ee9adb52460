/* SPDX-License-Identifier: MIT */
/* What the rows say, in plain sentences, all of them worked out. */
#ifndef DUNLIN_HARNESS_SCALE_FINDINGS_H
#define DUNLIN_HARNESS_SCALE_FINDINGS_H

#include "harness/report/machine.h"
#include "harness/scale/sweep.h"

#include <stdio.h>

/* A line. Writes nothing where there are too few rows to say anything. */
void findings_write(FILE *file, const machine *host, sweep_kind sweep, const sweep_rows *rows);

#endif
