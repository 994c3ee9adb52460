/* SPDX-License-Identifier: MIT */
/*
 * Loops that do one thing as fast as the processor can, to measure ceilings. loops.c is compiled once per kernel, with that
 * kernel's flags and operations (kernels/wide/), so that its ceilings are those of the kernel's own instructions.
 */
#ifndef DUNLIN_HARNESS_ROOFLINE_LOOPS_H
#define DUNLIN_HARNESS_ROOFLINE_LOOPS_H

#include <stddef.h>
#include <stdint.h>

/* X(KIND, function in loops.c, what tables call it) */
#define LOOP_LIST(X)                                                                                                           \
    X(CLOCK, clock_chain, "cycles") /* integer adds, each of which waits for the one before: one per cycle */                  \
    X(ADD, add, "adds")                                                                                                        \
    X(MULTIPLY, multiply, "multiplies")                                                                                        \
    X(ADD_MULTIPLY, add_multiply, "adds and multiplies, 1 : 1")                                                                \
    X(ADD_ADD_MULTIPLY, add_add_multiply, "adds and multiplies, 2 : 1")                                                        \
    X(ADD_MULTIPLY_MULTIPLY, add_multiply_multiply, "adds and multiplies, 1 : 2")                                              \
    X(FMA, fma_alone, "fused multiply-adds (FMAs)")                                                                            \
    X(MULTIPLY_FMA, multiply_fma, "multiplies and FMAs, 1 : 1")                                                                \
    X(ADD_FMA, add_fma, "adds and FMAs, 1 : 1")                                                                                \
    X(COMPARE, compare, "comparisons")                                                                                         \
    X(MAX, maximum, "maxima")                                                                                                  \
    X(ADD_COMPARE, add_compare, "adds and comparisons, 2 : 1")                                                                 \
    X(LOGIC, logic, "mask logic") /* `and` of masks; if masks have registers of their own, a select */                         \
    X(ADD_LOGIC, add_logic, "adds and mask logic, 1 : 1")                                                                      \
    X(INTEGER, integer, "masked counts")                                                                                       \
    X(MIX, mix, "adds, multiplies, mask logic")                                                                                \
    X(DIVIDE, divide, "divides")                                                                                               \
    X(ROOT, root, "square roots")                                                                                              \
    X(DIVIDE_ROOT, divide_root, "divides and roots, 1 : 1")                                                                    \
    X(LOAD, load, "loads")                                                                                                     \
    X(BROADCAST, broadcast, "broadcast loads")                                                                                 \
    X(STORE, store, "stores")                                                                                                  \
    X(ISSUE, issue, "arithmetic or logic, and loads, 2 : 1") /* instructions for all ports at once */

typedef enum loop_kind {
#define KIND(kind, function, name) LOOP_##kind,
    LOOP_LIST(KIND)
#undef KIND
        LOOP_KINDS
} loop_kind;

/* Runs some rounds of a loop, and returns how many operations these were. */
typedef uint64_t loop_fn(uint64_t rounds);

typedef enum bandwidth_kind {
    BANDWIDTH_READ,
    BANDWIDTH_WRITE,
    BANDWIDTH_COPY,   /* through the caches; copies count the bytes read and the bytes written */
    BANDWIDTH_STREAM, /* a copy with stores that bypass the caches */
    BANDWIDTH_KINDS
} bandwidth_kind;

enum { LOOPS_BLOCK = 256 }; /* floats */

/* Reads or writes `count` floats, a multiple of LOOPS_BLOCK, or copies their first half to the second. */
typedef void move_fn(float *memory, size_t count);

typedef struct roofline_loops {
    int lanes;
    loop_fn *loops[LOOP_KINDS];      /* NULL: no such instruction at this width */
    move_fn *moves[BANDWIDTH_KINDS]; /* likewise */
} roofline_loops;

/* The loops of the kernel of that name, or NULL. Do not run them if the kernel cannot run here. */
const roofline_loops *roofline_loops_find(const char *kernel);

#endif
