/* SPDX-License-Identifier: MIT */
/* Vector instructions by kind, and the counter of the counting kernels. */
#ifndef DUNLIN_HARNESS_ROOFLINE_INSTRUCTIONS_H
#define DUNLIN_HARNESS_ROOFLINE_INSTRUCTIONS_H

#include <stdint.h>

/* The kinds of instructions that have ceilings. */
typedef enum instruction {
    INSTRUCTION_ADD, /* and subtract */
    INSTRUCTION_MULTIPLY,
    INSTRUCTION_FMA,
    INSTRUCTION_DIVIDE,
    INSTRUCTION_ROOT,
    INSTRUCTION_COMPARE, /* and minimum, maximum */
    INSTRUCTION_LOGIC,   /* of masks, and selects by them */
    INSTRUCTION_INTEGER,
    INSTRUCTION_SHUFFLE, /* moves numbers between lanes, or masks to other registers */
    INSTRUCTION_LOAD,    /* of vectors, and of numbers that are broadcast */
    INSTRUCTION_STORE,
    INSTRUCTIONS
} instruction;

/* What counting kernels have executed. It is global because a kernel's functions have no argument for it; one thread counts. */
extern uint64_t roofline_counted[INSTRUCTIONS];

#endif
