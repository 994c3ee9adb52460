/* SPDX-License-Identifier: MIT */
/* The kernels' sine and cosine, for a number at a time. The same bits, on every machine, which libm does not promise. */
#ifndef DUNLIN_ENGINE_TRIG_H
#define DUNLIN_ENGINE_TRIG_H

/* Of 2·pi·turns, `turns` any number; how exact, docs/numerics.md says. */
void dun_sincos_turns(float turns, float *sine, float *cosine);

#endif
