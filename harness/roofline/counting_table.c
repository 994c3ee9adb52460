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
 * What each target (kernels/wide/) makes of an operation. Masks are truth values (scalar), vectors (simd128, avx2) or have
 * registers of their own (avx512vl, avx512). What runs beside the vector units, as masks and integers of a single lane do,
 * counts nothing, because it limits nothing that is measured. Where compilers may do with fewer instructions, the fewer count,
 * since this is for a lower bound: avx2 shares the `and` of a masked add among all adds under one mask, and AVX-512 makes a
 * zeroing mask part of the instruction before.
 */
enum {
    ON_SCALAR = 1,
    ON_SIMD128 = 2,
    ON_AVX2 = 4,
    ON_AVX512VL = 8,
    ON_AVX512 = 16,
    ON_VECTORS = ON_SIMD128 | ON_AVX2,
    ON_REGISTERS = ON_AVX512VL | ON_AVX512,
    ON_WIDE = ON_VECTORS | ON_REGISTERS,
    ON_ALL = ON_SCALAR | ON_WIDE
};

static const struct {
    const char *name;
    unsigned on;
} targets[] = {{"counting_scalar", ON_SCALAR},
               {"counting_simd128", ON_SIMD128},
               {"counting_avx2", ON_AVX2},
               {"counting_avx512vl", ON_AVX512VL},
               {"counting_avx512", ON_AVX512}};

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
    {COUNTED_ADD_IF, ON_SCALAR | ON_SIMD128 | ON_REGISTERS, INSTRUCTION_ADD, 1},
    {COUNTED_ADD_IF, ON_SIMD128, INSTRUCTION_LOGIC, 1},
    {COUNTED_ADD_IF, ON_AVX2, INSTRUCTION_FMA, 1},
    {COUNTED_LEAST, ON_SIMD128, INSTRUCTION_COMPARE, 2},
    {COUNTED_LEAST, ON_SIMD128, INSTRUCTION_SHUFFLE, 2},
    {COUNTED_LEAST, ON_AVX2 | ON_AVX512VL, INSTRUCTION_COMPARE, 3},
    {COUNTED_LEAST, ON_AVX2 | ON_AVX512VL, INSTRUCTION_SHUFFLE, 3},
    {COUNTED_LEAST, ON_AVX512, INSTRUCTION_COMPARE, 5},
    {COUNTED_LEAST, ON_AVX512, INSTRUCTION_SHUFFLE, 6},
    {COUNTED_COUNT_IF, ON_WIDE, INSTRUCTION_INTEGER, 1},
    {COUNTED_OTHER_LANES, ON_VECTORS, INSTRUCTION_LOAD, 1},
    {COUNTED_INT_LT, ON_WIDE, INSTRUCTION_INTEGER, 1},
    {COUNTED_INT_ADD, ON_WIDE, INSTRUCTION_INTEGER, 1},
    {COUNTED_INT_LOGIC, ON_WIDE, INSTRUCTION_LOGIC, 1},
    {COUNTED_INT_SHIFT, ON_WIDE, INSTRUCTION_INTEGER, 1},
    {COUNTED_INT_MULTIPLY, ON_WIDE, INSTRUCTION_INTEGER, 7},
    {COUNTED_INT_PACK, ON_VECTORS, INSTRUCTION_LOAD, 1},
    {COUNTED_INT_PACK, ON_AVX2, INSTRUCTION_INTEGER, 1},
    {COUNTED_INT_PACK, ON_VECTORS, INSTRUCTION_SHUFFLE, 2},
    {COUNTED_INT_PACK, ON_REGISTERS, INSTRUCTION_SHUFFLE, 1},
    {COUNTED_INT_PACK, ON_ALL, INSTRUCTION_STORE, 1},
    {COUNTED_FROM_INT, ON_ALL, INSTRUCTION_INTEGER, 1},
    {COUNTED_TO_INT, ON_ALL, INSTRUCTION_INTEGER, 1},
    {COUNTED_INT_MUL, ON_WIDE, INSTRUCTION_INTEGER, 1},
    {COUNTED_GATHER, ON_SCALAR, INSTRUCTION_LOAD, 1}, /* each lane loads by itself, in one instruction or several */
    {COUNTED_GATHER, ON_SIMD128, INSTRUCTION_LOAD, 4},
    {COUNTED_GATHER, ON_AVX2 | ON_AVX512VL, INSTRUCTION_LOAD, 8},
    {COUNTED_GATHER, ON_AVX512, INSTRUCTION_LOAD, 16},
};

void counting_reset(void) {
    memset(roofline_counted, 0, sizeof roofline_counted);
}

static unsigned target_of(const dun_kernel *counting) {
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (strcmp(targets[i].name, counting->name) == 0) return targets[i].on;
    return 0;
}

instruction_counts counting_read(const dun_kernel *counting) {
    const unsigned on = target_of(counting);
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
