/* SPDX-License-Identifier: MIT */
/*
 * Caps, `nearest` and `max_neighbours`, in crowds: a capped selection has the bits of the same selection without caps among the
 * neighbours that the caps keep. Which these are is found here with a sort. And a cap makes a crowd cheaper, not dearer: what
 * the loops do is counted, not timed.
 */
#include "tests/lib/test.h"

#include "harness/roofline/instructions.h"
#include "tests/lib/flocks.h"

enum { MOST = 3000, OBSERVERS = 37 /* of several groups, the last of them not full */ };

extern dun_interact_fn *const dun_select_counted[4]; /* counted_select.c */

typedef enum layout {
    AT_ONE_POINT,
    IN_A_SPOT,
    NEARING,   /* in a spot, the furthest first: every candidate is nearer than those before */
    IN_CLUMPS, /* a few spots: some observers see many, some few */
    ON_A_GRID, /* with many equal distances */
    LAYOUTS
} layout;

typedef struct crowd {
    dun_interact in;
    dun_rule_selection rule[3];
    flock agents;
    test_array id, scale;
    bool periodic;
    uint32_t begin; /* the first observer */
} crowd;

/* ---- crowds ----------------------------------------------------------------------------------------------------------- */

static float place_of(layout how, uint32_t i, uint32_t count, test_random *random) {
    switch (how) {
    case AT_ONE_POINT:
        return 0.0f;
    case IN_CLUMPS:
        return test_uniform(random, 0.0f, 1.0f) + (float)(5 * (i / 7 % 3));
    case ON_A_GRID:
        return 0.25f * (float)test_below(random, 16);
    case NEARING:
        return test_uniform(random, 0.5f, 1.0f) * 4.0f * (float)(count - i) / (float)count;
    default:
        return test_uniform(random, 0.0f, 2.0f);
    }
}

/* Around the seam, where offsets fold. The last agents, which others approach in NEARING, are the observers there. */
static crowd *crowd_new(layout how, int dimensions, uint32_t count, bool periodic, test_random *random) {
    crowd *c = malloc(sizeof *c);
    assert_non_null(c);
    *c = (crowd){.periodic = periodic, .agents = flock_new(FLOCK_SPREAD, dimensions, count, random)};
    const float corner = periodic ? FLOCK_SIZE - 1.0f : 3.0f;
    for (int a = 0; a < dimensions; a++)
        for (uint32_t i = 0; i < count; i++) {
            const float x = corner + place_of(how, i, count, random);
            c->agents.position[a].at[i] = x >= FLOCK_SIZE ? x - FLOCK_SIZE : x;
        }
    c->id = test_array_new(count);
    c->scale = test_array_new(count);
    test_shuffle(random, (uint32_t *)c->id.at, count);
    for (uint32_t i = 0; i < count; i++) c->scale.at[i] = test_uniform(random, 0.1f, 1.0f);
    const uint32_t most = count > OBSERVERS ? count - OBSERVERS : 0;
    c->begin = how == NEARING ? most : test_below(random, most + 1);
    return c;
}

static void crowd_free(crowd *c) {
    flock_free(&c->agents);
    test_array_free(&c->id);
    test_array_free(&c->scale);
    free(c);
}

/* All rules are on. Some selections are plain, others not; each has passes of its own. */
static void choose_rules(crowd *c, test_random *random) {
    static const float views[] = {DUN_ALL_AROUND, DUN_ALL_AROUND, -0.25f, 0.25f};
    const bool alike = test_below(random, 4) > 0;
    const float view = views[test_below(random, 4)];
    for (int r = 0; r < 3; r++) {
        const float radius = r == 0 ? 0.5f * FLOCK_RADIUS : FLOCK_RADIUS;
        c->rule[r] =
            (dun_rule_selection){radius * radius, alike ? 0.0f : 0.01f * (float)r, alike ? view : views[r], DUN_KIN_ALL};
    }
    c->in = flock_interact(&c->agents, &c->agents, (dun_shape){.dimensions = c->agents.dimensions});
    c->in.shape.separation = (dun_push)(1 + test_below(random, 3));
    c->in.separation_r2 = c->rule[0].r2;
    c->in.max_r2 = c->rule[1].r2;
    c->in.inverse_separation_radius = 2.0f / FLOCK_RADIUS;
    c->in.ignore_coincident = test_below(random, 4) == 0;
    c->in.id = (const uint32_t *)c->id.at;
    if (test_below(random, 2)) c->in.radius_scale = c->scale.at;
}

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

static uint32_t observers_of(const crowd *c) {
    return c->agents.count < OBSERVERS ? c->agents.count : OBSERVERS;
}

static void sum_up(const dun_kernel *kernel, const crowd *c, const dun_selection *selection, uint32_t first, uint32_t count,
                   const dun_range *ranges, uint32_t range_count, flock_sums *sums) {
    dun_interact in = c->in;
    in.selection = selection;
    for (dun_packet packet = {0}; packet.first < count; packet.first += packet.count) {
        packet.count = count - packet.first < kernel->lanes ? count - packet.first : kernel->lanes;
        const dun_packet here = {c->begin + first + packet.first, packet.count};
        kernel->select[in.shape.dimensions - 2](&in, here, ranges, range_count, &sums->sums, first + packet.first);
    }
}

/* Where all rules count whatever is seen, nothing counts that again. */
static void forget_the_uncounted(const dun_selection *selection, flock_sums *sums) {
    for (int column = 10; column < 12 && selection->same; column++) test_array_reset(&sums->column[column]);
}

typedef struct neighbour {
    float d2;
    uint32_t id, slot, order;
} neighbour;

static int by_distance(const void *a, const void *b) {
    const neighbour *p = a, *q = b;
    if (p->d2 < q->d2 || p->d2 > q->d2) return p->d2 < q->d2 ? -1 : 1;
    return p->id < q->id ? -1 : p->id > q->id;
}

static int by_order(const void *a, const void *b) {
    const neighbour *p = a, *q = b;
    return p->order < q->order ? -1 : p->order > q->order;
}

/* The neighbours that an observer has without caps: those that alone in a range are seen. */
static uint32_t neighbours_of(const crowd *c, const dun_selection *all, uint32_t observer, const dun_range *ranges,
                              uint32_t range_count, neighbour *found) {
    const oracle_scene scene = flock_scene(&c->in, c->agents.count, c->periodic);
    flock_sums one = flock_sums_new(OBSERVERS);
    float at[3] = {0.0f}, delta[3];
    uint32_t count = 0;
    for (int a = 0; a < scene.dimensions; a++) at[a] = c->in.observer[a][c->begin + observer];
    for (uint32_t r = 0; r < range_count; r++)
        for (uint32_t j = ranges[r].begin; j < ranges[r].end; j++) {
            const dun_range alone = {j, j + 1, ranges[r].folds, 0};
            sum_up(test_kernel(0), c, all, observer, 1, &alone, 1, &one);
            found[count] = (neighbour){oracle_offset(&scene, at, j, delta), c->in.id[j], j, count};
            count += one.sums.seen[observer] == 1;
        }
    flock_sums_free(&one);
    return count;
}

static uint32_t keep(const dun_selection *caps, neighbour *found, uint32_t count) {
    if (caps->nearest && count > caps->nearest) {
        qsort(found, count, sizeof *found, by_distance);
        count = caps->nearest;
        qsort(found, count, sizeof *found, by_order);
    }
    return caps->max_neighbours && count > caps->max_neighbours ? caps->max_neighbours : count;
}

static void want_sums(const crowd *c, const dun_selection *caps, const dun_range *ranges, uint32_t range_count,
                      flock_sums *want) {
    static neighbour found[MOST];
    static dun_range kept[MOST];
    const dun_selection all = dun_selection_of(c->rule, 0, 0, c->in.ignore_coincident);
    for (uint32_t i = 0; i < observers_of(c); i++) {
        const uint32_t count = keep(caps, found, neighbours_of(c, &all, i, ranges, range_count, found));
        for (uint32_t k = 0; k < count; k++)
            kept[k] = (dun_range){found[k].slot, found[k].slot + 1, c->periodic ? DUN_ALL_AXES : 0, 0};
        sum_up(test_kernel(0), c, &all, i, 1, kept, count, want);
    }
}

/* ---- every kernel ----------------------------------------------------------------------------------------------------- */

enum { MOST_RUNS = 12 };

/* In pieces of any length, with gaps. */
static uint32_t cut(const crowd *c, test_random *random, dun_range *ranges) {
    uint32_t count = 0;
    for (uint32_t at = test_below(random, 3); at < c->agents.count && count < MOST_RUNS; count++) {
        const uint32_t end = at + 1 + test_below(random, c->agents.count);
        ranges[count] = (dun_range){at, end < c->agents.count ? end : c->agents.count, c->periodic ? DUN_ALL_AXES : 0, 0};
        at = end + test_below(random, 5);
    }
    for (uint32_t r = count; r > 1 && test_below(random, 2); r--) { /* in a part of a flock slots need not ascend */
        const uint32_t other = test_below(random, r);
        const dun_range moved = ranges[other];
        ranges[other] = ranges[r - 1];
        ranges[r - 1] = moved;
    }
    return count;
}

static void check_caps(const crowd *c, uint32_t nearest, uint32_t most, const char *what, test_random *random) {
    const uint32_t observers = observers_of(c);
    const dun_selection caps = dun_selection_of(c->rule, nearest, most, c->in.ignore_coincident);
    flock_sums want = flock_sums_new(OBSERVERS), got = flock_sums_new(OBSERVERS);
    dun_range ranges[MOST_RUNS];
    const uint32_t range_count = cut(c, random, ranges);
    want_sums(c, &caps, ranges, range_count, &want);
    forget_the_uncounted(&caps, &want);
    for (int k = 0; k < test_kernel_count(); k++) {
        char name[256];
        snprintf(name, sizeof name, "%s: %s, nearest %u, maximum %u", test_kernel(k)->name, what, nearest, most);
        flock_sums_reset(&got);
        sum_up(test_kernel(k), c, &caps, 0, observers, ranges, range_count, &got);
        forget_the_uncounted(&caps, &got);
        flock_sums_same(&got, &want, observers, name);
    }
    flock_sums_free(&want);
    flock_sums_free(&got);
}

TEST_EACH(caps_keep_the_bits_of_what_they_keep, round, 0, TEST_ROUNDS(180)) {
    static const uint32_t counts[] = {MOST, 9, 70, 300, 700, 1500}, nearest[] = {0, 1, 7, 8, 20, 32},
                          most[] = {0, 1, 3, 20, 400};
    static test_random random = {.state = 21};
    const layout how = (layout)(round % LAYOUTS);
    const uint32_t count = counts[test_below(&random, TEST_SLOW ? 4 : 6)];
    crowd *c = crowd_new(how, 2 + (int)test_below(&random, 2), count, test_below(&random, 2), &random);
    choose_rules(c, &random);
    const uint32_t k = nearest[test_below(&random, 6)], m = most[test_below(&random, 5)];
    char what[64];
    snprintf(what, sizeof what, "round %d: %u agents, layout %d", round, count, (int)how);
    check_caps(c, k, k + m > 0 ? m : 20, what, &random);
    crowd_free(c);
}

/* ---- what caps cost --------------------------------------------------------------------------------------------------- */

/* Operations of the loops for one agent in the middle of `count`. */
static double count_operations(crowd *c, uint32_t count, uint32_t nearest, uint32_t most) {
    const dun_selection caps = dun_selection_of(c->rule, nearest, most, false);
    const dun_range all = {0, count, 0, 0};
    flock_sums sums = flock_sums_new(OBSERVERS);
    uint64_t operations = 0;
    c->in.selection = &caps;
    memset(roofline_counted, 0, sizeof roofline_counted);
    dun_select_counted[c->in.shape.dimensions - 2](&c->in, (dun_packet){count / 2, 1}, &all, 1, &sums.sums, 0);
    for (int i = 0; i < INSTRUCTIONS; i++) operations += roofline_counted[i];
    assert_true(nearest + most == 0 || sums.sums.seen[0] == (int32_t)(most ? most : nearest));
    flock_sums_free(&sums);
    return (double)operations;
}

/* `most`: what the nearest cost at most, by what all cost. */
static void check_cost(layout how, int dimensions, double most, test_random *random) {
    enum { FEWER = 1500, LISTED = 256 /* at a time */ };
    crowd *c = crowd_new(how, dimensions, MOST, false, random);
    choose_rules(c, random);
    for (int r = 0; r < 3; r++) c->rule[r] = (dun_rule_selection){c->rule[r].r2, 0.0f, DUN_ALL_AROUND, DUN_KIN_ALL};
    c->in.ignore_coincident = false;
    c->in.radius_scale = NULL;
    const double one = (count_operations(c, MOST, 0, 0) - count_operations(c, FEWER, 0, 0)) / (MOST - FEWER);
    assert_true(count_operations(c, MOST, 0, 20) < LISTED * one);
    assert_true(count_operations(c, MOST, 0, 20) == count_operations(c, FEWER, 0, 20));
    const double nearest = count_operations(c, MOST, 7, 0), more = nearest - count_operations(c, FEWER, 7, 0);
    print_message("%dD, layout %d: %.1f operations per candidate; the 7 nearest %.1f, the first 20 %.0f in all\n", dimensions,
                  (int)how, one, more / (MOST - FEWER), count_operations(c, MOST, 0, 20));
    assert_true(more < most * one * (MOST - FEWER));
    crowd_free(c);
}

/* A maximum ends the pass, however large the crowd. The nearest cost less than all; at one point, where ids decide which they
 * are, they take three passes. */
TEST_EACH(caps_make_crowds_cheaper, dimensions, 2, 4) {
    static test_random random = {.state = 22};
    check_cost(IN_A_SPOT, dimensions, 0.75, &random);
    check_cost(AT_ONE_POINT, dimensions, 2.0, &random);
}
