/* SPDX-License-Identifier: MIT */
/*
 * The host's floating-point mode must not show in any bit. Hosts flush denormals to zero (one that is merely linked with
 * -ffast-math does so in every thread), round upwards, or let exceptions trap. So every public function that computes with
 * numbers, reads or writes them, and every worker, begins with DUN_OWN_FLOATS(). Until it returns, whichever way it does,
 * numbers round to nearest, none is flushed and nothing traps; then the host's mode is back, and its exception flags are as
 * they were. Callbacks run in the engine's mode: there is one mode within a call.
 *
 * glibc's strtod() and printf() round as the x87 control word says, so that is set, too. It is written only where it differs,
 * because that is slow. WebAssembly has no modes, and its functions of <fenv.h> do nothing.
 *
 * This file uses nothing else of the engine, and the scenario library includes it, too.
 */
#ifndef DUNLIN_ENGINE_ENTRY_H
#define DUNLIN_ENGINE_ENTRY_H

#if defined(__x86_64__)

#include <stdint.h>

typedef struct dun_floats {
    uint32_t sse; /* MXCSR */
    uint16_t x87; /* control word */
} dun_floats;

static const dun_floats dun_own_floats = {0x1f80, 0x037f}; /* as a process begins */

static inline dun_floats dun_floats_enter(void) {
    dun_floats host;
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1\n\tldmxcsr %2"
                     : "=m"(host.sse), "=m"(host.x87)
                     : "m"(dun_own_floats.sse)
                     : "memory");
    if (host.x87 != dun_own_floats.x87) __asm__ volatile("fldcw %0" : : "m"(dun_own_floats.x87) : "memory");
    return host;
}

static inline void dun_floats_leave(const dun_floats *host) {
    __asm__ volatile("ldmxcsr %0" : : "m"(host->sse) : "memory");
    if (host->x87 != dun_own_floats.x87) __asm__ volatile("fldcw %0" : : "m"(host->x87) : "memory");
}

#elif defined(__aarch64__)

#include <stdint.h>

typedef struct dun_floats {
    uint64_t control, flags; /* FPCR, FPSR */
} dun_floats;

static inline dun_floats dun_floats_enter(void) {
    dun_floats host;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr\n\tmsr fpcr, xzr" : "=&r"(host.control), "=&r"(host.flags) : : "memory");
    return host;
}

static inline void dun_floats_leave(const dun_floats *host) {
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(host->control), "r"(host->flags) : "memory");
}

#else

#include <fenv.h>

typedef fenv_t dun_floats;

static inline dun_floats dun_floats_enter(void) {
    fenv_t host;
    fegetenv(&host);
    fesetenv(FE_DFL_ENV);
    return host;
}

static inline void dun_floats_leave(const dun_floats *host) {
    fesetenv(host);
}

#endif

/* The host's mode is back at the end of the block. */
#define DUN_OWN_FLOATS() __attribute__((cleanup(dun_floats_leave), unused)) const dun_floats host_floats_ = dun_floats_enter()

/* Compilers do not know that operations depend on the mode, and may move them. An argument or result that is a number, and has
 * never been in memory, is passed through here, between the change of mode and the operations. */
#define DUN_PIN(number) __asm__ volatile("" : "+m"(number))

#endif
