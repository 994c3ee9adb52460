/* SPDX-License-Identifier: MIT */
#include "engine/base/trig.h"

#include <math.h>

#include <dunlin/dunlin.h>

#include "engine/base/entry.h"

#define DUNLIN_WIDE "kernels/wide/scalar.h"
#include "kernels/wide/trig.h"

void dun_sincos_turns(float turns, float *sine, float *cosine) {
    wide_sincos_turns(turns, sine, cosine);
}

/* Whole turns are subtracted exactly, before rounding to binary32 loses the rest. */
float dunlin_sine_of_turns(double turns) {
    DUN_OWN_FLOATS();
    DUN_PIN(turns);
    float sine, cosine;
    if (!isfinite(turns)) return 0.0f;
    dun_sincos_turns((float)(turns - floor(turns + 0.5)), &sine, &cosine);
    DUN_PIN(sine);
    return sine;
}
