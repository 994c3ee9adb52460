/* SPDX-License-Identifier: MIT */
/* Kernels by name, as the option --kernel takes them. */
#ifndef DUNLIN_HARNESS_KERNEL_NAMES_H
#define DUNLIN_HARNESS_KERNEL_NAMES_H

#include <dunlin/dunlin.h>

/* The kernel that a world chooses by itself, or "" where none can be made. */
const char *kernel_automatic(void);

/* The kernel of that name, with name NULL if there is none. */
dunlin_kernel_info kernel_find(const char *name);

/* Whether it is "auto" or a kernel of the library; otherwise reports it as the value of --kernel, as kernel_reject() does. */
bool kernel_check(const char *name, const char *also);

/* Reports that --kernel must not be `text`. `also`, as "all, ", is allowed besides auto and the library's kernels. False. */
bool kernel_reject(const char *text, const char *also);

#endif
