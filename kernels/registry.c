/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>

#include "kernels/contract/kernel.h"

extern const dun_kernel dun_kernel_scalar;
extern const dun_kernel dun_kernel_simd128;
extern const dun_kernel dun_kernel_avx2;
extern const dun_kernel dun_kernel_avx512vl;
extern const dun_kernel dun_kernel_avx512;
extern const dun_kernel dun_fast_kernel_simd128;
extern const dun_kernel dun_fast_kernel_avx2;
extern const dun_kernel dun_fast_kernel_avx512vl;
extern const dun_kernel dun_fast_kernel_avx512;

static bool always(void) {
    return true;
}

#if defined(__x86_64__)
#define SIMD128 "SSE4.1, 128 bits"
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
/* Zen 4 splits 512 bits in two halves, and a group of 16 agents has more candidates than one of 8. */
static bool is_zen4(void) {
    return __builtin_cpu_is("amdfam19h") && has_avx512();
}
#endif
#else
#define has_sse41 always
#if defined(__wasm__)
#define SIMD128 "WebAssembly, 128 bits"
#else
#define SIMD128 "NEON or the like, 128 bits"
#endif
#endif

/* Strict ones, slow before fast, as measured (docs/performance.md). `auto` begins with the last of them that runs here and is
 * not outrun by one before it. Then come fast ones, which it never takes. */
static const struct entry {
    const dun_kernel *kernel;
    const char *description;
    bool (*runs_here)(void);
    bool (*is_outrun)(void); /* NULL: never */
} entries[] = {
    {&dun_kernel_scalar, "plain C, one agent at a time: the reference", always, NULL},
#ifdef DUNLIN_HAS_SIMD128
    {&dun_kernel_simd128, SIMD128, has_sse41, NULL},
#endif
#ifdef DUNLIN_HAS_AVX2
    {&dun_kernel_avx2, "AVX2 and FMA, 256 bits", has_avx2, NULL},
#endif
#ifdef DUNLIN_HAS_AVX512
    {&dun_kernel_avx512vl, "AVX-512 F, DQ, BW, VL, 256 bits", has_avx512, NULL},
    {&dun_kernel_avx512, "AVX-512 F, DQ, BW, VL, 512 bits", has_avx512, is_zen4},
#endif
#ifdef DUNLIN_HAS_SIMD128_FAST
    {&dun_fast_kernel_simd128, SIMD128 ", with estimates", has_sse41, NULL},
#endif
#ifdef DUNLIN_HAS_AVX2_FAST
    {&dun_fast_kernel_avx2, "AVX2 and FMA, 256 bits, with estimates", has_avx2, NULL},
#endif
#ifdef DUNLIN_HAS_AVX512_FAST
    {&dun_fast_kernel_avx512vl, "AVX-512 F, DQ, BW, VL, 512 bits: 8 agents times 2 candidates, with estimates", has_avx512,
     NULL},
    {&dun_fast_kernel_avx512, "AVX-512 F, DQ, BW, VL, 512 bits, with estimates", has_avx512, NULL},
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

bool dun_kernels_contends(int position) {
    return position > 0 && !entries[position].kernel->fast && dun_kernels_runs_here(position);
}

static int fastest(void) {
    int chosen = 0;
    for (int i = 0; i < dun_kernels_count(); i++)
        if (dun_kernels_contends(i) && !(entries[i].is_outrun && entries[i].is_outrun())) chosen = i;
    return chosen;
}

int dun_kernels_find(const char *name) {
    if (strcmp(name, "auto") == 0) return fastest();
    for (int i = 0; i < dun_kernels_count(); i++)
        if (strcmp(entries[i].kernel->name, name) == 0) return i;
    return -1;
}
