/* SPDX-License-Identifier: MIT */
/* The operations of kernels/wide/operations.h, as a counting kernel counts them. */
#ifndef DUNLIN_HARNESS_ROOFLINE_COUNTED_H
#define DUNLIN_HARNESS_ROOFLINE_COUNTED_H

#include <stdint.h>

typedef enum counted_operation {
    COUNTED_CONSTANT,  /* costs nothing */
    COUNTED_SKIPPED,   /* a masked add of a single lane that the mask rules out: costs nothing */
    COUNTED_BROADCAST, /* wide_set() of a number in memory */
    COUNTED_INT_BROADCAST,
    COUNTED_LOAD,
    COUNTED_STORE,
    COUNTED_ADD,
    COUNTED_SUB,
    COUNTED_MUL,
    COUNTED_DIV,
    COUNTED_SQRT,
    COUNTED_MIN,
    COUNTED_MAX,
    COUNTED_LE,
    COUNTED_LT,
    COUNTED_AND,
    COUNTED_SELECT,
    COUNTED_KEEP,
    COUNTED_ADD_IF,
    COUNTED_LEAST, /* or greatest, of all lanes */
    COUNTED_COUNT_IF,
    COUNTED_OTHER_LANES,
    COUNTED_INT_LT,
    COUNTED_INT_ADD,
    COUNTED_INT_LOGIC,
    COUNTED_INT_SHIFT,
    COUNTED_INT_MULTIPLY,
    COUNTED_INT_PACK,
    COUNTED_FROM_INT,
    COUNTED_TO_INT,
    COUNTED_INT_MUL,
    COUNTED_GATHER,
    COUNTED_OPERATIONS
} counted_operation;

/* What counting kernels have called on this thread so far. Kernels have nobody to hand it to. */
extern _Thread_local uint64_t roofline_counted[COUNTED_OPERATIONS];

#endif
