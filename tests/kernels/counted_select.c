/* SPDX-License-Identifier: MIT */
/* The scalar kernel's loops over selections, over operations that count (harness/roofline/count_operations.h). */
#define DUNLIN_KERNEL counted
#define DUNLIN_WIDE   "kernels/wide/scalar.h"
#include DUNLIN_WIDE

#include "harness/roofline/count_operations.h"
#include "kernels/neighbours/select.c"

uint64_t roofline_counted[INSTRUCTIONS];
