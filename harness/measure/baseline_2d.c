/* SPDX-License-Identifier: MIT */
#define DIMENSIONS 2
#include "harness/measure/baseline_code.h"

const baseline_code baseline_code_2d = {sizeof(agent), load, step, read_state};
