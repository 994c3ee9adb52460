/* SPDX-License-Identifier: MIT */
#include "harness/roofline/loops.h"

#include "roofline_kernels.h"

#include <string.h>

#define DECLARE(name) extern const roofline_loops roofline_loops_##name;
ROOFLINE_KERNELS(DECLARE)

const roofline_loops *roofline_loops_find(const char *kernel) {
#define ENTRY(name) &roofline_loops_##name,
    static const roofline_loops *const all[] = {ROOFLINE_KERNELS(ENTRY)};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i]->kernel, kernel) == 0) return all[i];
    }
    return NULL;
}
