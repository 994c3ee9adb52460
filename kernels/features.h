/* SPDX-License-Identifier: MIT */
/* What kernels ask of the processor. */
#ifndef DUNLIN_KERNELS_FEATURES_H
#define DUNLIN_KERNELS_FEATURES_H

/* What kernels need, and what decides which of them is the fastest. */
enum dun_feature {
    DUN_SIMD128 = 1, /* on x86 SSE4.1 */
    DUN_AVX2 = 2,    /* with FMA and POPCNT */
    DUN_AVX512 = 4,  /* F, DQ, BW and VL */
    DUN_AMD_19H = 8  /* AMD's family 25: Zen 3, and with AVX-512 Zen 4 */
};

/* Those that this processor has. */
unsigned dun_features(void);

/* The position of the kernel that `auto` begins with where the processor has these. */
int dun_kernels_fastest(unsigned features);

#endif
