/* SPDX-License-Identifier: MIT */
/* Exact sums: against sums of whole numbers, in any order, by every kernel; and the terms that kernels make for metrics. */
#include "engine/base/exact.h"
#include "tests/lib/support.h"

enum { TERMS = 1000 };

/* A number of up to 53 bits, whose last bit is worth 2^low .. 2^high. */
static double term(test_random *random, int low, int high) {
    const double whole = (double)(int64_t)(test_bits(random) >> 11) * (test_below(random, 2) ? 1.0 : -1.0);
    return ldexp(whole, low + (int)test_below(random, (uint32_t)(high - low + 1)));
}

static double sum_of(const dun_kernel *kernel, const double *terms, uint32_t count) {
    dun_exact sum = {0};
    for (uint32_t i = 0; i < count; i += DUN_BLOCK)
        dun_exact_add_all(&sum, kernel, terms + i, count - i < DUN_BLOCK ? count - i : DUN_BLOCK);
    return dun_exact_value(&sum);
}

static void same_bits(double got, double want, const char *what) {
    if (memcmp(&got, &want, sizeof got) != 0) fail_msg("%s: %a instead of %a", what, got, want);
}

/* Of these terms the sum of any part is a whole number below 2^53 of units, so plain additions are exact, too. */
TEST(small_sums_are_those_of_plain_additions) {
    test_random random = {1};
    double terms[TERMS];
    for (int low = -300; low <= 250; low += 50) {
        double want = 0;
        for (int i = 0; i < TERMS; i++) {
            terms[i] = ldexp((double)test_below(&random, 1u << 30) - 0x1p29, low + (int)test_below(&random, 8));
            want += terms[i];
        }
        for (int k = 0; k < test_kernel_count(); k++)
            same_bits(sum_of(test_kernel(k), terms, TERMS), want, test_kernel(k)->name);
    }
}

/* Large terms and their opposites leave the small ones. */
TEST(nothing_is_lost) {
    const double cases[][4] = {
        {1e60, 1, -1e60, 0x1p-60}, {0x1p300, 0x1p-300, -0x1p300, 0}, {-1, 0x1p-53, 1, 0x1p-200}, {0x1p52, 0.5, -0x1p52, 0.25}};
    const double sums[] = {1, 0x1p-300, 0x1p-53, 0.75};
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < test_kernel_count(); k++) same_bits(sum_of(test_kernel(k), cases[c], 4), sums[c], "case");
}

TEST(no_order_and_no_kernel_changes_a_bit) {
    test_random random = {2};
    for (int spread = 0; spread < 200; spread += 20) {
        double terms[TERMS], shuffled[TERMS];
        uint32_t order[TERMS];
        for (int i = 0; i < TERMS; i++) terms[i] = term(&random, -spread - 40, spread - 40);
        const double want = sum_of(test_kernel(0), terms, TERMS);
        double scale = 0;
        long double near = 0;
        for (int i = 0; i < TERMS; i++) scale += fabs(terms[i]), near += (long double)terms[i];
        assert_true(fabs(want - (double)near) <= 1e-13 * scale);
        for (int k = 0; k < test_kernel_count(); k++) {
            test_shuffle(&random, order, TERMS);
            for (int i = 0; i < TERMS; i++) shuffled[i] = terms[order[i]];
            same_bits(sum_of(test_kernel(k), shuffled, TERMS), want, test_kernel(k)->name);
        }
    }
}

TEST(sums_of_parts_add_up) {
    test_random random = {3};
    double terms[TERMS];
    dun_exact parts[3] = {0};
    for (int i = 0; i < TERMS; i++) {
        terms[i] = term(&random, -100, 0);
        dun_exact_add(&parts[i % 3], terms[i]);
    }
    dun_exact_add_sum(&parts[0], &parts[1]);
    dun_exact_add_sum(&parts[0], &parts[2]);
    same_bits(dun_exact_value(&parts[0]), sum_of(test_kernel(0), terms, TERMS), "parts");
}

/* Carries must come in time: each addition fills a digit. */
TEST(many_additions_do_not_overflow) {
    enum { MANY = 200000 };
    dun_exact sum = {0};
    for (int i = 0; i < MANY; i++) dun_exact_add_whole(&sum, INT64_MAX, -384 + 31);
    same_bits(dun_exact_value(&sum), ldexp((double)MANY * 0x1p63, -384 + 31), "the sum");
    for (int i = 0; i < MANY; i++) dun_exact_add_whole(&sum, -INT64_MAX, -384 + 31);
    same_bits(dun_exact_value(&sum), 0, "nothing");
    dun_exact_add_whole(&sum, -3, 10);
    same_bits(dun_exact_value(&sum), -3072, "a negative sum");
}

TEST(what_is_no_number_has_no_sum) {
    const double odd[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300};
    for (int i = 0; i < 4; i++) {
        const double terms[] = {1, odd[i], 2};
        for (int k = 0; k < test_kernel_count(); k++) assert_true(isnan(sum_of(test_kernel(k), terms, 3)));
    }
    assert_true(sum_of(test_kernel(0), (const double[]){0x1p-1074, 1e-200}, 2) == 0); /* below the last bit */
}

/* ---- the terms of metrics ---------------------------------------------------------------------------------------------- */

TEST(circles_are_those_of_libm) {
    test_random random = {4};
    const double turn = 2.0 * acos(-1.0), unit = ldexp(1.0, DUN_UNIT_EXPONENT), size = 97.25;
    float x[512];
    for (int i = 0; i < 512; i++) x[i] = i < 9 ? (float)(size * i / 8.0) : (float)(size * test_share(&random));
    for (uint32_t count = 1; count <= 512; count = count * 2 + 1) {
        double cosine = 0, sine = 0;
        int64_t want[2], got[2];
        for (uint32_t i = 0; i < count; i++) {
            cosine += cos(turn * (double)x[i] / size);
            sine += sin(turn * (double)x[i] / size);
        }
        test_kernel(0)->circle(x, count, size, want);
        assert_true(fabs((double)want[0] * unit - cosine) <= 4e-15 * count &&
                    fabs((double)want[1] * unit - sine) <= 4e-15 * count);
        for (int k = 1; k < test_kernel_count(); k++) {
            test_kernel(k)->circle(x, count, size, got);
            assert_memory_equal(got, want, sizeof got);
        }
    }
}

TEST(every_kernel_has_the_same_terms) {
    test_random random = {5};
    float numbers[6][DUN_BLOCK];
    for (int c = 0; c < 6; c++)
        for (int i = 0; i < DUN_BLOCK; i++) numbers[c][i] = i % 17 == 0 ? 0 : test_uniform(&random, -50, 50);
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        dun_motion motion = {.dimensions = dimensions, .centre = {3, -4, 5}, .size = {60, 0, 70}, .min_r2 = 1e-20};
        for (int a = 0; a < 3; a++) {
            motion.position[a] = numbers[a];
            motion.velocity[a] = numbers[3 + a];
        }
        for (uint32_t count = 1; count + 3 <= DUN_BLOCK; count += 13) {
            static dun_motion_sums want, got;
            double roots[2][DUN_BLOCK];
            memset(&want, 0, sizeof want);
            test_kernel(0)->motion(&motion, 3, count, &want);
            const uint32_t found = test_kernel(0)->distances(numbers[0], count, 25, roots[0]);
            for (int k = 1; k < test_kernel_count(); k++) {
                memset(&got, 0, sizeof got);
                test_kernel(k)->motion(&motion, 3, count, &got);
                assert_memory_equal(&got, &want, sizeof got);
                assert_int_equal(test_kernel(k)->distances(numbers[0], count, 25, roots[1]), found);
                for (uint32_t i = 0; i < count; i++) assert_true(roots[0][i] == roots[1][i] || numbers[0][i] < 0);
            }
        }
    }
}

static uint64_t mix(uint64_t a) {
    a = (a ^ a >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    a = (a ^ a >> 27) * UINT64_C(0x94d049bb133111eb);
    return a ^ a >> 31;
}

/* The sum of the agents' hashes, by a plain loop. */
static uint64_t hash_plainly(const dun_hashed *in, uint32_t count) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t hash = mix(((uint64_t)in->species << 32) + in->id[i]);
        for (int c = 0; c < in->columns; c++) {
            uint32_t bits;
            memcpy(&bits, &in->column[c][i], sizeof bits);
            hash = mix(hash + UINT64_C(0x9e3779b97f4a7c15) + bits);
        }
        sum += hash;
    }
    return sum;
}

TEST(every_kernel_has_the_same_hash) {
    enum { AGENTS = 2 * DUN_BLOCK + 40 };
    static uint32_t ids[AGENTS];
    static float numbers[DUN_MAX_HASHED][AGENTS];
    test_random random = {6};
    dun_hashed hashed = {.id = ids};
    for (int c = 0; c < DUN_MAX_HASHED; c++) hashed.column[c] = numbers[c];
    for (int i = 0; i < AGENTS; i++) {
        ids[i] = UINT32_MAX - test_below(&random, 1u << 31);
        for (int c = 0; c < DUN_MAX_HASHED; c++) numbers[c][i] = test_uniform(&random, -1e9f, 1e9f);
    }
    for (uint32_t count = 0; count <= AGENTS; count += 37) {
        hashed.columns = (int)(count % (DUN_MAX_HASHED + 1));
        hashed.species = count % 5;
        const uint64_t want = hash_plainly(&hashed, count);
        for (int k = 0; k < test_kernel_count(); k++) assert_true(test_kernel(k)->hash(&hashed, count) == want);
    }
}
