/* SPDX-License-Identifier: MIT */
/* The counter, the counting kernels, and what an operation of kernels/wide/wide.h costs in instructions. */
#include "harness/roofline/counting.h"

#include "roofline_kernels.h"

#include <string.h>

_Thread_local uint64_t roofline_counted[COUNTED_OPERATIONS];

#define DECLARE(name) extern const dun_kernel dun_kernel_counting_##name;
ROOFLINE_KERNELS(DECLARE)

const dun_kernel *counting_kernel_find(const char *name) {
#define ENTRY(name) {#name, &dun_kernel_counting_##name},
    static const struct {
        const char *name;
        const dun_kernel *kernel;
    } all[] = {ROOFLINE_KERNELS(ENTRY)};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, name) == 0) return all[i].kernel;
    }
    return NULL;
}

/*
 * What kernels/wide/wide.h writes for each operation, by lanes: masks are truth values (1), vectors (4, 8), or have registers
 * of their own (16). What runs beside the vector units, as masks and integers of a single lane do, counts nothing, for it
 * limits nothing that is measured. Where compilers may do with fewer instructions, the fewer count, for a bound must be one:
 * the `and` of a masked add of 8 lanes is shared by all adds under one mask, a zeroing mask of 16 lanes is part of the
 * instruction before.
 */
enum {
    ON_1 = 1,
    ON_4 = 2,
    ON_8 = 4,
    ON_16 = 8,
    ON_VECTORS = ON_4 | ON_8,
    ON_WIDE = ON_VECTORS | ON_16,
    ON_ALL = ON_1 | ON_WIDE
};

static const struct {
    counted_operation operation;
    unsigned on;
    instruction kind;
    int instructions;
} costs[] = {
    {COUNTED_BROADCAST, ON_ALL, INSTRUCTION_LOAD, 1},
    {COUNTED_INT_BROADCAST, ON_WIDE, INSTRUCTION_INTEGER, 1},
    {COUNTED_LOAD, ON_ALL, INSTRUCTION_LOAD, 1},
    {COUNTED_STORE, ON_ALL, INSTRUCTION_STORE, 1},
    {COUNTED_ADD, ON_ALL, INSTRUCTION_ADD, 1},
    {COUNTED_SUB, ON_ALL, INSTRUCTION_ADD, 1},
    {COUNTED_MUL, ON_ALL, INSTRUCTION_MULTIPLY, 1},
    {COUNTED_DIV, ON_ALL, INSTRUCTION_DIVIDE, 1},
    {COUNTED_SQRT, ON_ALL, INSTRUCTION_ROOT, 1},
    {COUNTED_MIN, ON_ALL, INSTRUCTION_COMPARE, 1},
    {COUNTED_MAX, ON_ALL, INSTRUCTION_COMPARE, 1},
    {COUNTED_LE, ON_ALL, INSTRUCTION_COMPARE, 1},
    {COUNTED_LT, ON_ALL, INSTRUCTION_COMPARE, 1},
    {COUNTED_AND, ON_VECTORS, INSTRUCTION_LOGIC, 1},
    {COUNTED_SELECT, ON_WIDE, INSTRUCTION_LOGIC, 1},
    {COUNTED_KEEP, ON_VECTORS, INSTRUCTION_LOGIC, 1},
    {COUNTED_ADD_IF, ON_1 | ON_4 | ON_16, INSTRUCTION_ADD, 1},
    {COUNTED_ADD_IF, ON_4, INSTRUCTION_LOGIC, 1},
    {COUNTED_ADD_IF, ON_8, INSTRUCTION_FMA, 1},
    {COUNTED_LEAST, ON_4, INSTRUCTION_COMPARE, 2},
    {COUNTED_LEAST, ON_4, INSTRUCTION_SHUFFLE, 2},
    {COUNTED_LEAST, ON_8, INSTRUCTION_COMPARE, 3},
    {COUNTED_LEAST, ON_8, INSTRUCTION_SHUFFLE, 3},
    {COUNTED_LEAST, ON_16, INSTRUCTION_COMPARE, 5},
    {COUNTED_LEAST, ON_16, INSTRUCTION_SHUFFLE, 6},
    {COUNTED_COUNT_IF, ON_WIDE, INSTRUCTION_INTEGER, 1},
    {COUNTED_OTHER_LANES, ON_VECTORS, INSTRUCTION_LOAD, 1},
    {COUNTED_INT_LT, ON_WIDE, INSTRUCTION_INTEGER, 1},
    {COUNTED_INT_ADD, ON_WIDE, INSTRUCTION_INTEGER, 1},
    {COUNTED_INT_LOGIC, ON_WIDE, INSTRUCTION_LOGIC, 1},
    {COUNTED_INT_SHIFT, ON_WIDE, INSTRUCTION_INTEGER, 1},
    {COUNTED_INT_MULTIPLY, ON_WIDE, INSTRUCTION_INTEGER, 7},
    {COUNTED_INT_PACK, ON_VECTORS, INSTRUCTION_LOAD, 1},
    {COUNTED_INT_PACK, ON_8, INSTRUCTION_INTEGER, 1},
    {COUNTED_INT_PACK, ON_VECTORS, INSTRUCTION_SHUFFLE, 2},
    {COUNTED_INT_PACK, ON_16, INSTRUCTION_SHUFFLE, 1},
    {COUNTED_INT_PACK, ON_ALL, INSTRUCTION_STORE, 1},
    {COUNTED_FROM_INT, ON_ALL, INSTRUCTION_INTEGER, 1},
    {COUNTED_TO_INT, ON_ALL, INSTRUCTION_INTEGER, 1},
    {COUNTED_INT_MUL, ON_WIDE, INSTRUCTION_INTEGER, 1},
    {COUNTED_GATHER, ON_1, INSTRUCTION_LOAD, 1}, /* each lane loads by itself, in one instruction or several */
    {COUNTED_GATHER, ON_4, INSTRUCTION_LOAD, 4},
    {COUNTED_GATHER, ON_8, INSTRUCTION_LOAD, 8},
    {COUNTED_GATHER, ON_16, INSTRUCTION_LOAD, 16},
};

void counting_reset(void) {
    memset(roofline_counted, 0, sizeof roofline_counted);
}

instruction_counts counting_read(uint32_t lanes) {
    const unsigned on = lanes == 1 ? ON_1 : lanes == 4 ? ON_4 : lanes == 8 ? ON_8 : ON_16;
    instruction_counts counts = {{0}};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        if (!(costs[i].on & on)) continue;
        counts.of[costs[i].kind] += costs[i].instructions * (double)roofline_counted[costs[i].operation];
    }
    return counts;
}

const char *counting_instruction_name(instruction kind) {
    static const char *const names[INSTRUCTIONS] = {
        [INSTRUCTION_ADD] = "adds",       [INSTRUCTION_MULTIPLY] = "multiplies", [INSTRUCTION_FMA] = "FMAs",
        [INSTRUCTION_DIVIDE] = "divides", [INSTRUCTION_ROOT] = "roots",          [INSTRUCTION_COMPARE] = "comparisons",
        [INSTRUCTION_LOGIC] = "logic",    [INSTRUCTION_INTEGER] = "integer",     [INSTRUCTION_SHUFFLE] = "shuffles",
        [INSTRUCTION_LOAD] = "loads",     [INSTRUCTION_STORE] = "stores",
    };
    return names[kind];
}
