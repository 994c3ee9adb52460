/* SPDX-License-Identifier: MIT */
/* The kernels' sine and cosine for one number: the same bits on every machine, which libm does not promise. */
#ifndef DUNLIN_ENGINE_TRIG_H
#define DUNLIN_ENGINE_TRIG_H

/* Sine and cosine of 2·pi·turns, for any number. docs/numerics.md states the error. */
void dun_sincos_turns(float turns, float *sine, float *cosine);

#endif
