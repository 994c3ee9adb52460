/* SPDX-License-Identifier: MIT */
#include "harness/roofline/instructions.h"

ROOFLINE_THREAD_LOCAL uint64_t roofline_counted[INSTRUCTIONS];
