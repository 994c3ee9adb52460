/* SPDX-License-Identifier: MIT */
/*
 * Compiled once for each kernel (harness/roofline/CMakeLists.txt), with DUNLIN_WIDE its target and ROOFLINE_LOOPS the name of
 * its table.
 *
 * KEEP makes the compiler forget what it knows of a value, without an instruction: it can then fold, hoist or remove nothing,
 * and cannot combine chains of scalars into vectors. A loop needs as many independent chains as the longest latency times the
 * number of ports. The most that we know is 12 (3 cycles x 4 ports, 4 x 3); schedulers are not perfect, so there are a few
 * more. CHAINS chains and two constants just fit into sixteen registers. `objdump -d` shows no spilled register, except for
 * divides by SSE, which are slower than the spills.
 */
#include "harness/roofline/loops.h"

#include DUNLIN_WIDE

enum {
    CHAINS = 14,
    SWEEPS = 3,      /* over all chains per round: the loop's own two instructions are then 5 % of all */
    LOAD_CHAINS = 8, /* a load needs no chain, but a register */
    LOAD_SWEEPS = 6,
    CLOCK_ADDS = 64 /* per round */
};

#if defined(__x86_64__) && defined(WIDE_MASK_REGISTERS)
#define VECTOR_REGISTER "v"
#elif defined(__x86_64__)
#define VECTOR_REGISTER "x"
#elif defined(__aarch64__)
#define VECTOR_REGISTER "w"
#else /* the value goes through memory, which lowers the ceilings */
#define VECTOR_REGISTER "m"
#endif

#define KEEP(a)         __asm__ volatile("" : "+" VECTOR_REGISTER(a))
#define KEEP_POINTER(p) __asm__ volatile("" : "+r"(p))
#define USE(a)          __asm__ volatile("" : : VECTOR_REGISTER(a))

#define UNROLL _Pragma("GCC unroll 16")

static float memory[CHAINS * 16] __attribute__((aligned(64))); /* small, so it stays in L1 */

/*
 * `step` is the code of one operation: it may use chain k's value a[k], constants c and d, memory at p, and n, the number of
 * the operation in the round.
 */
#define LOOP_OF(name, chains, sweeps, step)                                                                                    \
    static uint64_t name(uint64_t rounds) {                                                                                    \
        const uint64_t operations = rounds * (chains) * (sweeps);                                                              \
        wide a[chains], c = wide_set(0.37f), d = wide_set(1.0f);                                                               \
        float *p = memory;                                                                                                     \
        KEEP_POINTER(p);                                                                                                       \
        KEEP(c);                                                                                                               \
        KEEP(d);                                                                                                               \
        UNROLL for (int k = 0; k < (chains); k++) a[k] = wide_set(1.1f + 0.137f * (float)k);                                   \
        for (; rounds; rounds--) {                                                                                             \
            UNROLL for (int sweep = 0; sweep < (sweeps); sweep++) {                                                            \
                UNROLL for (int k = 0; k < (chains); k++) {                                                                    \
                    const int n = sweep * (chains) + k;                                                                        \
                    (void)n;                                                                                                   \
                    step;                                                                                                      \
                    KEEP(a[k]);                                                                                                \
                }                                                                                                              \
            }                                                                                                                  \
        }                                                                                                                      \
        return operations;                                                                                                     \
    }
#define LOOP(name, step) LOOP_OF(name, CHAINS, SWEEPS, step)

/* Of two operations that alternate; and of two that do first, first, second. */
#define LOOP_1_1(name, first, second)                                                                                          \
    LOOP(                                                                                                                      \
        name, if (n % 2 == 0) { first; } else { second; })
#define LOOP_2_1(name, first, second)                                                                                          \
    LOOP(                                                                                                                      \
        name, if (n % 3 != 2) { first; } else { second; })

#define ADD      a[k] = wide_add(a[k], c)
#define MULTIPLY a[k] = wide_mul(a[k], d)
#define DIVIDE   a[k] = wide_div(c, a[k]) /* the quotient is the next divisor: no number lets a divider stop early */
#define ROOT                                                                                                                   \
    wide r = wide_sqrt(a[k]);                                                                                                  \
    USE(r)
#define LOAD                                                                                                                   \
    KEEP_POINTER(p);                                                                                                           \
    wide b = wide_load(p);                                                                                                     \
    USE(b)

#if defined(WIDE_MASK_REGISTERS)
#define COMPARE                                                                                                                \
    wide_mask m = wide_le(a[k], c);                                                                                            \
    __asm__ volatile("" : : "k"(m))
#define LOGIC a[k] = wide_blend((wide_mask)0x55, a[k], c)
#elif DUNLIN_LANES > 1 /* masks are vectors: a comparison is a step of the chain, so that SSE need not copy its operand */
#define COMPARE a[k] = wide_le(a[k], c)
#define LOGIC   a[k] = wide_and(a[k], c)
#else
#define COMPARE                                                                                                                \
    wide_mask m = wide_le(a[k], c);                                                                                            \
    __asm__ volatile("" : : "r"(m))
#define LOGIC MULTIPLY /* masks are truth values in other registers, so mixes have no logic */
#endif

/* ---- arithmetic ------------------------------------------------------------------------------------------------------- */

/* Adds a register, because some processors add small constants at no cost. */
static uint64_t clock_chain(uint64_t rounds) {
    const uint64_t operations = rounds * CLOCK_ADDS;
    uint64_t a = 1, b = 1;
    for (; rounds; rounds--) {
        _Pragma("GCC unroll 64") for (int i = 0; i < CLOCK_ADDS; i++) {
            a += b;
            __asm__ volatile("" : "+r"(a), "+r"(b));
        }
    }
    return operations;
}

LOOP(add, ADD)
LOOP(multiply, MULTIPLY)
LOOP_1_1(add_multiply, ADD, MULTIPLY)
LOOP(compare, COMPARE)
LOOP_2_1(add_compare, ADD, COMPARE)
LOOP(mix, if (n % 3 == 0) ADD; else if (n % 3 == 1) MULTIPLY; else LOGIC)
LOOP(divide, DIVIDE)
LOOP(root, ROOT)
LOOP_1_1(divide_root, DIVIDE, ROOT)

#if DUNLIN_LANES > 1
LOOP(logic, LOGIC)
LOOP_1_1(add_logic, ADD, LOGIC)
#else /* minima and masks are comparisons and jumps there */
#define logic     NULL
#define add_logic NULL
#endif

/* Strict kernels have no flag for FMAs, so they are requested by name, and only run if the processor has them. */
#if defined(__x86_64__) && DUNLIN_LANES >= 8
#define FMA __asm__("vfmadd231ps %1, %2, %0" : "+" VECTOR_REGISTER(a[k]) : VECTOR_REGISTER(c), VECTOR_REGISTER(d))
#elif defined(__aarch64__) && DUNLIN_LANES == 4
#define FMA __asm__("fmla %0.4s, %1.4s, %2.4s" : "+w"(a[k]) : "w"(c), "w"(d))
#endif
#ifdef FMA
LOOP(fma_alone, FMA)
LOOP_1_1(add_fma, ADD, FMA)
#else
#define fma_alone NULL
#define add_fma   NULL
#endif

/* ---- loads ------------------------------------------------------------------------------------------------- */

LOOP_OF(load, LOAD_CHAINS, LOAD_SWEEPS, LOAD)
LOOP_OF(broadcast, LOAD_CHAINS, LOAD_SWEEPS, KEEP_POINTER(p); wide b = wide_set(p[k]); USE(b))

/* Logic takes one cycle, so a few chains are enough. A single lane does adds, multiplies and loads, 1 : 1 : 1. */
#if DUNLIN_LANES == 1
LOOP_OF(
    issue, CHAINS - 1, LOAD_SWEEPS, if (n % 3 == 2) { LOAD; } else if (n % 3 == 1) MULTIPLY; else ADD)
#else
LOOP_OF(
    issue, LOAD_CHAINS, LOAD_SWEEPS, if (n % 3 == 2) { LOAD; } else LOGIC)
#endif

/* ---- the table -------------------------------------------------------------------------------------------------------- */

extern const roofline_loops ROOFLINE_LOOPS;

const roofline_loops ROOFLINE_LOOPS = {
    .lanes = DUNLIN_LANES,
#define ENTRY(kind, function, name) [LOOP_##kind] = function,
    .loops = {LOOP_LIST(ENTRY)},
};
