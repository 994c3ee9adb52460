/* SPDX-License-Identifier: MIT */
#include "tests/lib/lanes.h"

#include <string.h>

/* DUNLIN_TEST_LANES is X(scalar) X(simd128) …, for each kernel of this build. */
#define X(name) extern const test_lanes test_lanes_##name;
DUNLIN_TEST_LANES
#undef X

const test_lanes *test_lanes_of(const dun_kernel *kernel) {
#define X(name) &test_lanes_##name,
    static const test_lanes *const all[] = {DUNLIN_TEST_LANES};
#undef X
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->kernel, kernel->name) == 0) return all[i];
    return NULL;
}
