/* SPDX-License-Identifier: MIT */
/* Texts that functions of the library write as snprintf() does. */
#ifndef DUNLIN_HARNESS_SCENARIO_PRINT_H
#define DUNLIN_HARNESS_SCENARIO_PRINT_H

#include <stdio.h>

/* What put(…, of) writes: at most `size` bytes of it with the terminator. Returns the length of all; 0: out of memory. */
size_t dun_print(char *text, size_t size, void (*put)(FILE *, const void *), const void *of);

#endif
