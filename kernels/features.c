/* SPDX-License-Identifier: MIT */
/* All that kernels ask of the processor. Tests link with another dun_features(), which pretends: see tests/lib/pretend.c. */
#include "kernels/features.h"

#include <stdbool.h>

#if defined(__x86_64__)
static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt");
}

static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}

unsigned dun_features(void) {
    return (__builtin_cpu_supports("sse4.1") ? DUN_SIMD128 : 0u) | (has_avx2() ? DUN_AVX2 : 0u) |
           (has_avx512() ? DUN_AVX512 : 0u) | (__builtin_cpu_is("amdfam19h") ? DUN_AMD_19H : 0u);
}
#else
unsigned dun_features(void) {
    return DUN_SIMD128;
}
#endif
