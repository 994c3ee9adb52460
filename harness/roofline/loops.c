/* SPDX-License-Identifier: MIT */
/*
 * Compiled once for each kernel (harness/roofline/CMakeLists.txt), with DUNLIN_KERNEL its name and DUNLIN_WIDE its target.
 *
 * KEEP makes the compiler forget what it knows of a value without costing an instruction: so nothing is folded, hoisted or left
 * out, and chains of scalars are not made vectors of. CHAINS independent chains cover the longest latency times width that we
 * know (3 cycles x 4 ports, 4 x 3) with some to spare, for schedulers are not perfect, and with two constants just fit into
 * sixteen registers: `objdump -d` shows that nothing is spilled, but of divides by SSE, which are slower than that.
 */
#include "harness/roofline/loops.h"

#include "kernels/wide/wide.h"

enum {
    CHAINS = 14,
    SWEEPS = 3, /* over all chains a round: the loop's own two instructions are then 5 % of all, and seldom in the way */
    ROUND = CHAINS * SWEEPS, /* operations: of six kinds in turn, as many of each */
    CLOCK_ADDS = 64          /* a round */
};

#if defined(__x86_64__)
#define VECTOR_REGISTER "x"
#if defined(WIDE_MASK_REGISTERS)
#undef VECTOR_REGISTER
#define VECTOR_REGISTER "v"
#endif
#define MASK_REGISTER "k"
#elif defined(__aarch64__)
#define VECTOR_REGISTER "w"
#define MASK_REGISTER   "w"
#else /* the value goes through memory, and ceilings with it */
#define VECTOR_REGISTER "m"
#define MASK_REGISTER   "m"
#endif

#define KEEP(a)         __asm__ volatile("" : "+" VECTOR_REGISTER(a))
#define KEEP_POINTER(p) __asm__ volatile("" : "+r"(p))
#define USE(a)          __asm__ volatile("" : : VECTOR_REGISTER(a))
#define FORGET_MEMORY() __asm__ volatile("" : : : "memory")

/* Where masks are vectors, a comparison is a step of a chain, so that SSE needs no copy of its operand. */
#if DUNLIN_LANES > 1 && !defined(WIDE_MASK_REGISTERS)
#define MASKS_ARE_VECTORS 1
#else
#define MASKS_ARE_VECTORS 0
#endif

#define UNROLL _Pragma("GCC unroll 16")

static float memory[CHAINS * 16] __attribute__((aligned(64))); /* a little, in L1 */

/* `step` is written for chain k: value a[k], constants c and d, memory at p; n counts through the round. */
#define LOOP_FUNCTION_OF(name, chains, sweeps, step)                                                                           \
    static void name(uint64_t rounds) {                                                                                        \
        wide a[chains], c = wide_set(0.37f), d = wide_set(1.0f);                                                               \
        const float *p = memory;                                                                                               \
        KEEP_POINTER(p);                                                                                                       \
        KEEP(c);                                                                                                               \
        KEEP(d);                                                                                                               \
        UNROLL for (int k = 0; k < chains; k++) a[k] = wide_set(1.1f + 0.137f * (float)k);                                     \
        for (; rounds; rounds--) {                                                                                             \
            UNROLL for (int sweep = 0; sweep < sweeps; sweep++) {                                                              \
                UNROLL for (int k = 0; k < chains; k++) {                                                                      \
                    const int n = sweep * chains + k;                                                                          \
                    (void)n;                                                                                                   \
                    step;                                                                                                      \
                    KEEP(a[k]);                                                                                                \
                }                                                                                                              \
            }                                                                                                                  \
        }                                                                                                                      \
        UNROLL for (int k = 0; k < chains; k++) USE(a[k]);                                                                     \
        USE(c);                                                                                                                \
        USE(d);                                                                                                                \
    }
#define LOOP_FUNCTION(name, step) LOOP_FUNCTION_OF(name, CHAINS, SWEEPS, step)

#define ADD      a[k] = wide_add(a[k], c)
#define MULTIPLY a[k] = wide_mul(a[k], d)

#if MASKS_ARE_VECTORS
#define COMPARE a[k] = wide_le(a[k], c)
#define LOGIC   a[k] = wide_and(a[k], c)
#elif defined(WIDE_MASK_REGISTERS)
#define COMPARE                                                                                                                \
    wide_mask m = wide_le(a[k], c);                                                                                            \
    __asm__ volatile("" : : MASK_REGISTER(m))
#define LOGIC a[k] = wide_blend((wide_mask)0x55, a[k], c)
#else
#define COMPARE                                                                                                                \
    wide_mask m = wide_le(a[k], c);                                                                                            \
    __asm__ volatile("" : : "r"(m))
#define LOGIC MULTIPLY /* masks are truth values, in other registers: mixes then go without */
#endif

/* ---- arithmetic ------------------------------------------------------------------------------------------------------- */

static void clock_chain(uint64_t rounds) {
    uint64_t a = 1, b = 1;
    for (; rounds; rounds--) {
        /* Adds of a register: adds of small constants are done for free by some processors. */
        UNROLL for (int i = 0; i < CLOCK_ADDS / 16; i++) {
            UNROLL for (int j = 0; j < 16; j++) {
                a += b;
                __asm__ volatile("" : "+r"(a), "+r"(b));
            }
        }
    }
}

LOOP_FUNCTION(add, ADD)
LOOP_FUNCTION(multiply, MULTIPLY)
LOOP_FUNCTION(add_multiply, if (n % 2 == 0) ADD; else MULTIPLY)
LOOP_FUNCTION(add_add_multiply, if (n % 3 != 2) ADD; else MULTIPLY)
LOOP_FUNCTION(add_multiply_multiply, if (n % 3 == 2) ADD; else MULTIPLY)
LOOP_FUNCTION(compare, COMPARE)
LOOP_FUNCTION(
    add_compare, if (n % 3 != 2) { ADD; } else { COMPARE; })
LOOP_FUNCTION(mix, if (n % 3 == 0) ADD; else if (n % 3 == 1) MULTIPLY; else LOGIC)
/* The quotient is the next divisor: never a number so simple that a divider could stop early. */
LOOP_FUNCTION(divide, a[k] = wide_div(c, a[k]))
LOOP_FUNCTION(root, wide r = wide_sqrt(a[k]); USE(r))
LOOP_FUNCTION(
    divide_root, if (n % 2 == 0) { a[k] = wide_div(c, a[k]); } else {
        wide r = wide_sqrt(a[k]);
        USE(r);
    })

#if DUNLIN_LANES > 1
LOOP_FUNCTION(maximum, a[k] = wide_max(a[k], c))
LOOP_FUNCTION(logic, LOGIC)
LOOP_FUNCTION(add_logic, if (n % 2 == 0) ADD; else LOGIC)

static void integer(uint64_t rounds) {
    wide_int n[CHAINS];
    wide c = wide_set(1.0f);
    KEEP(c);
    wide_mask m = wide_le(c, c);
#if MASKS_ARE_VECTORS
    KEEP(m);
#else
    __asm__ volatile("" : "+" MASK_REGISTER(m));
#endif
    UNROLL for (int k = 0; k < CHAINS; k++) n[k] = wide_int_set(k);
    for (; rounds; rounds--) {
        UNROLL for (int sweep = 0; sweep < SWEEPS; sweep++) {
            UNROLL for (int k = 0; k < CHAINS; k++) {
                n[k] = wide_count_if(n[k], m);
                KEEP(n[k]);
            }
        }
    }
    UNROLL for (int k = 0; k < CHAINS; k++) USE(n[k]);
}
#endif

/* No kernel's own flags have it (strict kernels must not), so it is asked for by name, and only run where it is. */
#if defined(__x86_64__) && DUNLIN_LANES >= 8
#define FMA __asm__("vfmadd231ps %1, %2, %0" : "+" VECTOR_REGISTER(a[k]) : VECTOR_REGISTER(c), VECTOR_REGISTER(d))
#elif defined(__aarch64__) && DUNLIN_LANES == 4
#define FMA __asm__("fmla %0.4s, %1.4s, %2.4s" : "+w"(a[k]) : "w"(c), "w"(d))
#endif
#ifdef FMA
LOOP_FUNCTION(fma_loop, FMA)
LOOP_FUNCTION(multiply_fma, if (n % 2 == 0) MULTIPLY; else FMA)
LOOP_FUNCTION(add_fma, if (n % 2 == 0) ADD; else FMA)
#else
#define fma_loop     NULL
#define multiply_fma NULL
#define add_fma      NULL
#endif

/* ---- loads and stores ------------------------------------------------------------------------------------------------- */

static void load(uint64_t rounds) {
    const float *p = memory;
    for (; rounds; rounds--) {
        UNROLL for (int sweep = 0; sweep < SWEEPS; sweep++) {
            UNROLL for (int k = 0; k < CHAINS; k++) {
                KEEP_POINTER(p);
                wide a = wide_load(p + DUNLIN_LANES * k);
                USE(a);
            }
        }
    }
}

static void broadcast(uint64_t rounds) {
    const float *p = memory;
    for (; rounds; rounds--) {
        UNROLL for (int sweep = 0; sweep < SWEEPS; sweep++) {
            UNROLL for (int k = 0; k < CHAINS; k++) {
                KEEP_POINTER(p);
                wide a = wide_set(p[k]);
                USE(a);
            }
        }
    }
}

static void store(uint64_t rounds) {
    float *p = memory;
    KEEP_POINTER(p);
    const wide a = wide_zero();
    for (; rounds; rounds--) {
        UNROLL for (int sweep = 0; sweep < SWEEPS; sweep++) {
            UNROLL for (int k = 0; k < CHAINS; k++) {
                wide_store(p + DUNLIN_LANES * k, a);
                FORGET_MEMORY();
            }
        }
    }
}

#define LOAD                                                                                                                   \
    KEEP_POINTER(p);                                                                                                           \
    wide b = wide_load(p);                                                                                                     \
    USE(b)
/* Logic takes one cycle, so that a few chains do, and what is loaded has its registers. */
enum { ISSUE_CHAINS = DUNLIN_LANES == 1 ? 13 : 8, ISSUE_SWEEPS = 6 };
#if DUNLIN_LANES == 1
LOOP_FUNCTION_OF(
    issue, ISSUE_CHAINS, ISSUE_SWEEPS, if (n % 3 == 2) { LOAD; } else if (n % 3 == 1) MULTIPLY; else ADD)
#else
LOOP_FUNCTION_OF(
    issue, ISSUE_CHAINS, ISSUE_SWEEPS, if (n % 3 == 2) { LOAD; } else LOGIC)
#endif

/* ---- bandwidth -------------------------------------------------------------------------------------------------------- */

enum { UNROLLED = 8 };
_Static_assert(LOOPS_BLOCK % (UNROLLED * DUNLIN_LANES) == 0, "whole rounds");

static void read_all(const float *from, size_t count) {
    for (size_t i = 0; i < count; i += UNROLLED * DUNLIN_LANES) {
        UNROLL for (size_t k = 0; k < UNROLLED; k++) {
            wide a = wide_load(from + i + k * DUNLIN_LANES);
            USE(a);
        }
    }
}

static void write_all(float *to, size_t count) {
    wide a = wide_zero();
    for (size_t i = 0; i < count; i += UNROLLED * DUNLIN_LANES) {
        UNROLL for (size_t k = 0; k < UNROLLED; k++) {
            KEEP(a);
            wide_store(to + i + k * DUNLIN_LANES, a);
        }
    }
    FORGET_MEMORY();
}

static void copy_all(float *to, const float *from, size_t count) {
    for (size_t i = 0; i < count; i += UNROLLED * DUNLIN_LANES) {
        UNROLL for (size_t k = 0; k < UNROLLED; k++) {
            wide a = wide_load(from + i + k * DUNLIN_LANES);
            KEEP(a);
            wide_store(to + i + k * DUNLIN_LANES, a);
        }
    }
    FORGET_MEMORY();
}

#if defined(__x86_64__) && DUNLIN_LANES > 1
/* SIMDe has no 512-bit stream; two of 256 bits fill the same cache line. */
#if DUNLIN_LANES == 4
#define STREAM_LANES         4
#define stream_one(to, from) simde_mm_stream_ps(to, simde_mm_loadu_ps(from))
#else
#define STREAM_LANES         8
#define stream_one(to, from) simde_mm256_stream_ps(to, simde_mm256_loadu_ps(from))
#endif

static void stream_all(float *to, const float *from, size_t count) {
    for (size_t i = 0; i < count; i += UNROLLED * STREAM_LANES) {
        UNROLL for (size_t k = 0; k < UNROLLED; k++) stream_one(to + i + k * STREAM_LANES, from + i + k * STREAM_LANES);
    }
    simde_mm_sfence();
}
#else
#define stream_all NULL
#endif

/* ---- the table -------------------------------------------------------------------------------------------------------- */

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define TEXT_(a)    #a
#define TEXT(a)     TEXT_(a)

#if DUNLIN_LANES == 1 /* minima and masks are comparisons and jumps there */
#define maximum   NULL
#define logic     NULL
#define add_logic NULL
#define integer   NULL
#endif

extern const roofline_loops JOIN(roofline_loops_, DUNLIN_KERNEL);

const roofline_loops JOIN(roofline_loops_, DUNLIN_KERNEL) = {
    .kernel = TEXT(DUNLIN_KERNEL),
    .lanes = DUNLIN_LANES,
    .kinds =
        {
            [LOOP_CLOCK] = {clock_chain, CLOCK_ADDS},
            [LOOP_ADD] = {add, ROUND},
            [LOOP_MULTIPLY] = {multiply, ROUND},
            [LOOP_ADD_MULTIPLY] = {add_multiply, ROUND},
            [LOOP_ADD_ADD_MULTIPLY] = {add_add_multiply, ROUND},
            [LOOP_ADD_MULTIPLY_MULTIPLY] = {add_multiply_multiply, ROUND},
            [LOOP_FMA] = {fma_loop, ROUND},
            [LOOP_MULTIPLY_FMA] = {multiply_fma, ROUND},
            [LOOP_ADD_FMA] = {add_fma, ROUND},
            [LOOP_COMPARE] = {compare, ROUND},
            [LOOP_MAX] = {maximum, ROUND},
            [LOOP_ADD_COMPARE] = {add_compare, ROUND},
            [LOOP_LOGIC] = {logic, ROUND},
            [LOOP_ADD_LOGIC] = {add_logic, ROUND},
            [LOOP_INTEGER] = {integer, ROUND},
            [LOOP_MIX] = {mix, ROUND},
            [LOOP_DIVIDE] = {divide, ROUND},
            [LOOP_ROOT] = {root, ROUND},
            [LOOP_DIVIDE_ROOT] = {divide_root, ROUND},
            [LOOP_LOAD] = {load, ROUND},
            [LOOP_BROADCAST] = {broadcast, ROUND},
            [LOOP_STORE] = {store, ROUND},
            [LOOP_ISSUE] = {issue, ISSUE_CHAINS *ISSUE_SWEEPS},
        },
    .read = read_all,
    .write = write_all,
    .copy = copy_all,
    .stream = stream_all,
};
