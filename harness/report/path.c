/* SPDX-License-Identifier: MIT */
#include "harness/report/path.h"

#include <string.h>

const char *path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int path_length_before_ending(const char *path) {
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return dot && dot != name ? (int)(dot - path) : (int)strlen(path);
}
