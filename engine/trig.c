/* SPDX-License-Identifier: MIT */
#include "trig.h"

#define DUNLIN_LANES 1
#include "../kernels/trig.h"

void dunlin_sincos_turns(float turns, float *sine, float *cosine) {
    wide_sincos_turns(turns, sine, cosine);
}
