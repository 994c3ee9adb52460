/* SPDX-License-Identifier: MIT */
#include "tests/lib/float_modes.h"

#include <fenv.h>
#include <stdint.h>

typedef struct float_mode {
    const char *name;
    int rounding;
    bool flushes, traps;
} float_mode;

static const float_mode modes[] = {{"as a process begins", FE_TONEAREST, false, false},
#ifndef __EMSCRIPTEN__
                                   {"flushes to zero", FE_TONEAREST, true, false},
                                   {"rounds up", FE_UPWARD, false, false},
                                   {"rounds down", FE_DOWNWARD, false, false},
                                   {"rounds to zero", FE_TOWARDZERO, false, false},
                                   {"traps", FE_TONEAREST, false, true},
                                   {"rounds up, flushes and traps", FE_UPWARD, true, true}
#endif
};

_Static_assert(sizeof modes / sizeof *modes == FLOAT_MODES, "each mode has a row");

/* A thread's mode and flags, and what of a mode <fenv.h> cannot set. */
#if defined(__x86_64__)

typedef struct state {
    uint32_t sse;
    uint16_t x87;
} state;

static state now(void) {
    state s = {.sse = __builtin_ia32_stmxcsr()};
    __asm__ volatile("fnstcw %0" : "=m"(s.x87));
    return s;
}

static void set_rest(const float_mode *mode) {
    enum { OVERFLOWN = 8, FLUSHES = 0x8040, SSE_MASKS = 0x1f80, X87_MASKS = 0x3f };
    state s = now();
    s.sse |= OVERFLOWN | (mode->flushes ? FLUSHES : 0);
    if (mode->traps) s.sse &= ~(uint32_t)SSE_MASKS;
    if (mode->traps) s.x87 &= (uint16_t)~X87_MASKS;
    __builtin_ia32_ldmxcsr(s.sse);
    __asm__ volatile("fldcw %0" : : "m"(s.x87));
}

static bool is_same(state a, state b) {
    return a.sse == b.sse && a.x87 == b.x87;
}

#elif defined(__aarch64__)

typedef struct state {
    uint64_t control, flags;
} state;

static state now(void) {
    state s;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(s.control), "=r"(s.flags));
    return s;
}

/* Most processors have no traps, and keep those bits 0. */
static void set_rest(const float_mode *mode) {
    state s = now();
    const uint64_t overflown = 4, flushes = UINT64_C(1) << 24, traps = UINT64_C(0x1f) << 8;
    s.control |= (mode->flushes ? flushes : 0) | (mode->traps ? traps : 0);
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(s.control), "r"(overflown) : "memory");
}

static bool is_same(state a, state b) {
    return a.control == b.control && a.flags == b.flags;
}

#else

typedef int state;

static state now(void) {
    return fegetround();
}

static void set_rest(const float_mode *mode) {
    (void)mode;
}

static bool is_same(state a, state b) {
    return a == b;
}

#endif

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
static state set; /* there is one thread, and its linker knows no other */
#else
static _Thread_local state set;
#endif

const char *float_mode_name(int mode) {
    return modes[mode].name;
}

void float_mode_set(int mode) {
    fesetenv(FE_DFL_ENV);
    fesetround(modes[mode].rounding);
    set_rest(&modes[mode]);
    set = now();
}

bool float_mode_kept(void) {
    return is_same(now(), set);
}
