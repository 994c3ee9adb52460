/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <pthread.h>

#include "tests/lib/test.h"

enum { MOST_TESTS = 64, MOST_MADE = 4096 };

static struct CMUnitTest tests[MOST_TESTS];
static size_t test_count;
static test_fixture fixture;

void add_test(const char *name, CMUnitTestFunction test) {
    if (test_count == MOST_TESTS) abort();
    tests[test_count++] = (struct CMUnitTest){.name = name, .test_func = test};
}

void set_fixture(test_fixture f) {
    fixture = f;
}

/* ---- what tests make --------------------------------------------------------------------------------------------------- */

typedef struct made {
    void *what;
    void (*end)(void *what);
} made;

static made all_made[MOST_MADE];
static size_t made_count, made_before; /* those before the test are the group's, and stay */
static int files_before;
static pthread_mutex_t made_lock = PTHREAD_MUTEX_INITIALIZER;

void end_after_test(void *what, void (*end)(void *what)) {
    pthread_mutex_lock(&made_lock);
    if (made_count == MOST_MADE) abort();
    all_made[made_count++] = (made){what, end};
    pthread_mutex_unlock(&made_lock);
}

void forget(const void *what) {
    pthread_mutex_lock(&made_lock);
    for (size_t i = made_count; what && i > 0; i--) {
        if (all_made[i - 1].what != what) continue;
        memmove(&all_made[i - 1], &all_made[i], (made_count-- - i) * sizeof *all_made);
        break;
    }
    pthread_mutex_unlock(&made_lock);
}

/* How many files are open; 0 where there is no list of them. WebAssembly's would be node's, which opens some for each thread.
 */
static int count_open_files(void) {
#ifdef __EMSCRIPTEN__
    DIR *list = NULL;
#else
    DIR *list = opendir("/proc/self/fd");
#endif
    int count = 0;
    while (list && readdir(list)) count++;
    if (list) closedir(list);
    return count;
}

static int before_each(void **state) {
    made_before = made_count;
    files_before = count_open_files();
    return fixture.before_each ? fixture.before_each(state) : 0;
}

/* The last first, since it may need the others. */
void end_what_was_made(void) {
    while (made_count > made_before) {
        made_count--;
        all_made[made_count].end(all_made[made_count].what);
    }
}

static int after_each(void **state) {
    end_what_was_made();
    const int failed = fixture.after_each ? fixture.after_each(state) : 0, left = count_open_files() - files_before;
    if (left > 0) print_error("%d files more are open than before the test\n", left);
    return failed || left > 0;
}

/* ---- running them ------------------------------------------------------------------------------------------------------ */

int run_all_tests(void) {
    for (size_t i = 0; i < test_count; i++) {
        tests[i].setup_func = before_each;
        tests[i].teardown_func = after_each;
    }
    if (test_count == 0) return EXIT_FAILURE;
    return _cmocka_run_group_tests("tests", tests, test_count, fixture.before_all, fixture.after_all);
}

__attribute__((weak)) int main(void) {
    return run_all_tests();
}
