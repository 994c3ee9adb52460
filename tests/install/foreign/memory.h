/* SPDX-License-Identifier: MIT */
/* A sink and a source of bytes in memory, such as callers write them. */
#ifndef FOREIGN_MEMORY_H
#define FOREIGN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static char checkpoint[65536];
static size_t saved, restored;

static bool put(void *context, const void *bytes, size_t count) {
    (void)context;
    if (saved + count > sizeof checkpoint) return false;
    memcpy(checkpoint + saved, bytes, count);
    saved += count;
    return true;
}

static bool take(void *context, void *bytes, size_t count) {
    (void)context;
    if (restored + count > saved) return false;
    memcpy(bytes, checkpoint + restored, count);
    restored += count;
    return true;
}

#endif
