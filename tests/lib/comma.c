/* SPDX-License-Identifier: MIT */
/*
 * Linked into tests with COMMA (cmake/dunlin_add_test.cmake), which run a second time as a host whose locale, that of
 * DUNLIN_TEST_LOCALE, writes a half as 0,5. Whatever the test calls must leave the locale as it is.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SKIPPED = 77 };

static const char *wanted(void) {
    return getenv("DUNLIN_TEST_LOCALE");
}

__attribute__((constructor)) static void enter_locale(void) {
    if (!wanted()) return;
    const char *locale = setlocale(LC_ALL, wanted());
    if (locale && strcmp(localeconv()->decimal_point, ",") == 0) return;
    printf("there is no locale %s\n", wanted());
    fflush(stdout);
    _exit(SKIPPED);
}

__attribute__((destructor)) static void check_locale(void) {
    if (!wanted() || strcmp(localeconv()->decimal_point, ",") == 0) return;
    fputs("the test has ended in another locale\n", stderr);
    _exit(EXIT_FAILURE);
}
