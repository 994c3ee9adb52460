/* SPDX-License-Identifier: MIT */
/* The floating-point modes that a host may be in, one at a time. */
#ifndef DUNLIN_TESTS_FLOAT_MODES_H
#define DUNLIN_TESTS_FLOAT_MODES_H

#include <stdbool.h>

/* 0 is that in which a process begins; the others flush to zero, round otherwise, let exceptions trap, or do all of these.
 * WebAssembly has only one. */
#ifdef __EMSCRIPTEN__
enum { FLOAT_MODES = 1 };
#else
enum { FLOAT_MODES = 7 };
#endif

const char *float_mode_name(int mode);

/* Sets the calling thread's mode. Its exception flags are those of an overflow, except in WebAssembly. */
void float_mode_set(int mode);

/* Whether mode and flags are as float_mode_set() has set them. */
bool float_mode_kept(void);

#endif
