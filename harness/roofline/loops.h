/* SPDX-License-Identifier: MIT */
/*
 * Loops that do one thing as fast as the processor can, to measure ceilings. loops.c is compiled once per kernel, with that
 * kernel's flags and operations (kernels/wide/), so that a ceiling is one of exactly its instructions.
 */
#ifndef DUNLIN_HARNESS_ROOFLINE_LOOPS_H
#define DUNLIN_HARNESS_ROOFLINE_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum loop_kind {
    LOOP_CLOCK, /* integer adds, each waiting for the one before: one per cycle */
    LOOP_ADD,
    LOOP_MULTIPLY,
    LOOP_ADD_MULTIPLY,          /* 1 : 1 */
    LOOP_ADD_ADD_MULTIPLY,      /* 2 : 1 */
    LOOP_ADD_MULTIPLY_MULTIPLY, /* 1 : 2 */
    LOOP_FMA,
    LOOP_MULTIPLY_FMA, /* 1 : 1 */
    LOOP_ADD_FMA,      /* 1 : 1 */
    LOOP_COMPARE,
    LOOP_MAX,
    LOOP_ADD_COMPARE, /* 2 : 1 */
    LOOP_LOGIC,       /* `and` of masks; if masks have registers of their own, a select */
    LOOP_ADD_LOGIC,   /* 1 : 1 */
    LOOP_INTEGER,     /* counting under a mask */
    LOOP_MIX,         /* adds, multiplies and logic, 1 : 1 : 1 */
    LOOP_DIVIDE,
    LOOP_ROOT,
    LOOP_DIVIDE_ROOT, /* 1 : 1 */
    LOOP_LOAD,
    LOOP_BROADCAST,
    LOOP_STORE,
    LOOP_ISSUE, /* what goes to all ports at once: logic and loads, 2 : 1; of a single lane adds, multiplies, loads, 1 : 1 : 1
                 */
    LOOP_KINDS
} loop_kind;

/* Does `operations` operations per round. */
typedef struct loop {
    void (*run)(uint64_t rounds); /* NULL: no such instruction at this width */
    int operations;
} loop;

enum { LOOPS_BLOCK = 128 }; /* floats: the loops below move a multiple of these */

typedef struct roofline_loops {
    const char *kernel;
    int lanes;
    loop kinds[LOOP_KINDS];
    void (*read)(const float *from, size_t count);
    void (*write)(float *to, size_t count);
    void (*copy)(float *to, const float *from, size_t count);
    void (*stream)(float *to, const float *from, size_t count); /* copies past the caches; NULL: no such stores at this width */
} roofline_loops;

/* The loops of the kernel of that name, or NULL. Do not run them if the kernel cannot run here. */
const roofline_loops *roofline_loops_find(const char *kernel);

#endif
