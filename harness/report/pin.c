/* SPDX-License-Identifier: MIT */
#include "harness/report/pin.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Everything that decides where threads run: OpenMP's variables, and those of GNU's and LLVM's runtimes. */
static const char *const variables[] = {"OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};
enum { VARIABLES = sizeof variables / sizeof *variables };

static bool is_decided(void) {
    for (int i = 0; i < VARIABLES; i++) {
        if (getenv(variables[i])) return true;
    }
    return false;
}

/* By its own path if it is still there; otherwise the system would list it as "exe". */
static void restart(char **argv) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0) {
        path[length] = '\0';
        execv(path, argv);
    }
    execv("/proc/self/exe", argv);
}

void pin_threads(char **argv) {
    if (is_decided() || setenv("OMP_PLACES", "cores", 1) != 0) return;
    if (setenv("OMP_PROC_BIND", "close", 1) == 0) restart(argv);
    /* The restart failed, so nothing is bound, and nothing may claim that it is. */
    unsetenv("OMP_PLACES");
    unsetenv("OMP_PROC_BIND");
}

void pin_describe(char *text, size_t size) {
    size_t length = 0;
    for (int i = 0; i < VARIABLES; i++) {
        const char *value = getenv(variables[i]);
        if (!value || length >= size) continue;
        length += (size_t)snprintf(text + length, size - length, "%s%s=%s", length > 0 ? " " : "", variables[i], value);
    }
    if (length == 0) snprintf(text, size, "none");
}

bool pin_binds(const char *pinning) {
    return strcmp(pinning, "none") != 0 && !strstr(pinning, "OMP_PROC_BIND=false");
}
