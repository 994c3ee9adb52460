/* SPDX-License-Identifier: MIT */
/* How much a test does: everything in a nightly build, less in one that is built for each change, least in one that is ten
 * times slower. */
#ifndef DUNLIN_TESTS_EFFORT_H
#define DUNLIN_TESTS_EFFORT_H

/* A build that is sanitized, emulated or not optimised (cmake/dunlin_add_test.cmake) does less, but checks every claim. */
#ifdef DUNLIN_TESTS_SLOW
enum { TEST_SLOW = 1 };
#else
enum { TEST_SLOW = 0 };
#endif

/* make test-nightly tries all combinations and rounds. Other builds try each kernel, index and case once, not each with each
 * other. */
#ifdef DUNLIN_TESTS_NIGHTLY
enum { TEST_NIGHTLY = 1 };
#else
enum { TEST_NIGHTLY = 0 };
#endif

/* One of three numbers: for a slow build, a usual one, a nightly one. */
#define TEST_EFFORT(slow, usual, nightly) (TEST_SLOW ? (slow) : TEST_NIGHTLY ? (nightly) : (usual))

/* Rounds of a test with random inputs. */
#define TEST_ROUNDS(all) TEST_EFFORT((all) / 8 + 1, (all) / 3 + 1, all)

/* Agents of a world: `all`, or in a slow build three tiles, so that three threads share the work. */
#define TEST_AGENTS(all) (TEST_SLOW && (all) > 1300 ? 1300 : (all))

/* Initializes an array of thread counts to test with; in a slow build 3 stands for all of them, in WebAssembly 4. */
#ifdef __EMSCRIPTEN_PTHREADS__
#define TEST_THREADS(...)                                                                                                      \
    { 4 }
#elif defined(DUNLIN_TESTS_SLOW)
#define TEST_THREADS(...)                                                                                                      \
    { 3 }
#else
#define TEST_THREADS(...)                                                                                                      \
    { __VA_ARGS__ }
#endif

#endif
