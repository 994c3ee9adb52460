/* SPDX-License-Identifier: MIT */
/* How much a test does: all of it in an optimised native build, less where each operation costs ten times as much. */
#ifndef DUNLIN_TESTS_EFFORT_H
#define DUNLIN_TESTS_EFFORT_H

/* Sanitized, emulated or not optimised (cmake/dunlin_add_test.cmake): less of the same, and every claim is still checked. */
#ifdef DUNLIN_TESTS_SLOW
enum { TEST_SLOW = 1 };
#else
enum { TEST_SLOW = 0 };
#endif

/* Rounds of a fuzz. */
#define TEST_ROUNDS(all) (TEST_SLOW ? (all) / 8 + 1 : (all))

/* Agents of a flight: `all`, or three tiles of them, in which all pairs are enough for three threads to share. */
#define TEST_AGENTS(all) (TEST_SLOW && (all) > 1300 ? 1300 : (all))

/* What an array of the numbers of threads to fly with begins as; in a slow build 3 stands for all of them. */
#ifdef DUNLIN_TESTS_SLOW
#define TEST_THREADS(...)                                                                                                      \
    { 3 }
#else
#define TEST_THREADS(...)                                                                                                      \
    { __VA_ARGS__ }
#endif

#endif
