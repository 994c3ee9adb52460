/* SPDX-License-Identifier: MIT */
/* Kernels by name, as commands ask for them. */
#ifndef DUNLIN_HARNESS_KERNEL_NAMES_H
#define DUNLIN_HARNESS_KERNEL_NAMES_H

#include <stdbool.h>

enum { KERNEL_NAMES = 512 }; /* bytes that hold the names of all, the terminator included */

/* The kernel that a world picks by itself, or "" where none can be made. */
const char *kernel_automatic(void);

/* "scalar, simd128, avx2": all, or those that run here. */
void kernel_list(char names[KERNEL_NAMES], bool running);

#endif
