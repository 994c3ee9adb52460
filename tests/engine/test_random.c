/* SPDX-License-Identifier: MIT */
/* Random numbers: the published generator, numbers as a function of their arguments, and evenly scattered agents. */
#include "engine/base/random.h"

#include "tests/lib/worlds.h"

/* ---- the generator ----------------------------------------------------------------------------------------------------- */

/* kat_vectors of the Random123 distribution (Salmon et al., SC 2011): philox4x32, 10 rounds. */
TEST(philox_gives_its_published_answers) {
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t answer[4];
        dun_philox(known[i].counter, known[i].key, answer);
        assert_memory_equal(answer, known[i].answer, sizeof answer);
    }
}

/* ---- numbers ----------------------------------------------------------------------------------------------------------- */

/* What names four numbers. */
typedef struct draw_name {
    uint64_t seed;
    uint32_t agent;
    dun_purpose purpose;
    uint32_t number;
    uint64_t draw;
} draw_name;

static const draw_name somewhere = {0x123456789abcdef0u, 1000, DUN_DRAW_HEADING, 5, 0x700000003u};

static void draw_four(const draw_name *name, float out[4]) {
    dun_random(name->seed, name->agent, dun_stream(name->purpose, name->number), name->draw, out);
}

static bool same_four(const draw_name *a, const draw_name *b) {
    float of_a[4], of_b[4];
    draw_four(a, of_a);
    draw_four(b, of_b);
    return memcmp(of_a, of_b, sizeof of_a) == 0;
}

TEST(a_number_follows_from_its_name_alone) {
    enum { CHANGES = 12 };
    draw_name changed[CHANGES];
    for (int i = 0; i < CHANGES; i++) changed[i] = somewhere;
    changed[0].seed ^= 1;
    changed[1].seed ^= (uint64_t)1 << 31;
    changed[2].seed ^= (uint64_t)1 << 32;
    changed[3].seed ^= (uint64_t)1 << 63;
    changed[4].agent ^= 1;
    changed[5].agent ^= 1u << 31;
    changed[6].purpose = DUN_DRAW_SPEED;
    changed[7].draw ^= 1;
    changed[8].draw ^= (uint64_t)1 << 31;
    changed[9].draw ^= (uint64_t)1 << 63;
    changed[10].number ^= 1;
    changed[11].number ^= 1u << 23;
    for (int i = 0; i < CHANGES; i++) {
        assert_false(same_four(&changed[i], &somewhere));
        assert_true(same_four(&somewhere, &somewhere)); /* whatever was drawn before */
        for (int j = 0; j < i; j++) assert_false(same_four(&changed[i], &changed[j]));
    }
}

/* Another layout would be as random, but every seed would then make other agents. */
TEST(the_name_is_the_counter_and_the_key) {
    assert_int_equal(dun_stream(DUN_DRAW_HEADING, 0), 2); /* what agents are scattered by */
    const uint32_t counter[4] = {somewhere.agent, 3, 0x502, 7}, key[2] = {0x9abcdef0u, 0x12345678u};
    uint32_t bits[4];
    float out[4];
    dun_philox(counter, key, bits);
    draw_four(&somewhere, out);
    for (int w = 0; w < 4; w++) assert_true(out[w] == (float)(bits[w] / 256) / 16777216.0f);
}

/* ---- evenness ---------------------------------------------------------------------------------------------------------- */

enum { MOST_BINS = 64 };

typedef struct histogram {
    int bins;
    uint32_t count[MOST_BINS], total;
} histogram;

/* value: 0 .. 1, a little past either end for what rounding may have moved there. */
static void histogram_add(histogram *h, double value) {
    assert_true(value >= -1e-6 && value <= 1.0 + 1e-6);
    const int bin = (int)(value * h->bins);
    h->count[bin < 0 ? 0 : bin >= h->bins ? h->bins - 1 : bin]++;
    h->total++;
}

/* χ² as a normal deviate (Wilson and Hilferty, PNAS 17, 1931): five is a coarse limit. Too even is not random either. */
static void assert_even(const histogram *h, const char *what) {
    const double expected = (double)h->total / h->bins, freedom = h->bins - 1.0, spread = 2.0 / (9.0 * freedom);
    double chi2 = 0;
    for (int b = 0; b < h->bins; b++) chi2 += ((double)h->count[b] - expected) * ((double)h->count[b] - expected) / expected;
    const double deviate = (cbrt(chi2 / freedom) - (1.0 - spread)) / sqrt(spread);
    if (fabs(deviate) > 5.0) fail_msg("%s: chi-square is %g for %g degrees of freedom", what, chi2, freedom);
}

/* The arguments that are counted up, one at a time. */
enum { BY_AGENT, BY_DRAW, BY_SEED, BY_HIGH_SEED, WAYS };
static const char *const ways[WAYS] = {"agent by agent", "draw by draw", "seed by seed", "seed by seed, high word"};

static draw_name nth(int way, uint32_t n) {
    draw_name name = somewhere;
    if (way == BY_AGENT) name.agent = n;
    if (way == BY_DRAW) name.draw = n;
    if (way == BY_SEED) name.seed = n;
    if (way == BY_HIGH_SEED) name.seed = (uint64_t)n << 32;
    return name;
}

TEST_EACH(numbers_are_even_whatever_is_counted_up, way, 0, WAYS) {
    enum { DRAWS = 20000 };
    histogram all = {.bins = 64}, successive = {.bins = 64};
    double sum = 0, squares = 0;
    float last[4] = {0};
    for (uint32_t n = 0; n < DRAWS; n++) {
        const draw_name name = nth(way, n);
        float u[4];
        draw_four(&name, u);
        for (int w = 0; w < 4; w++) {
            assert_true(u[w] >= 0.0f && u[w] < 1.0f && u[w] * 0x1p24f == floorf(u[w] * 0x1p24f));
            histogram_add(&all, (double)u[w]);
            histogram_add(&successive, floor((double)last[w] * 8) / 8 + (double)u[w] / 8);
            sum += (double)u[w];
            squares += (double)u[w] * (double)u[w];
            last[w] = u[w];
        }
    }
    const double mean = sum / (4 * DRAWS), variance = squares / (4 * DRAWS) - mean * mean;
    assert_true(fabs(mean - 1.0 / 2) < 0.005 && fabs(variance - 1.0 / 12) < 0.002);
    assert_even(&all, ways[way]);
    assert_even(&successive, ways[way]);
}

TEST_EACH(the_four_numbers_are_independent, a, 0, 4) {
    for (int b = 0; b < a; b++) {
        histogram pairs = {.bins = 64};
        for (uint32_t n = 0; n < 20000; n++) {
            const draw_name name = nth(BY_AGENT, n);
            float u[4];
            draw_four(&name, u);
            histogram_add(&pairs, floor((double)u[a] * 8) / 8 + (double)u[b] / 8);
        }
        assert_even(&pairs, "two of the four");
    }
}

/* ---- scattered agents follow from seed and id --------------------------------------------------------------------------- */

enum { AGENTS = 20000 };

static dunlin_world *empty_world(int dimensions, uint64_t seed, float size) {
    dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions, .seed = seed});
    for (int a = 0; a < 3; a++) def.size[a] = size;
    return world_without_agents(&def, 5);
}

static void scatter(dunlin_world *world, dunlin_region region, uint32_t count) {
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.region = region;
    def.count = count;
    ACCEPT(dunlin_world_scatter(world, 0, &def, &refusal));
}

static bool same_agent(const dunlin_view *a, uint32_t i, const dunlin_view *b, uint32_t j, float scale) {
    bool same = a->id[i] == b->id[j];
    for (int axis = 0; axis < 3 && a->position[axis]; axis++) {
        same = same && a->position[axis][i] * scale == b->position[axis][j];
        same = same && a->velocity[axis][i] == b->velocity[axis][j];
    }
    return same;
}

TEST_EACH(batches_make_no_difference, number, 0, 4) {
    const int dimensions = 2 + number % 2;
    const dunlin_region region = number < 2 ? DUNLIN_REGION_BOX : DUNLIN_REGION_BALL;
    dunlin_world *at_once = empty_world(dimensions, 7, 100), *bit_by_bit = empty_world(dimensions, 7, 100);
    scatter(at_once, region, 1000);
    scatter(bit_by_bit, region, 300);
    world_spawn(bit_by_bit, 0, (const float[3]){1, 2, 3}, (const float[3]){0}); /* takes an id and draws nothing */
    scatter(bit_by_bit, region, 0);
    for (int i = 0; i < 699; i += 233) scatter(bit_by_bit, region, 233);
    const dunlin_view a = dunlin_world_view(at_once, 0), b = dunlin_world_view(bit_by_bit, 0);
    assert_int_equal(b.count, a.count);
    for (uint32_t i = 0; i < a.count; i++) assert_int_equal(same_agent(&a, i, &b, i, 1), i != 300);
}

static void assert_nothing_shared(const dunlin_world *one, const dunlin_world *other) {
    const dunlin_view a = dunlin_world_view(one, 0), b = dunlin_world_view(other, 0);
    for (uint32_t i = 0; i < a.count; i++) {
        for (uint32_t j = 0; j < b.count; j++) {
            assert_false(a.position[0][i] == b.position[0][j] && a.position[1][i] == b.position[1][j]);
            assert_false(a.velocity[0][i] == b.velocity[0][j] && a.velocity[1][i] == b.velocity[1][j]);
        }
    }
}

TEST(another_seed_scatters_other_agents) {
    for (dunlin_region region = DUNLIN_REGION_BOX; region <= DUNLIN_REGION_BALL; region++) {
        dunlin_world *one = empty_world(2, 1, 100), *other = empty_world(2, 2, 100),
                     *high = empty_world(2, 1 + (1ull << 32), 100);
        scatter(one, region, 100);
        scatter(other, region, 100);
        scatter(high, region, 100);
        assert_nothing_shared(one, other);
        assert_nothing_shared(one, high);
        world_destroy(one);
        world_destroy(other);
        world_destroy(high);
    }
}

TEST(a_region_of_twice_the_size_holds_the_same_flock) {
    for (dunlin_region region = DUNLIN_REGION_BOX; region <= DUNLIN_REGION_BALL; region++) {
        dunlin_world *small = empty_world(3, 3, 64), *large = empty_world(3, 3, 128);
        scatter(small, region, 500);
        scatter(large, region, 500);
        const dunlin_view a = dunlin_world_view(small, 0), b = dunlin_world_view(large, 0);
        for (uint32_t i = 0; i < 500; i++) assert_true(same_agent(&a, i, &b, i, 2));
        world_destroy(small);
        world_destroy(large);
    }
}

/* ---- scattered agents are even ------------------------------------------------------------------------------------------ */

/* Off the middle, so that a region that ignores its centre is found out. */
static dunlin_world *scattered(int dimensions, dunlin_region region, dunlin_scatter_def *def) {
    dunlin_world *world = empty_world(dimensions, 11, 100);
    *def = dunlin_scatter_def_default(world);
    def->region = region;
    def->count = AGENTS;
    for (int a = 0; a < 3; a++) {
        def->centre[a] = 40.0f + 10.0f * (float)a;
        def->extent[a] = 30.0f - 5.0f * (float)a;
    }
    def->min_speed = 0.5f;
    def->max_speed = 2.0f;
    ACCEPT(dunlin_world_scatter(world, 0, def, &refusal));
    assert_int_equal(dunlin_world_view(world, 0).count, AGENTS);
    return world;
}

/* Where the agent is in the box, 0 .. 1. */
static double place(const dunlin_scatter_def *def, const dunlin_view *view, int axis, uint32_t i) {
    return 0.5 + 0.5 * ((double)view->position[axis][i] - (double)def->centre[axis]) / (double)def->extent[axis];
}

TEST_EACH(a_box_is_filled_evenly, dimensions, 2, 4) {
    dunlin_scatter_def def;
    dunlin_world *world = scattered(dimensions, DUNLIN_REGION_BOX, &def);
    const dunlin_view view = dunlin_world_view(world, 0);
    for (int axis = 0; axis < dimensions; axis++) {
        histogram along = {.bins = 64}, plane = {.bins = 64};
        for (uint32_t i = 0; i < AGENTS; i++) {
            const double x = place(&def, &view, axis, i), y = place(&def, &view, (axis + 1) % dimensions, i);
            histogram_add(&along, x);
            histogram_add(&plane, floor(fmin(x, 0.999) * 8) / 8 + y / 8);
        }
        assert_even(&along, "along an axis of the box");
        assert_even(&plane, "in a plane of the box");
    }
}

/* Into which half of each axis it points, as a number; 4 in 2D, 8 in 3D. */
static int orthant(const float vector[3], int dimensions) {
    int number = 0;
    for (int a = 0; a < dimensions; a++) number += (vector[a] > 0.0f) << a;
    return number;
}

/* A share s of the radius contains s² of a disc and s³ of a ball, and no side has more than another. */
TEST_EACH(a_ball_is_filled_evenly, dimensions, 2, 4) {
    dunlin_scatter_def def;
    dunlin_world *world = scattered(dimensions, DUNLIN_REGION_BALL, &def);
    const dunlin_view view = dunlin_world_view(world, 0);
    histogram within = {.bins = 64}, sides = {.bins = 1 << dimensions};
    for (uint32_t i = 0; i < AGENTS; i++) {
        float offset[3] = {0};
        for (int a = 0; a < dimensions; a++) offset[a] = view.position[a][i] - def.centre[a];
        const double r = hypot(hypot((double)offset[0], (double)offset[1]), (double)offset[2]) / (double)def.extent[0];
        histogram_add(&within, pow(r, dimensions));
        histogram_add(&sides, (orthant(offset, dimensions) + 0.5) / sides.bins);
    }
    assert_even(&within, "from the middle of the ball to its edge");
    assert_even(&sides, "all around the ball");
}

/* In 3D the height on a sphere is as even as the angle around it (Archimedes). */
TEST_EACH(headings_and_speeds_are_even, dimensions, 2, 4) {
    const double turn = 2.0 * acos(-1.0);
    dunlin_scatter_def def;
    dunlin_world *world = scattered(dimensions, DUNLIN_REGION_BALL, &def);
    const dunlin_view view = dunlin_world_view(world, 0);
    histogram around = {.bins = 64}, height = {.bins = 64}, speeds = {.bins = 64};
    for (uint32_t i = 0; i < AGENTS; i++) {
        double v[3] = {0};
        for (int a = 0; a < dimensions; a++) v[a] = (double)view.velocity[a][i];
        const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        histogram_add(&around, 0.5 + atan2(v[1], v[0]) / turn);
        histogram_add(&height, 0.5 + 0.5 * v[2] / speed);
        histogram_add(&speeds, (speed - 0.5) / 1.5);
    }
    assert_even(&around, "headings");
    if (dimensions == 3) assert_even(&height, "headings up and down");
    assert_even(&speeds, "speeds");
}

/* They are drawn alike. If they shared random numbers, all agents would move outwards. */
TEST(place_heading_and_speed_are_independent) {
    dunlin_scatter_def def;
    dunlin_world *world = scattered(3, DUNLIN_REGION_BALL, &def);
    const dunlin_view view = dunlin_world_view(world, 0);
    histogram place_and_heading = {.bins = 64}, speed_and_heading = {.bins = 64}, speed_and_place = {.bins = 64};
    for (uint32_t i = 0; i < AGENTS; i++) {
        float offset[3], v[3];
        for (int a = 0; a < 3; a++) offset[a] = view.position[a][i] - def.centre[a];
        for (int a = 0; a < 3; a++) v[a] = view.velocity[a][i];
        const double speed = sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2]);
        histogram_add(&place_and_heading, (orthant(offset, 3) * 8 + orthant(v, 3) + 0.5) / 64);
        histogram_add(&speed_and_heading, (orthant(v, 3) + fmin((speed - 0.5) / 1.5, 0.999)) / 8);
        histogram_add(&speed_and_place, (orthant(offset, 3) + fmin((speed - 0.5) / 1.5, 0.999)) / 8);
    }
    assert_even(&place_and_heading, "place and heading");
    assert_even(&speed_and_heading, "speed and heading");
    assert_even(&speed_and_place, "speed and place");
}

TEST(nothing_to_choose_from) {
    dunlin_world *world = empty_world(2, 5, 100);
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.count = 50;
    def.min_speed = def.max_speed = 3;
    def.extent[0] = 0;
    ACCEPT(dunlin_world_scatter(world, 0, &def, &refusal));
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < 50; i++) {
        assert_true(view.position[0][i] == 50.0f);
        assert_true(fabs(hypot((double)view.velocity[0][i], (double)view.velocity[1][i]) - 3.0) < 1e-6);
    }
}

/* fmaxf() may choose either of two zeros, and on another machine the other. */
TEST(a_zero_is_that_of_the_worlds_end) {
    dunlin_world *world = empty_world(2, 5, 100);
    dunlin_scatter_def def = dunlin_scatter_def_default(world);
    def.count = 50;
    def.centre[0] = -0.0f;
    def.extent[0] = 0;
    ACCEPT(dunlin_world_scatter(world, 0, &def, &refusal));
    for (uint32_t i = 0; i < 50; i++) assert_false(signbit(dunlin_world_view(world, 0).position[0][i]));
}

/* Callers have a purpose of their own, so that none of their numbers is one of the engine's. */
TEST(callers_draw_from_streams_of_their_own) {
    float got[4], want[4], other[4];
    const uint64_t step = (7ull << 32) + 3;
    dunlin_draw(99, 12, step, 5, got);
    dun_random(99, 12, dun_stream(DUN_DRAW_CALLER, 5), step, want);
    assert_memory_equal(got, want, sizeof got);
    dunlin_draw(99, 12, step, 6, other);
    assert_memory_not_equal(got, other, sizeof got);
    dunlin_draw(99, 12, step, 5 + (1u << 24), other);
    assert_memory_equal(got, other, sizeof got);
}
