/* SPDX-License-Identifier: MIT */
#include "tests/lib/pretend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SSE41  DUN_SIMD128
#define AVX2   (SSE41 | DUN_AVX2)
#define AVX512 (AVX2 | DUN_AVX512)

const test_machine test_machines[TEST_MACHINES] = {
    {"zen4", AVX512 | DUN_AMD_19H, {0}},
    {"avx512", AVX512, {0}}, /* Zen 5, or Intel's with AVX-512 */
    {"avx2", AVX2, {0}},     /* Intel's without AVX-512, or Zen 1 and 2 */
    {"sse41", SSE41, {0}},
    {"one", 0, {.all = 1, .allowed = 1, .quota = HUGE_VAL, .threads = 1}},
    {"two", 0, {.all = 2, .allowed = 2, .quota = HUGE_VAL, .threads = 2}},
    {"many", 0, {.all = 64, .allowed = 64, .quota = HUGE_VAL, .threads = 64}},
    {"quota", 0, {.all = 64, .allowed = 64, .quota = 1.5, .threads = 2}},
};

const test_machine *test_machine_pretended(void) {
    const char *name = getenv("DUNLIN_TEST_MACHINE");
    for (int m = 0; m < TEST_MACHINES && name; m++)
        if (strcmp(test_machines[m].name, name) == 0) return &test_machines[m];
    if (!name) return NULL;
    fprintf(stderr, "DUNLIN_TEST_MACHINE is '%s', which no test knows\n", name);
    exit(1);
}

/* ---- in place of the engine's functions, as the linker's --wrap names them ---------------------------------------------- */

unsigned __real_dun_features(void);
unsigned __wrap_dun_features(void);
dun_processors __real_dun_processors_here(void);
dun_processors __wrap_dun_processors_here(void);

unsigned test_machine_features(unsigned real) {
    const test_machine *machine = test_machine_pretended();
    const unsigned features = machine ? machine->features : 0;
    return features ? (real & features) | (features & DUN_AMD_19H) : real;
}

unsigned __wrap_dun_features(void) {
    return test_machine_features(__real_dun_features());
}

dun_processors __wrap_dun_processors_here(void) {
    const test_machine *machine = test_machine_pretended();
    return machine && machine->processors.all ? machine->processors : __real_dun_processors_here();
}
