/* SPDX-License-Identifier: MIT */
#include <dunlin/dunlin.h>

const char *herd_version(void);

const char *herd_version(void) {
    return dunlin_version();
}
