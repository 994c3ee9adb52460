/* SPDX-License-Identifier: MIT */
/* What the system has on which the tests run. WebAssembly has no processes, signals, limits and locales, and no links of files.
 */
#ifndef DUNLIN_TESTS_SYSTEM_H
#define DUNLIN_TESTS_SYSTEM_H

#ifdef __EMSCRIPTEN__
enum { TEST_HAS_POSIX = 0 };
#else
enum { TEST_HAS_POSIX = 1 };
#endif

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
enum { TEST_HAS_THREADS = 0 };
#else
enum { TEST_HAS_THREADS = 1 };
#endif

#endif
