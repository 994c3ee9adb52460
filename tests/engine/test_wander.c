/* SPDX-License-Identifier: MIT */
/* Wander: the directions, computed again in binary64 from the engine's random numbers, and their statistics. */
#include "engine/base/random.h"
#include "tests/lib/lanes.h"
#include "tests/lib/scene.h"
#include "tests/lib/support.h"

static const double pi = 3.14159265358979323846;

/* ---- random words ------------------------------------------------------------------------------------------------------ */

TEST_EACH(kernels_draw_the_engines_words, k, 0, test_kernel_count()) {
    const test_lanes *wide = test_lanes_of(test_kernel(k));
    test_random random = {.state = 1};
    for (int round = 0; round < TEST_ROUNDS(5000); round++) {
        uint32_t counter[4][DUN_PADDING], got[4][DUN_PADDING];
        for (int i = 0; i < 4 * DUN_PADDING; i++) counter[i % 4][i / 4] = (uint32_t)test_bits(&random);
        const uint32_t key[2] = {(uint32_t)test_bits(&random), (uint32_t)test_bits(&random)};
        wide->philox((const uint32_t(*)[DUN_PADDING])counter, key, got);
        for (uint32_t lane = 0; lane < test_kernel(k)->lanes; lane++) {
            const uint32_t one[4] = {counter[0][lane], counter[1][lane], counter[2][lane], counter[3][lane]};
            const uint32_t mine[4] = {got[0][lane], got[1][lane], got[2][lane], got[3][lane]};
            uint32_t want[4];
            dun_philox(one, key, want);
            test_same_bits(mine, want, 4, wide->kernel);
        }
    }
}

/* ---- kernels ------------------------------------------------------------------------------------------------------------ */

enum { ARRAYS = 7 }; /* velocity, force, id */

typedef struct herd {
    test_array arrays[ARRAYS];
} herd;

/* Some agents at rest or almost, some at the maximum speed, some at the speed of the circle's radius. */
static float any_velocity(test_random *random) {
    static const float scales[] = {0, 1e-30f, 1e-19f, 1, 1, 1, 100, 2e9f};
    return scales[test_below(random, 8)] * test_uniform(random, -1, 1);
}

static herd herd_new(uint32_t count, uint64_t seed) {
    test_random random = {.state = seed};
    herd h;
    for (int i = 0; i < ARRAYS; i++) {
        h.arrays[i] = test_array_new(count);
        for (uint32_t n = 0; n < count; n++) {
            const uint32_t id = (uint32_t)test_bits(&random);
            h.arrays[i].at[n] = i < 3 ? any_velocity(&random) : test_uniform(&random, -2, 2);
            if (i == 6) memcpy(h.arrays[i].at + n, &id, sizeof id);
        }
    }
    return h;
}

static void herd_act(const herd *h, const dun_kernel *kernel, dun_behave job, uint32_t count) {
    for (int a = 0; a < 3; a++) {
        job.velocity[a] = h->arrays[a].at;
        job.force[a] = h->arrays[3 + a].at;
    }
    job.id = (const uint32_t *)(const void *)h->arrays[6].at;
    kernel->behave[DUN_BEHAVE_WANDER](&job, count);
}

static void herd_same(const herd *got, const herd *want, uint32_t count, const char *what) {
    for (int i = 0; i < ARRAYS; i++) {
        test_array_check(&got->arrays[i]);
        test_same_bits(got->arrays[i].at, want->arrays[i].at, count, what);
    }
}

static void herd_free(herd *h) {
    for (int i = 0; i < ARRAYS; i++) test_array_free(&h->arrays[i]);
}

static dun_behave any_wander(test_random *random, int dimensions) {
    static const float shares[] = {0, 0x1p-24f, 0.25f, 0.4999f, 0.5f, 0.75f, 1};
    static const float distances[] = {0, 1, 10, 1e9f};
    return (dun_behave){.dimensions = dimensions,
                        .max_speed = {.all = test_uniform(random, 0.5f, 5)},
                        .max_force = {.all = test_below(random, 2) ? INFINITY : 0.1f},
                        .weight = {.all = test_uniform(random, -2, 2)},
                        .wander = {.distance = distances[test_below(random, 4)],
                                   .radius = test_below(random, 2) ? 1 : test_uniform(random, 0.1f, 20),
                                   .key = {(uint32_t)test_bits(random), (uint32_t)test_bits(random)},
                                   .stream = (uint32_t)test_bits(random),
                                   .direction = test_bits(random) >> test_below(random, 64),
                                   .share = shares[test_below(random, 7)]}};
}

TEST_EACH(kernels_give_the_same_bits, round, 0, TEST_ROUNDS(60)) {
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 100};
    static test_random random = {.state = 3};
    const dun_behave job = any_wander(&random, 2 + round % 2);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const uint64_t seed = test_bits(&random);
        herd want = herd_new(counts[c], seed);
        herd_act(&want, test_kernel(0), job, counts[c]);
        for (int k = 1; k < test_kernel_count(); k++) {
            herd got = herd_new(counts[c], seed);
            herd_act(&got, test_kernel(k), job, counts[c]);
            herd_same(&got, &want, counts[c], test_kernel(k)->name);
            herd_free(&got);
        }
        for (int i = 3; i < 6; i++)
            for (uint32_t n = 0; n < counts[c]; n++) assert_true(isfinite(want.arrays[i].at[n]));
        herd_free(&want);
    }
}

/* ---- directions in binary64 --------------------------------------------------------------------------------------------- */

static void unit(double v[3]) {
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; a++) v[a] /= length;
}

/* The numbers of a random direction: its angle in turns; in 3D, too, where on [0, 1) its height is. A draw has four numbers. */
static void draw(uint64_t seed, uint32_t id, uint32_t behaviour, int dimensions, uint64_t direction, float out[2]) {
    const uint64_t size = dimensions == 3 ? 2 : 1, in_draw = 4 / size;
    float numbers[4];
    dun_random(seed, id, dun_stream(DUN_DRAW_WANDER, behaviour), direction / in_draw, numbers);
    for (uint64_t n = 0; n < size; n++) out[n] = numbers[direction % in_draw * size + n];
}

static void point_on_sphere(const float numbers[2], double out[3]) {
    const double angle = 2 * pi * (double)numbers[0], z = 2 * (double)numbers[1] - 1;
    out[0] = sqrt(1 - z * z) * cos(angle);
    out[1] = sqrt(1 - z * z) * sin(angle);
    out[2] = z;
}

static void true_direction(const dunlin_world_def *world, uint32_t id, uint32_t behaviour, double jitter, int step,
                           double out[3]) {
    const double passed = jitter * step, share = passed - floor(passed);
    float first[2] = {0}, second[2] = {0};
    draw(world->seed, id, behaviour, world->dimensions, (uint64_t)passed, first);
    draw(world->seed, id, behaviour, world->dimensions, (uint64_t)passed + 1, second);
    if (world->dimensions == 2) {
        const double turn = (double)second[0] - (double)first[0];
        const double angle = 2 * pi * ((double)first[0] + share * (turn - (turn > 0.5) + (turn < -0.5)));
        out[0] = cos(angle);
        out[1] = sin(angle);
        out[2] = 0;
        return;
    }
    double from[3], to[3], middle[3];
    point_on_sphere(first, from);
    point_on_sphere(second, to);
    for (int a = 0; a < 3; a++) middle[a] = from[a] + to[a];
    unit(middle);
    const double part = share < 0.5 ? 2 * share : 2 * share - 1;
    for (int a = 0; a < 3; a++)
        out[a] = share < 0.5 ? from[a] + part * (middle[a] - from[a]) : middle[a] + part * (to[a] - middle[a]);
    unit(out);
}

/* The force is not limited, so that the velocity becomes the desired one. */
static scene wanderers(int dimensions, float distance, float radius, float jitter) {
    scene s = scene_empty(dimensions);
    s.world.boundary = DUNLIN_BOUNDARY_OPEN;
    s.world.seed = 0x123456789abcdefu;
    s.species.max_speed = 1;
    dunlin_wander *wander = &scene_behave(&s, DUNLIN_BEHAVIOUR_WANDER)->wander;
    wander->distance = distance;
    wander->radius = radius;
    wander->jitter = jitter;
    return s;
}

TEST_EACH(at_rest_the_circle_is_around_the_agent, dimensions, 2, 4) {
    scene s = wanderers(dimensions, 10, 5, 1);
    for (uint32_t id = 0; id < 4; id++) scene_rest(&s, 10, 10, 10);
    for (uint32_t id = 0; id < 4; id++) {
        double e[3];
        true_direction(&s.world, id, 0, 1, 0, e);
        scene_expect_velocity(&s, id, e[0], e[1], e[2]);
    }
}

/* After the maximum number of steps: the kernel gets 64 bits. */
TEST(directions_never_run_out) {
    herd h = herd_new(1, 5);
    for (int i = 0; i < 6; i++) h.arrays[i].at[0] = 0;
    uint32_t id;
    memcpy(&id, h.arrays[6].at, sizeof id);
    const dun_behave job = {
        .dimensions = 2,
        .max_speed = {.all = 1},
        .max_force = {.all = INFINITY},
        .weight = {.all = 1},
        .wander = {.radius = 1, .key = {2, 1}, .stream = dun_stream(DUN_DRAW_WANDER, 9), .direction = 0x123456789abcdefu}};
    herd_act(&h, test_kernel(0), job, 1);
    float numbers[2];
    draw(0x100000002u, id, 9, 2, 0x123456789abcdefu, numbers);
    assert_true(fabs((double)h.arrays[3].at[0] - cos(2 * pi * (double)numbers[0])) <= 1e-6);
    assert_true(fabs((double)h.arrays[4].at[0] - sin(2 * pi * (double)numbers[0])) <= 1e-6);
    herd_free(&h);
}

/* By hand: u = (10, 0) + 5·e, at length 1, and the velocity meanwhile is the last u. */
TEST_EACH(the_circle_is_ahead, number, 0, 6) {
    static const float jitters[] = {0.05f, 0.3f, 1};
    const float jitter = jitters[number / 2];
    scene s = wanderers(2 + number % 2, 10, 5, jitter);
    scene_add(&s, 10, 10, 10, 0.5f, 0, 0);
    double v[3] = {1, 0, 0};
    for (int step = 0; step < 24; step++) {
        double e[3];
        true_direction(&s.world, 0, 0, (double)jitter, step, e);
        for (int a = 0; a < 3; a++) v[a] = 10 * v[a] + 5 * e[a];
        unit(v);
        s.steps = step + 1;
        if (step % 8 < 2) scene_expect_velocity(&s, 0, v[0], v[1], v[2]);
    }
}

TEST(wander_steers_like_other_behaviours) {
    scene s = wanderers(2, 10, 5, 1);
    s.species.max_force = 0.25f;
    s.behaviour[0].weight = 0.5f;
    scene_rest(&s, 10, 10, 10);
    double e[3];
    true_direction(&s.world, 0, 0, 1, 0, e);
    scene_expect_velocity(&s, 0, 0.125 * e[0], 0.125 * e[1], 0);
}

/* ---- what may be expected of directions --------------------------------------------------------------------------------- */

enum { MANY = 5000 };

/* Many agents at rest, which run in their wander's direction at speed 1. */
static dunlin_world *crowd(int dimensions, float jitter, int behaviours_before) {
    const scene s = wanderers(dimensions, 0, 1, jitter);
    dunlin_world *world = world_create(&s.world);
    world_add_species(world, &s.species);
    for (int b = 0; b < behaviours_before; b++) world_add_default(world, DUNLIN_BEHAVIOUR_FORCE);
    world_add_behaviour(world, &s.behaviour[0]);
    static const float zeros[MANY];
    const dunlin_batch batch = {
        .cookie = WORLD_COOKIE, .count = MANY, .position = {zeros, zeros, zeros}, .velocity = {zeros, zeros, zeros}};
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    return world;
}

static void read_directions(const dunlin_world *world, double out[MANY][3]) {
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < MANY; i++)
        for (int a = 0; a < 3; a++) out[view.id[i]][a] = view.velocity[a] ? (double)view.velocity[a][i] : 0.0;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double angle_between(const double a[3], const double b[3]) {
    const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return atan2(sqrt(dot(cross, cross)), dot(a, b));
}

/*
 * Two random directions are a quarter turn apart in the mean, and the way between them is the shortest. Over a whole way of 16
 * steps the mean of MANY has a standard deviation of less than pi/2 / sqrt(MANY).
 */
TEST_EACH(directions_turn_smoothly, dimensions, 2, 4) {
    static double last[MANY][3], now[MANY][3];
    const double jitter = 0.0625, margin = 1e-6;
    const double most = (dimensions == 2 ? pi : 4) * jitter + margin;
    dunlin_world *world = crowd(dimensions, (float)jitter, 0);
    world_run(world, 1);
    read_directions(world, last);
    double turned = 0, worst = 0;
    for (int step = 1; step <= 16; step++) {
        world_run(world, 1);
        read_directions(world, now);
        for (int i = 0; i < MANY; i++) {
            const double angle = angle_between(last[i], now[i]);
            assert_true(angle <= most);
            worst = fmax(worst, angle);
            turned += angle / MANY;
        }
        memcpy(last, now, sizeof last);
    }
    print_message("%dD: at most %.4f radians a step, %.4f in the mean from one direction to the next\n", dimensions, worst,
                  turned);
    assert_true(worst > 0.9 * most);
    assert_true(fabs(turned - pi / 2) <= 5 * (pi / 2) / sqrt(MANY));
}

enum { OPPOSITE = 6 };

/* The directions of these agents at rest, by a kernel. */
static void ask_directions(const dun_kernel *kernel, const uint32_t ids[OPPOSITE], float share, double out[OPPOSITE][3]) {
    const dun_behave job = {.dimensions = 3,
                            .max_speed = {.all = 1},
                            .max_force = {.all = INFINITY},
                            .weight = {.all = 1},
                            .wander = {.radius = 1, .key = {1, 0}, .stream = dun_stream(DUN_DRAW_WANDER, 0), .share = share}};
    herd h = herd_new(OPPOSITE, 0);
    for (int i = 0; i < 6; i++) memset(h.arrays[i].at, 0, OPPOSITE * sizeof(float));
    memcpy(h.arrays[6].at, ids, OPPOSITE * sizeof *ids);
    herd_act(&h, kernel, job, OPPOSITE);
    for (int n = 0; n < OPPOSITE; n++)
        for (int a = 0; a < 3; a++) out[n][a] = (double)h.arrays[3 + a].at[n];
    herd_free(&h);
}

/* Rare agents, found by a search: the sum of their first two directions is nearly 0, so there is no reliable middle. */
TEST_EACH(opposite_directions_are_connected, k, 0, test_kernel_count()) {
    static const uint32_t ids[OPPOSITE] = {6998464, 13229450, 26654117, 47884486, 51724235, 52161069};
    enum { PARTS = 64 };
    double last[OPPOSITE][3], now[OPPOSITE][3], first[OPPOSITE][3];
    ask_directions(test_kernel(k), ids, 0, last);
    memcpy(first, last, sizeof first);
    for (int part = 1; part <= PARTS; part++) {
        ask_directions(test_kernel(k), ids, (float)part / PARTS, now);
        for (int n = 0; n < OPPOSITE; n++) {
            assert_true(fabs(dot(now[n], now[n]) - 1) <= 1e-6);
            assert_true(angle_between(last[n], now[n]) <= 4.001 / PARTS);
            if (part == PARTS / 2) assert_true(fabs(dot(first[n], now[n])) <= 1e-6);
        }
        memcpy(last, now, sizeof last);
    }
    for (int n = 0; n < OPPOSITE; n++) assert_true(angle_between(first[n], last[n]) > pi - 0.0011);
}

/*
 * A component c of a uniform direction in d dimensions has mean 0 and variance 1/d; c² has mean 1/d and variance 1/8 (2D) or
 * 4/45 (3D); the product of two components has mean 0 and a variance below that. Five standard deviations of the mean of MANY.
 */
static void check_isotropy(const double e[MANY][3], int dimensions) {
    const double most = 5 * sqrt(1.0 / dimensions / MANY);
    const double most_squared = 5 * sqrt((dimensions == 2 ? 1.0 / 8 : 4.0 / 45) / MANY);
    for (int a = 0; a < dimensions; a++) {
        double mean = 0, moments[3] = {0};
        for (int i = 0; i < MANY; i++) {
            mean += e[i][a] / MANY;
            for (int b = 0; b < dimensions; b++) moments[b] += e[i][a] * e[i][b] / MANY;
        }
        assert_true(fabs(mean) <= most);
        for (int b = 0; b < dimensions; b++) assert_true(fabs(moments[b] - (a == b ? 1.0 / dimensions : 0)) <= most_squared);
    }
}

TEST_EACH(all_directions_are_equally_likely, dimensions, 2, 4) {
    static double e[MANY][3];
    dunlin_world *world = crowd(dimensions, 0.125f, 0);
    for (int step = 0; step < 24; step++) {
        world_run(world, 1);
        read_directions(world, e);
        for (int i = 0; i < MANY; i++) assert_true(fabs(dot(e[i], e[i]) - 1) <= 1e-6);
        check_isotropy((const double(*)[3])e, dimensions);
    }
}

/* The mean product of independent directions is 0, its terms' variance 1/d. */
static void check_independence(const double a[MANY][3], const double b[MANY][3], int dimensions) {
    double mean = 0;
    for (int i = 0; i < MANY; i++) mean += dot(a[i], b[i]) / MANY;
    assert_true(fabs(mean) <= 5 * sqrt(1.0 / dimensions / MANY));
}

/* Two behaviours; two directions of one; neighbours by id. */
TEST_EACH(directions_are_independent, dimensions, 2, 4) {
    static double first[MANY][3], second[MANY][3], later[MANY][3];
    dunlin_world *worlds[] = {crowd(dimensions, 1, 0), crowd(dimensions, 1, 1)};
    for (int w = 0; w < 2; w++) world_run(worlds[w], 1);
    read_directions(worlds[0], first);
    read_directions(worlds[1], second);
    check_independence((const double(*)[3])first, (const double(*)[3])second, dimensions);
    world_run(worlds[0], 1);
    read_directions(worlds[0], later);
    check_independence((const double(*)[3])first, (const double(*)[3])later, dimensions);
    memmove(later, first + 1, sizeof later - sizeof *later);
    check_independence((const double(*)[3])first, (const double(*)[3])later, dimensions);
}
