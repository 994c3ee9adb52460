/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>

#include "kernels/contract/kernel.h"
#include "kernels/features.h"

extern const dun_kernel dun_kernel_scalar;
extern const dun_kernel dun_kernel_simd128;
extern const dun_kernel dun_kernel_avx2;
extern const dun_kernel dun_kernel_avx512vl;
extern const dun_kernel dun_kernel_avx512;

#if defined(__x86_64__)
#define SIMD128 "SSE4.1, 128 bits"
#elif defined(__wasm__)
#define SIMD128 "WebAssembly, 128 bits"
#else
#define SIMD128 "NEON or the like, 128 bits"
#endif

/* Slow before fast, as measured (docs/performance.md). `auto` begins with the last of them that runs here and is not outrun by
 * one before it. */
static const struct entry {
    const dun_kernel *kernel;
    const char *description;
    unsigned needs;     /* dun_feature */
    unsigned outrun_on; /* processors with one of these are faster with a kernel before it */
} entries[] = {
    {&dun_kernel_scalar, "plain C, one agent at a time: the reference", 0, 0},
#ifdef DUNLIN_HAS_SIMD128
    {&dun_kernel_simd128, SIMD128, DUN_SIMD128, 0},
#endif
#ifdef DUNLIN_HAS_AVX2
    {&dun_kernel_avx2, "AVX2 and FMA, 256 bits", DUN_AVX2, 0},
#endif
#ifdef DUNLIN_HAS_AVX512
    {&dun_kernel_avx512vl, "AVX-512 F, DQ, BW, VL, 256 bits", DUN_AVX2 | DUN_AVX512, 0},
    /* Zen 4 splits 512 bits in two halves, and a packet of 16 agents has more candidates than one of 8. */
    {&dun_kernel_avx512, "AVX-512 F, DQ, BW, VL, 512 bits", DUN_AVX2 | DUN_AVX512, DUN_AMD_19H},
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

static bool runs_on(unsigned features, int position) {
    return (entries[position].needs & ~features) == 0;
}

static bool contends_on(unsigned features, int position) {
    return position > 0 && runs_on(features, position);
}

bool dun_kernels_runs_here(int position) {
    return runs_on(dun_features(), position);
}

bool dun_kernels_contends(int position) {
    return contends_on(dun_features(), position);
}

int dun_kernels_fastest(unsigned features) {
    int chosen = 0;
    for (int i = 0; i < dun_kernels_count(); i++)
        if (contends_on(features, i) && !(entries[i].outrun_on & features)) chosen = i;
    return chosen;
}

int dun_kernels_find(const char *name) {
    if (strcmp(name, "auto") == 0) return dun_kernels_fastest(dun_features());
    for (int i = 0; i < dun_kernels_count(); i++)
        if (strcmp(entries[i].kernel->name, name) == 0) return i;
    return -1;
}
