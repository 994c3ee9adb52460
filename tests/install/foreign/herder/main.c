/* SPDX-License-Identifier: MIT */
#include <stdio.h>

const char *herd_version(void);

int main(void) {
    return puts(herd_version()) < 0;
}
