/* SPDX-License-Identifier: MIT */
#include "pin.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* All that says where threads go: OpenMP's own, and what GNU's and LLVM's runtimes add to it. */
static const char *const variables[] = {"OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};
enum { VARIABLES = sizeof variables / sizeof *variables };

static bool is_decided(void) {
    for (int i = 0; i < VARIABLES; ++i) {
        if (getenv(variables[i]) != NULL) return true;
    }
    return false;
}

void pin_threads(char **argv) {
    if (is_decided() || setenv("OMP_PLACES", "cores", 1) != 0) return;
    if (setenv("OMP_PROC_BIND", "close", 1) == 0) execv("/proc/self/exe", argv);
    /* Still here, so nothing is bound, and nothing shall say that it were. */
    unsetenv("OMP_PLACES");
    unsetenv("OMP_PROC_BIND");
}

void pin_describe(char *text, size_t size) {
    size_t length = 0;
    for (int i = 0; i < VARIABLES; ++i) {
        const char *value = getenv(variables[i]);
        if (value == NULL || length >= size) continue;
        length += (size_t)snprintf(text + length, size - length, "%s%s=%s", length > 0 ? " " : "", variables[i], value);
    }
    if (length == 0) snprintf(text, size, "none");
}
