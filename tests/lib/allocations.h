/* SPDX-License-Identifier: MIT */
/*
 * Counts our code's calls for memory, and can make one of them fail. A program that uses this is linked with --wrap for each of
 * the wrapped functions, so that the calls of our objects come here. Calls of libraries do not.
 */
#ifndef DUNLIN_TESTS_ALLOCATIONS_H
#define DUNLIN_TESTS_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts counting from 0. */
void allocations_watch(void);

/* Starts counting, and makes call `number` that asks for memory fail, counted from 0; with `onwards` also all later calls. */
void allocations_fail(uint64_t number, bool onwards);

/* Stops counting, and no call fails. */
void allocations_ignore(void);

uint64_t allocations_asked(void);  /* calls that asked for memory */
uint64_t allocations_freed(void);  /* calls of free() with something to free */
uint64_t allocations_failed(void); /* calls that were made to fail */

/* Bytes that our code has asked for and not freed since the program began, counted or not. Memory that a library asked for and
 * our code freed, as with getline(), is subtracted. */
size_t allocations_held(void);

#endif
