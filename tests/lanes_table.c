/* SPDX-License-Identifier: MIT */
#include "tests/lanes.h"

#include <string.h>

#define DECLARE(name) extern const test_lanes test_lanes_##name;
DUNLIN_TEST_LANES(DECLARE)

const test_lanes *test_lanes_of(const dunlin_kernel *kernel) {
#define ENTRY(name) &test_lanes_##name,
    static const test_lanes *const all[] = {DUNLIN_TEST_LANES(ENTRY)};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->kernel, kernel->name) == 0) return all[i];
    return NULL;
}
