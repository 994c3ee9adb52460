/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>

#include "kernels/contract/kernel.h"

extern const dun_kernel dun_kernel_scalar;
extern const dun_kernel dun_kernel_simd128;
extern const dun_kernel dun_kernel_avx2;
extern const dun_kernel dun_kernel_avx512;

static bool always(void) {
    return true;
}

#if defined(__x86_64__)
static bool has_sse41(void) {
    return __builtin_cpu_supports("sse4.1") != 0;
}
static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt");
}
#ifdef DUNLIN_HAS_AVX512
static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}
#endif
#define SIMD128 "SSE4.1, 128 bits"
#else
#define has_sse41 always
#define SIMD128   "NEON or the like, 128 bits"
#endif

/* Narrow before wide; `auto` takes the last strict one that runs here. */
static const struct entry {
    const dun_kernel *kernel;
    const char *description;
    bool (*runs_here)(void);
} entries[] = {
    {&dun_kernel_scalar, "plain C, one agent at a time: the reference", always},
#ifdef DUNLIN_HAS_SIMD128
    {&dun_kernel_simd128, SIMD128, has_sse41},
#endif
#ifdef DUNLIN_HAS_AVX2
    {&dun_kernel_avx2, "AVX2 and FMA, 256 bits", has_avx2},
#endif
#ifdef DUNLIN_HAS_AVX512
    {&dun_kernel_avx512, "AVX-512 F, DQ, BW, VL, 512 bits", has_avx512},
#endif
};

int dun_kernels_count(void) {
    return (int)(sizeof entries / sizeof *entries);
}

const dun_kernel *dun_kernels_at(int position) {
    return entries[position].kernel;
}

const char *dun_kernels_description(int position) {
    return entries[position].description;
}

bool dun_kernels_runs_here(int position) {
    return entries[position].runs_here();
}

static int best(void) {
    int chosen = 0;
    for (int i = 0; i < dun_kernels_count(); i++)
        if (entries[i].kernel->strict && entries[i].runs_here()) chosen = i;
    return chosen;
}

int dun_kernels_find(const char *name) {
    if (strcmp(name, "auto") == 0) return best();
    for (int i = 0; i < dun_kernels_count(); i++)
        if (strcmp(entries[i].kernel->name, name) == 0) return i;
    return -1;
}
