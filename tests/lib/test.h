/* SPDX-License-Identifier: MIT */
/* What every test includes: cmocka, the standard headers, and TEST, which defines a test and adds it to its program. */
#ifndef DUNLIN_TESTS_TEST_H
#define DUNLIN_TESTS_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/lib/effort.h"
#include "tests/lib/random.h"

/* TEST(a_name) { ... }: the tests of a program run in the order in which its file defines them. */
#define TEST(name)                                                                                                             \
    static void name(void **unused);                                                                                           \
    __attribute__((constructor)) static void add_##name(void) {                                                                \
        add_test(#name, name);                                                                                                 \
    }                                                                                                                          \
    static void name(void **unused __attribute__((unused)))

/* TEST_EACH(a_name, v, 0, 3) { ... }: a test that does the same for each int v from 0 to 2, and each time ends what it has
 * made. */
#define TEST_EACH(name, number, begin, end)                                                                                    \
    static void name##_at(int number);                                                                                         \
    TEST(name) {                                                                                                               \
        for (int i_ = (begin); i_ < (int)(end); i_++) {                                                                        \
            name##_at(i_);                                                                                                     \
            end_what_was_made();                                                                                               \
        }                                                                                                                      \
    }                                                                                                                          \
    static void name##_at(int number __attribute__((unused)))

/* What is done before and after all tests, and each test, where it isn't NULL. */
typedef struct test_fixture {
    CMFixtureFunction before_all, after_all, before_each, after_each;
} test_fixture;

/* TEST_FIXTURE(.after_all = remove_files) */
#define TEST_FIXTURE(...)                                                                                                      \
    __attribute__((constructor)) static void add_fixture(void) {                                                               \
        set_fixture((test_fixture){__VA_ARGS__});                                                                              \
    }

void add_test(const char *name, CMUnitTestFunction test);
void set_fixture(test_fixture fixture);

/* Ends what a test has made, once it has ended, whether it has passed or not. forget(): it has been ended already. */
void end_after_test(void *what, void (*end)(void *what));
void forget(const void *what);
void end_what_was_made(void); /* at once */

/* Runs the program's tests and returns how many failed. For a test that has a main() of its own; others have that of test.c. */
int run_all_tests(void);

#endif
