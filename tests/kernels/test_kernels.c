/* SPDX-License-Identifier: MIT */
/* Each kernel that runs here sums over neighbours to the bits of the scalar reference. */
#include "tests/lib/flocks.h"
#include "tests/lib/test.h"

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

enum { MOST_RUNS = 8, RUN_LISTS = 5 };

typedef struct range_list {
    dun_range ranges[MOST_RUNS];
    uint32_t count;
} range_list;

/* None; all; all, folded; pieces with gaps, some of them folded, once in long and once in short pieces. */
static range_list make_ranges(int number, uint32_t observed, test_random *random) {
    range_list list = {.count = 0};
    if (number == 0 || observed == 0) return list;
    if (number < 3) {
        list.ranges[list.count++] = (dun_range){0, observed, number == 2 ? DUN_ALL_AXES : 0, 0};
        return list;
    }
    const uint32_t longest = number == 3 ? observed / 2 + 1 : 5;
    const uint8_t folds = (uint8_t)test_below(random, DUN_ALL_AXES + 1);
    for (uint32_t at = test_below(random, 3); at < observed && list.count < MOST_RUNS;) {
        const uint32_t length = 1 + test_below(random, longest), end = at + length < observed ? at + length : observed;
        list.ranges[list.count++] = (dun_range){at, end, folds, 0};
        at = end + test_below(random, 4);
    }
    return list;
}

typedef struct comparison {
    flock observer, observed;
    bool own;
    flock_sums want, got;
    test_random random;
    char what[160];
} comparison;

static void compare_kernels(comparison *c, const dun_interact *in, uint32_t begin, const range_list *list) {
    const uint32_t end = c->observer.count;
    flock_sums_reset(&c->want);
    flock_sum(test_kernel(0), in, begin, end, list->ranges, list->count, &c->want);
    flock_sums_same(&c->want, &c->want, end - begin, "scalar");
    for (int k = 1; k < test_kernel_count(); k++) {
        flock_sums_reset(&c->got);
        flock_sum(test_kernel(k), in, begin, end, list->ranges, list->count, &c->got);
        char what[256];
        snprintf(what, sizeof what, "%s: %s", test_kernel(k)->name, c->what);
        flock_sums_same(&c->got, &c->want, end - begin, what);
    }
}

static void compare_shape(comparison *c, dun_shape shape, int list_number) {
    dun_interact in = flock_interact(&c->observer, c->own ? &c->observer : &c->observed, shape);
    const range_list list = make_ranges(list_number, c->own ? c->observer.count : c->observed.count, &c->random);
    const uint32_t begin = c->observer.count > 2 ? test_below(&c->random, 3) : 0;
    for (int ignore = 0; ignore < 2; ignore++) {
        in.ignore_coincident = ignore;
        compare_kernels(c, &in, begin, &list);
    }
}

static void compare_layout(flock_layout layout, int dimensions, uint32_t observers, uint32_t observed, bool own) {
    comparison c = {.own = own, .random = {.state = observers * 1000u + (uint32_t)layout}};
    c.observer = flock_new(layout, dimensions, observers, &c.random);
    c.observed = flock_new(layout, dimensions, observed, &c.random);
    c.want = flock_sums_new(observers);
    c.got = flock_sums_new(observers);
    for (int shape = 0; shape < FLOCK_SHAPES; shape++) {
        for (int list = 0; list < RUN_LISTS; list++) {
            if (TEST_SLOW && (list + shape + (int)observers) % RUN_LISTS > 1) continue; /* each with some shapes and counts */
            snprintf(c.what, sizeof c.what, "%s, %dD, %u %s, shape %d, ranges %d", flock_layout_name(layout), dimensions,
                     observers, own ? "of its own" : "of others", shape, list);
            compare_shape(&c, flock_shape(dimensions, shape), list);
        }
    }
    flock_sums_free(&c.want);
    flock_sums_free(&c.got);
    flock_free(&c.observer);
    flock_free(&c.observed);
}

/* 0, 1, lanes - 1, lanes, lanes + 1 of every width, and a few groups. */
static const uint32_t counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 53};

TEST_EACH(test_sums_have_the_same_bits, layout, 0, FLOCK_LAYOUTS) {
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            compare_layout((flock_layout)layout, dimensions, counts[i], 0, true);
            compare_layout((flock_layout)layout, dimensions, counts[i], counts[(i * 5 + 1) % 13], false);
        }
    }
}

/* More candidates than a list has room for; the group itself comes before, in and after the overflow. */
static void check_crowd(const dun_kernel *kernel, const flock *crowd, const dun_interact *in, const range_list *list,
                        const flock_sums *want, flock_sums *got) {
    flock_sums_reset(got);
    flock_sum(kernel, in, 0, crowd->count, list->ranges, list->count, got);
    flock_sums_same(got, want, crowd->count, kernel->name);
    for (uint32_t i = 0; i < crowd->count; i++) {
        uint32_t seen = 0;
        for (uint32_t r = 0; r < list->count; r++) seen += list->ranges[r].end - list->ranges[r].begin;
        for (uint32_t r = 0; r < list->count; r++) seen -= i >= list->ranges[r].begin && i < list->ranges[r].end;
        assert_int_equal(got->sums.seen[i], seen);
    }
}

TEST_EACH(test_crowds_do_not_overflow_a_list, dimensions, 2, 4) {
    enum { CROWD = 1100 };
    static const range_list lists[] = {
        {{{0, CROWD, 0, 0}}, 1},
        {{{0, CROWD, DUN_ALL_AXES, 0}}, 1},
        {{{0, CROWD, DUN_ALL_AXES, DUN_IMAGE_KNOWN}}, 1},
        {{{0, 530, DUN_ALL_AXES, DUN_IMAGE_KNOWN}, {530, CROWD, DUN_ALL_AXES, DUN_IMAGE_KNOWN}}, 2},
        {{{0, 13, 1, 0}, {13, 530, 1, 0}, {531, 700, 1, 0}, {700, CROWD, 1, 0}}, 4}};
    static test_random random = {.state = 77};
    flock crowd = flock_new(FLOCK_POINT, dimensions, CROWD, &random);
    flock_sums want = flock_sums_new(CROWD), got = flock_sums_new(CROWD);
    for (int a = 0; a < dimensions; a++)
        for (uint32_t i = 0; i < CROWD; i++) crowd.position[a].at[i] += (float)test_below(&random, 64) / 64.0f;
    const dun_interact in = flock_interact(&crowd, &crowd, flock_shape(dimensions, 6));
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        flock_sums_reset(&want);
        flock_sum(test_kernel(0), &in, 0, CROWD, lists[l].ranges, lists[l].count, &want);
        for (int k = 0; k < test_kernel_count(); k++) check_crowd(test_kernel(k), &crowd, &in, &lists[l], &want, &got);
    }
    flock_sums_free(&want);
    flock_sums_free(&got);
    flock_free(&crowd);
}

TEST_EACH(test_every_shape_has_a_loop, k, 0, dun_kernels_count()) {
    const dun_kernel *kernel = dun_kernels_at(k);
    for (int shape = 0; shape < 2 * FLOCK_SHAPES; shape++) {
        const dun_shape asked = flock_shape(2 + shape % 2, shape / 2);
        if (!kernel->interact(&asked)) fail_msg("%s has no loop for shape %d", kernel->name, shape);
    }
    const dun_shape nothing = {.dimensions = 2, .nested = true};
    assert_null(kernel->interact(&nothing));
}

/* ---- minimum and maximum ------------------------------------------------------------------------------------------------ */

static float some_number(test_random *random) {
    static const float some[] = {0.0f, -0.0f, 1e-42f, -1e-42f, 1e30f, -1e30f};
    const uint32_t which = test_below(random, 12);
    return which < 6 ? some[which] : test_uniform(random, -3.0f, 3.0f);
}

static void check_min_max(const dun_kernel *kernel, uint32_t count, float beyond, test_random *random) {
    test_array x = test_array_new(count);
    float ends[2] = {INFINITY, -INFINITY}, got[2];
    for (uint32_t i = 0; i < count + DUN_PADDING; i++) x.at[i] = i < count ? some_number(random) : beyond;
    for (uint32_t i = 0; i < count; i++) {
        ends[0] = x.at[i] < ends[0] ? x.at[i] : ends[0];
        ends[1] = x.at[i] > ends[1] ? x.at[i] : ends[1];
    }
    kernel->min_max(x.at, count, got);
    if (got[0] != ends[0] || got[1] != ends[1])
        fail_msg("%s: %u numbers from %g to %g give %g to %g", kernel->name, count, (double)ends[0], (double)ends[1],
                 (double)got[0], (double)got[1]);
    test_array_check(&x);
    test_array_free(&x);
}

/* The sign of a zero may differ, as it may in a plain loop. Numbers beyond the last do not matter. */
TEST(test_minima_and_maxima_equal_a_plain_loops) {
    static const float beyond[] = {NAN, INFINITY, -INFINITY, 1e38f, -1e38f, 0.0f};
    test_random random = {.state = 31};
    for (int k = 0; k < test_kernel_count(); k++)
        for (uint32_t count = 1; count <= 3 * test_kernel(k)->lanes; count++)
            for (int round = 0; round < 60; round++) check_min_max(test_kernel(k), count, beyond[round % 6], &random);
}
