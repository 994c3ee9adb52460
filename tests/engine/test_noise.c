/* SPDX-License-Identifier: MIT */
/* Gradient noise: its properties, and that its bits never change. */
#include "tests/lib/test.h"

#include <dunlin/dunlin.h>

#include "engine/scenery/noise.h"

static void random_point(test_random *random, double point[4]) {
    for (int a = 0; a < 4; a++) point[a] = (double)test_uniform(random, -1000.0f, 1000.0f);
}

TEST_EACH(it_is_0_at_lattice_points, round, 0, 2000) {
    static test_random random = {1};
    double point[4];
    random_point(&random, point);
    for (int a = 0; a < 4; a++) point[a] = floor(round % 5 ? point[a] : point[a] * 1e15);
    const uint32_t seed = (uint32_t)test_bits(&random);
    assert_true(dun_noise(seed, 3, point) == 0.0f && dun_noise(seed, 4, point) == 0.0f);
}

/* One component is 0, the others are ±1, and all such vectors are equally frequent. */
TEST_EACH(its_slopes_there_are_the_gradients, axes, 3, 5) {
    enum { POINTS = 6400 };
    const double h = 0x1p-12;
    static test_random random = {2};
    int seen[256] = {0}, kinds = 0;
    for (int round = 0; round < POINTS; round++) {
        double point[4];
        random_point(&random, point);
        for (int a = 0; a < 4; a++) point[a] = floor(point[a]);
        int code = 0, level = 0;
        for (int a = 0; a < axes; a++) {
            double ahead[4];
            memcpy(ahead, point, sizeof ahead);
            ahead[a] += h;
            const double slope = (double)dun_noise(7, axes, ahead) / h;
            const double sign = rint(slope);
            assert_true(fabs(slope - sign) < 1e-6 && fabs(sign) <= 1.0);
            level += fabs(sign) < 0.5;
            code = 4 * code + (int)sign + 1;
        }
        assert_int_equal(level, 1);
        seen[code]++;
    }
    for (int code = 0; code < 256; code++) {
        if (!seen[code]) continue;
        const double even = POINTS / (axes == 3 ? 12.0 : 32.0);
        assert_true(fabs(seen[code] - even) < 6 * sqrt(even));
        kinds++;
    }
    assert_int_equal(kinds, axes == 3 ? 12 : 32);
}

TEST_EACH(it_stays_within_1_and_gets_far, axes, 3, 5) {
    const int rounds = TEST_ROUNDS(400000);
    static test_random random = {3};
    double sum = 0, least = 0, most = 0;
    for (int round = 0; round < rounds; round++) {
        double point[4];
        random_point(&random, point);
        const double n = (double)dun_noise(5, axes, point);
        assert_true(n >= -1.0 && n <= 1.0);
        sum += n;
        least = fmin(least, n);
        most = fmax(most, n);
    }
    assert_true(fabs(sum / rounds) < 0.01);
    assert_true(least < -0.8 && most > 0.8);
}

/* Everywhere, also across the lattice's planes: the maximum slope is less than 6 per lattice step. */
TEST_EACH(it_is_continuous, round, 0, 20000) {
    const double h = 1e-4;
    static test_random random = {4};
    double point[4], beside[4];
    random_point(&random, point);
    const int axes = 3 + round % 2, a = (int)test_below(&random, (uint32_t)axes);
    if (round % 3 == 0) point[a] = floor(point[a]) - 0.5 * h;
    memcpy(beside, point, sizeof point);
    beside[a] += h;
    const double rise = (double)dun_noise(5, axes, beside) - (double)dun_noise(5, axes, point);
    assert_true(fabs(rise) < 6 * h);
}

TEST(every_seed_has_its_own) {
    test_random random = {5};
    int same = 0;
    for (int round = 0; round < 1000; round++) {
        double point[4];
        random_point(&random, point);
        same += dun_noise((uint32_t)round, 3, point) == dun_noise((uint32_t)round + 1, 3, point);
        same += dun_noise((uint32_t)round, 3, point) == dun_noise((uint32_t)round ^ 0x80000000u, 3, point);
    }
    assert_true(same < 5);
}

/* It repeats after 2^32 steps, as documented, and not after 256, as with a table of permutations. */
TEST(it_does_not_repeat_soon) {
    for (int axes = 3; axes <= 4; axes++)
        for (int a = 0; a < axes; a++) {
            const double point[4] = {3.25, -7.5, 11.125, 0.375};
            const float n = dun_noise(9, axes, point);
            for (double period = 1; period < 0x1p32; period *= 2) {
                double far[4];
                memcpy(far, point, sizeof far);
                far[a] += period;
                assert_true(dun_noise(9, axes, far) != n);
            }
            double around[4];
            memcpy(around, point, sizeof around);
            around[a] += 0x1p32;
            assert_true(dun_noise(9, axes, around) == n);
        }
}

TEST(any_finite_point_will_do) {
    static const double hard[] = {0x1p31, -0x1p31, 0x1p32 - 0.5, -0.5, 1e18, -1e18, 1e300, -1e300, 0x1p-1074, -0x1p-1074, -0.0};
    enum { HARD = sizeof hard / sizeof *hard };
    for (int i = 0; i < HARD * HARD; i++) {
        const double point[4] = {hard[i % HARD], hard[i / HARD], hard[(i + 3) % HARD], hard[(i + 7) % HARD]};
        assert_true(fabs((double)dun_noise(1, 4, point)) <= 1.0);
    }
}

TEST(octaves_are_summed) {
    test_random random = {6};
    uint32_t seeds[DUN_MAX_OCTAVES], others[DUN_MAX_OCTAVES];
    dun_noise_seeds(42, 0, seeds);
    dun_noise_seeds(42, 1, others);
    for (int o = 0; o < DUN_MAX_OCTAVES; o++) {
        assert_true(seeds[o] != others[o]);
        assert_true(o == 0 || seeds[o] != seeds[o - 1]);
    }
    for (int round = 0; round < 100; round++) {
        double p[4];
        random_point(&random, p);
        const double twice[4] = {2 * p[0], 2 * p[1], 2 * p[2], 2 * p[3]}, again[4] = {4 * p[0], 4 * p[1], 4 * p[2], 4 * p[3]};
        const double first = (double)dun_noise(seeds[0], 3, p), second = (double)dun_noise(seeds[1], 3, twice);
        const double third = (double)dun_noise(seeds[2], 3, again);
        assert_true((double)dun_noise_octaves(seeds, 1, 3, p) == first);
        assert_true(fabs((double)dun_noise_octaves(seeds, 3, 3, p) - (first + second / 2 + third / 4) / 1.75) < 1e-6);
    }
}

TEST(noise_over_time_is_a_line_through_it) {
    uint32_t seeds[DUN_MAX_OCTAVES];
    float most = 0.0f, last = dunlin_noise_over_time(42, 3, -50);
    dun_noise_seeds(42, 0, seeds);
    for (int i = -5000; i < 5000; i++) {
        const double time = 0.01 * i, point[4] = {time, 1.0 / 3.0, 2.0 / 3.0};
        const float n = dunlin_noise_over_time(42, 3, time);
        assert_true(n == dun_noise_octaves(seeds, 3, 3, point) && fabsf(n) <= 1.0f && fabsf(n - last) < 0.1f);
        most = fmaxf(most, fabsf(n));
        last = n;
    }
    assert_true(most > 0.4f && dunlin_noise_over_time(1, 1, 0.5) != dunlin_noise_over_time(2, 1, 0.5));
    assert_true(dunlin_noise_over_time(1, 0, 0.5) == 0.0f && dunlin_noise_over_time(1, 9, 0.5) == 0.0f);
    assert_true(dunlin_noise_over_time(1, 1, (double)NAN) == 0.0f && dunlin_noise_over_time(1, 1, (double)INFINITY) == 0.0f);
}

/* Fields of this noise belong to a seed, so these bits must stay. */
TEST(its_bits_never_change) {
    static const struct {
        uint32_t seed;
        int axes;
        double point[4];
        uint32_t bits;
    } table[] = {
        {0, 3, {0.5, 0.5, 0.5, 0}, 0xbf000000u},
        {0, 3, {0.1, 0.2, 0.3, 0}, 0xbf02c09fu},
        {1, 3, {0.1, 0.2, 0.3, 0}, 0x3ea95432u},
        {1, 3, {-17.25, 255.75, 1e6 + 0.3, 0}, 0x3ed93ac3u},
        {0xffffffffu, 3, {1e12 + 0.125, -1e12 + 0.25, 0.7, 0}, 0x3ef89eb0u},
        {0, 4, {0.5, 0.5, 0.5, 0.5}, 0x3ee00000u},
        {1, 4, {0.1, 0.2, 0.3, 0.4}, 0x3e84129au},
        {0xdeadbeefu, 4, {-0.9, 77.7, -1234.56, 9876.5}, 0x3e2b2cacu},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const float n = dun_noise(table[i].seed, table[i].axes, table[i].point);
        uint32_t bits;
        memcpy(&bits, &n, sizeof bits);
        if (bits != table[i].bits) fail_msg("row %d: 0x%08x (%.9g)", (int)i, bits, (double)n);
    }
    uint32_t seeds[DUN_MAX_OCTAVES];
    dun_noise_seeds(0x123456789abcdefu, 2, seeds);
    assert_int_equal(seeds[0], 0x9c2a04acu);
    assert_int_equal(seeds[7], 0xd74fa16du);
}
