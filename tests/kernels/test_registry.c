/* SPDX-License-Identifier: MIT */
/* Which kernels there are, which run here, and which of them is the fastest, on this machine and on others. */
#include "kernels/contract/kernel.h"
#include "tests/lib/effort.h"
#include "tests/lib/pretend.h"

#include "tests/lib/test.h"

/* ---- what the system says ------------------------------------------------------------------------------------------------ */

#if defined(__x86_64__)
/* Whether /proc/cpuinfo lists this word. The engine asks the processor itself. */
static bool cpu_says(const char *key, const char *word_wanted) {
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file) fail_msg("/proc/cpuinfo cannot be read");
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    while (!found && getline(&line, &room, file) >= 0) {
        if (strncmp(line, key, strlen(key)) != 0) continue;
        for (char *rest = line, *word; (word = strtok_r(rest, " \t\n:", &rest));)
            found = found || strcmp(word, word_wanted) == 0;
        break;
    }
    free(line);
    fclose(file);
    return found;
}

static bool cpu_has(const char *flag) {
    return cpu_says("flags", flag);
}

static unsigned real_features(void) {
    const bool avx2 = cpu_has("avx2") && cpu_has("fma") && cpu_has("popcnt"),
               avx512 = cpu_has("avx512f") && cpu_has("avx512dq") && cpu_has("avx512bw") && cpu_has("avx512vl"),
               amd_19h = cpu_says("vendor_id", "AuthenticAMD") && cpu_says("cpu family", "25");
    return (cpu_has("sse4_1") ? DUN_SIMD128 : 0u) | (avx2 ? DUN_AVX2 : 0u) | (avx512 ? DUN_AVX512 : 0u) |
           (amd_19h ? DUN_AMD_19H : 0u);
}
#else
static unsigned real_features(void) {
    return DUN_SIMD128;
}
#endif

static unsigned features_here(void) {
    return test_machine_features(real_features());
}

TEST(test_features_are_those_of_the_system) {
    assert_int_equal(dun_features(), features_here());
}

/* ---- kernels ------------------------------------------------------------------------------------------------------------- */

static unsigned needs_of(const char *kernel) {
    if (strcmp(kernel, "scalar") == 0) return 0;
    if (strcmp(kernel, "simd128") == 0) return DUN_SIMD128;
    if (strcmp(kernel, "avx2") == 0) return DUN_AVX2;
    if (strncmp(kernel, "avx512", strlen("avx512")) == 0) return DUN_AVX2 | DUN_AVX512; /* they have FMAs, too */
    fail_msg("kernel %s: say here what it needs", kernel);
    return 0;
}

TEST_EACH(test_expected_kernels_run, i, 0, dun_kernels_count()) {
    const char *name = dun_kernels_at(i)->name;
    const bool expected = !(needs_of(name) & ~features_here()), runs = dun_kernels_runs_here(i);
    print_message("kernel %s: %s\n", name, runs ? "runs here" : "SKIPPED, this machine cannot run it");
    if (expected && !runs) fail_msg("kernel %s is skipped on a machine that has its instructions", name);
    if (!expected && runs) fail_msg("kernel %s claims to run on a machine without its instructions", name);
}

/* A sanitized build leaves out kernels that cannot run here, and most have no narrow one where there is a wider one
 * (kernels/CMakeLists.txt). */
static bool left_out(const char *kernel) {
#if defined(DUNLIN_TEST_SANITIZED)
    const bool is_narrow = needs_of(kernel) == DUN_SIMD128 && real_features() & DUN_AVX2;
    return (is_narrow && !TEST_NIGHTLY) || ((needs_of(kernel) & DUN_AVX512) && !(real_features() & DUN_AVX512));
#else
    (void)kernel;
    return false;
#endif
}

TEST(test_registry_is_complete) {
#if defined(__x86_64__)
    static const char *const names[] = {"scalar", "simd128", "avx2", "avx512vl", "avx512"};
#else
    static const char *const names[] = {"scalar", "simd128"};
#endif
    int count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (left_out(names[i])) continue;
        assert_true(count < dun_kernels_count());
        assert_string_equal(dun_kernels_at(count)->name, names[i]);
        assert_int_equal(dun_kernels_find(names[i]), count);
        assert_true(dun_kernels_at(count)->lanes <= DUN_PADDING);
        count++;
    }
    assert_int_equal(dun_kernels_count(), count);
    assert_int_equal(dun_kernels_find("avx512_emulated"), -1);
    assert_int_equal(dun_kernels_find(""), -1);
    assert_true(dun_kernels_runs_here(dun_kernels_find("auto")));
}

/* ---- auto ---------------------------------------------------------------------------------------------------------------- */

/* As measured (docs/performance.md). */
static const char *fastest_of(unsigned features) {
    if (!(~features & (DUN_AVX2 | DUN_AVX512))) return features & DUN_AMD_19H ? "avx512vl" : "avx512";
    return features & DUN_AVX2 ? "avx2" : features & DUN_SIMD128 ? "simd128" : "scalar";
}

TEST(test_auto_is_the_fastest) {
    assert_string_equal(dun_kernels_at(dun_kernels_find("auto"))->name, fastest_of(features_here()));
}

/* Asking runs nothing, so this machine need not have what the others have. */
TEST_EACH(test_auto_is_the_fastest_on_other_machines, m, 0, TEST_MACHINES) {
    const char *fastest = fastest_of(test_machines[m].features);
    if (dun_kernels_find(fastest) >= 0)
        assert_string_equal(dun_kernels_at(dun_kernels_fastest(test_machines[m].features))->name, fastest);
}

/* As a virtual machine may combine them. */
TEST_EACH(test_auto_runs_with_any_features, features, 0, DUN_AMD_19H << 1) {
    const char *name = dun_kernels_at(dun_kernels_fastest((unsigned)features))->name;
    if (needs_of(name) & ~(unsigned)features) fail_msg("%s is taken with the features %d alone", name, (int)features);
}
