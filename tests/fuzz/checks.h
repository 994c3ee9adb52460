/* SPDX-License-Identifier: MIT */
/*
 * Conditions that must hold for any input. A check that fails prints what failed and aborts, which a fuzzer reports as a
 * finding.
 */
#ifndef DUNLIN_FUZZ_CHECKS_H
#define DUNLIN_FUZZ_CHECKS_H

#include <dunlin/dunlin.h>

/* A fuzzer calls it for every input; 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* How many inputs were accepted, or more: each success that check_answer() is asked about counts. */
extern _Atomic unsigned long check_successes;

/* A failure has its code and a message of one line. */
void check_answer(dunlin_result result, const dunlin_error *error, const char *call);

/* Positions, velocities and attributes are finite. */
void check_agents(const dunlin_world *world);

/* A file of this thread alone, 0 or 1, in memory where the system allows it. */
const char *check_scratch_file(int number);

_Noreturn void check_fail(const char *what, const char *message);

/* Fails unless the call has worked. */
void check_accept(dunlin_result result, const dunlin_error *error, const char *what);

/* A world with three agents, in a plane or in space (kind & 1), with an attribute and a target that moves or without (2). */
dunlin_world *check_make_world(unsigned kind);

/* A copy in memory of its own size, so that a sanitizer sees each byte read beyond it. The caller frees it. */
uint8_t *check_copy(const uint8_t *data, size_t size);

/* Makes the checksums of the section at `at` right, and its length at most what there is. Returns where the next one begins;
 * `size`: there is none. `checksum`, which may be NULL: that of what is in it. */
size_t check_seal(uint8_t *bytes, size_t size, size_t at, uint64_t number, uint64_t *checksum);

/* The same for all sections after an opening. */
void check_seal_all(uint8_t *bytes, size_t size);

/* The same for all sections of a state from `at` on. If the last one has eight bytes, these become the sum of own checksums. */
void check_seal_state(uint8_t *bytes, size_t size, size_t at);

#endif
