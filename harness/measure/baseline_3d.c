/* SPDX-License-Identifier: MIT */
#define DIMENSIONS 3
#include "harness/measure/baseline_code.h"

const baseline_code baseline_code_3d = {sizeof(agent), load, step, read_state};
