/* SPDX-License-Identifier: MIT */
/*
 * Loops that do one thing as fast as the processor can, to measure ceilings. loops.c is compiled once per kernel, with that
 * kernel's flags and operations (kernels/wide/), so that its ceilings are those of the kernel's own instructions.
 */
#ifndef DUNLIN_HARNESS_ROOFLINE_LOOPS_H
#define DUNLIN_HARNESS_ROOFLINE_LOOPS_H

#include <stddef.h>
#include <stdint.h>

/* X(KIND, function in loops.c, its name in JSON) */
#define LOOP_LIST(X)                                                                                                           \
    X(CLOCK, clock_chain, "clock") /* integer adds, each of which waits for the one before: one per cycle */                   \
    X(ADD, add, "adds")                                                                                                        \
    X(MULTIPLY, multiply, "multiplies")                                                                                        \
    X(ADD_MULTIPLY, add_multiply, "adds_multiplies")                                                                           \
    X(FMA, fma_alone, "fmas")                                                                                                  \
    X(ADD_FMA, add_fma, "adds_fmas")                                                                                           \
    X(COMPARE, compare, "comparisons")                                                                                         \
    X(ADD_COMPARE, add_compare, "adds_comparisons") /* 2 : 1 */                                                                \
    X(LOGIC, logic, "logic")                        /* `and` of masks; if masks have registers of their own, a select */       \
    X(ADD_LOGIC, add_logic, "adds_logic")                                                                                      \
    X(MIX, mix, "adds_multiplies_logic")                                                                                       \
    X(DIVIDE, divide, "divides")                                                                                               \
    X(ROOT, root, "roots")                                                                                                     \
    X(DIVIDE_ROOT, divide_root, "divides_roots")                                                                               \
    X(LOAD, load, "loads")                                                                                                     \
    X(BROADCAST, broadcast, "broadcasts")                                                                                      \
    X(ISSUE, issue, "logic_loads") /* 2 : 1: instructions for all ports at once */

typedef enum loop_kind {
#define KIND(kind, function, name) LOOP_##kind,
    LOOP_LIST(KIND)
#undef KIND
        LOOP_KINDS
} loop_kind;

/* Runs some rounds of a loop, and returns how many operations these were. */
typedef uint64_t loop_fn(uint64_t rounds);

typedef struct roofline_loops {
    int lanes;
    loop_fn *loops[LOOP_KINDS]; /* NULL: no such instruction at this width */
} roofline_loops;

#endif
