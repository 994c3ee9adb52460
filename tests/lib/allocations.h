/* SPDX-License-Identifier: MIT */
/*
 * Memory as our code asks for it. Programs with this are linked with --wrap for every function below, so that calls from our
 * objects, and from no library, come here: they are counted, and one of them may be made to fail.
 */
#ifndef DUNLIN_TESTS_ALLOCATIONS_H
#define DUNLIN_TESTS_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts from here on. */
void allocations_watch(void);

/* Counts, and lets the `number`-th call that asks for memory fail, 0 the first, and with `onwards` all that follow it. */
void allocations_fail(uint64_t number, bool onwards);

/* Neither counts nor fails. */
void allocations_ignore(void);

uint64_t allocations_asked(void);  /* calls that asked for memory */
uint64_t allocations_freed(void);  /* calls of free() with something to free */
uint64_t allocations_failed(void); /* calls that were made to fail */

/* Bytes that our code holds: asked for since the program began and not freed, whether or not they were counted. What a library
 * asked for and we freed, as getline() does, is counted as less than nothing. */
size_t allocations_held(void);

#endif
