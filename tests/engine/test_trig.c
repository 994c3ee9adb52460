/* SPDX-License-Identifier: MIT */
/* Sine and cosine of turns against libm's in long double, for which the angle is reduced exactly. */
#include <dunlin/dunlin.h>

#include "engine/base/trig.h"
#include "tests/lib/lanes.h"
#include "tests/lib/support.h"

/* The step between tested binary32 numbers. For the figures in docs/numerics.md it was 1. */
enum { STRIDE = 2039 };

#define MOST_ULP   1.31L
#define MOST_ERROR 0x1.28p-24L

static float number(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* long double has enough bits that its own rounding does not show. */
static void true_sincos(float turns, long double *sine, long double *cosine) {
    const long double pi = 3.14159265358979323846264338327950288L;
    const long double t = (long double)turns, quarters = rintl(4.0L * t), x = 2.0L * pi * (t - quarters / 4.0L);
    const long double s = sinl(x), c = cosl(x), turned[] = {s, c, -s, -c};
    const int quarter = (int)(fmodl(quarters, 4.0L) + 4.0L) % 4;
    *sine = turned[quarter];
    *cosine = turned[(quarter + 1) % 4];
}

/* The distance between binary32 numbers where x lies. */
static long double ulp(long double x) {
    int exponent;
    frexpl(x, &exponent);
    return ldexpl(1.0L, exponent < -125 ? -149 : exponent - 24);
}

/* The maximum error so far. */
typedef struct worst {
    double ulps, error;
} worst;

static void compare(float got, long double want, worst *w, float turns, const char *what) {
    const long double error = fabsl((long double)got - want);
    w->ulps = fmax(w->ulps, (double)(error / ulp(want)));
    w->error = fmax(w->error, (double)error);
    if (!(error <= MOST_ULP * ulp(want) && error <= MOST_ERROR))
        fail_msg("%s of %a turns: %a instead of %La, %.3Lf ulp", what, (double)turns, (double)got, want, error / ulp(want));
}

static void check(float turns, worst *w) {
    float sine, cosine, back, same;
    long double true_sine, true_cosine;
    dun_sincos_turns(turns, &sine, &cosine);
    true_sincos(turns, &true_sine, &true_cosine);
    compare(sine, true_sine, w, turns, "sine");
    compare(cosine, true_cosine, w, turns, "cosine");
    dun_sincos_turns(-turns, &back, &same);
    if (bits_of(back) != bits_of(-sine) || bits_of(same) != bits_of(cosine)) fail_msg("%a turns back", (double)turns);
}

TEST(one_turn_is_within_its_bound) {
    worst w = {0, 0};
    for (uint32_t bits = 0; bits <= bits_of(1.0f); bits += STRIDE) check(number(bits), &w);
    print_message("up to 1 turn: %.3f ulp, %.3g\n", w.ulps, w.error);
}

TEST(many_turns_are_within_the_bound) {
    worst w = {0, 0};
    for (uint32_t bits = bits_of(1.0f); bits <= bits_of(0x1p23f); bits += STRIDE) check(number(bits), &w);
    print_message("up to 2^23 turns: %.3f ulp, %.3g\n", w.ulps, w.error);
}

static void expect(float turns, float want_sine, float want_cosine) {
    float sine, cosine;
    dun_sincos_turns(turns, &sine, &cosine);
    if (sine != want_sine || cosine != want_cosine) fail_msg("%a turns: (%a, %a)", (double)turns, (double)sine, (double)cosine);
}

/* From quarters of the smallest numbers up to where binary32 has whole numbers only. */
TEST(quarter_turns_are_exact) {
    static const float sines[] = {0, 1, 0, -1}, cosines[] = {1, 0, -1, 0};
    for (int whole = -1; whole < 24; whole++) {
        const float turns = whole < 0 ? 0.0f : (float)(1 << whole);
        for (int quarter = 0; quarter < 4; quarter++) {
            const float some = turns + 0.25f * (float)quarter;
            if (some - turns == 0.25f * (float)quarter) expect(some, sines[quarter], cosines[quarter]);
        }
    }
    for (float turns = 0x1p23f; turns < INFINITY; turns *= 1.9f) expect(turns, 0, 1);
}

TEST(infinity_and_nan_count_as_whole_turns) {
    expect(INFINITY, 0, 1);
    expect(-INFINITY, 0, 1);
    expect(NAN, 0, 1);
}

/* Arbitrary bits, and as many numbers that are angles. */
TEST_EACH(every_kernel_gives_the_same_bits, k, 0, test_kernel_count()) {
    const test_lanes *wide = test_lanes_of(test_kernel(k));
    test_random random = {.state = 7};
    for (int round = 0; round < TEST_ROUNDS(20000); round++) {
        float turns[DUN_PADDING], got[2][DUN_PADDING], want[2][DUN_PADDING];
        for (int lane = 0; lane < DUN_PADDING; lane++) {
            turns[lane] = round % 2 ? number((uint32_t)test_bits(&random)) : test_uniform(&random, -3, 3);
            dun_sincos_turns(turns[lane], &want[0][lane], &want[1][lane]);
        }
        wide->sincos_turns(turns, got[0], got[1]);
        for (int i = 0; i < 2; i++) test_same_bits(got[i], want[i], test_kernel(k)->lanes, wide->kernel);
    }
}

/* Whole turns are removed before the number is rounded to binary32. */
TEST(turns_in_binary64) {
    test_random random = {.state = 9};
    for (int round = 0; round < TEST_ROUNDS(20000); round++) {
        const double part = (double)(test_below(&random, 1u << 20)) * 0x1p-20 - 0.5, whole = (double)(test_bits(&random) >> 32);
        const float got = dunlin_sine_of_turns(whole + part);
        assert_true(fabs((double)got - sin(6.283185307179586 * part)) < 1e-7);
        assert_true(got == dunlin_sine_of_turns(part) && got == -dunlin_sine_of_turns(-part));
    }
    assert_true(dunlin_sine_of_turns(0x1p40 + 0.25) == 1.0f && dunlin_sine_of_turns(-0.25) == -1.0f);
    assert_true(dunlin_sine_of_turns((double)NAN) == 0.0f && dunlin_sine_of_turns((double)-INFINITY) == 0.0f);
}
