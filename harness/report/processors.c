/* SPDX-License-Identifier: MIT */
#include "engine/base/processors.h"
#include "harness/report/machine.h"

#include <math.h>

int machine_threads(void) {
    return (int)dun_processors_here().threads;
}

/* A launcher may have given each process processors of its own, which it does not share. */
int machine_threads_of(uint32_t sharing) {
    const dun_processors p = dun_processors_here();
    const double all = fmin(p.all, ceil(p.quota)) / sharing;
    return all < 1.0 ? 1 : all < p.allowed ? (int)all : (int)p.allowed;
}

void machine_limit(char limit[MACHINE_TEXT]) {
    const dun_processors p = dun_processors_here();
    *limit = '\0';
    if (p.quota < p.allowed)
        snprintf(limit, MACHINE_TEXT, "quota %.4g of %u processors", p.quota, p.allowed);
    else if (p.allowed < p.all)
        snprintf(limit, MACHINE_TEXT, "%u of %u processors", p.allowed, p.all);
}
