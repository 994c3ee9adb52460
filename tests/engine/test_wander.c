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
    static const float shares[] = {0, 0x1p-24f, 0.25f, 0.5f, 0.75f, 1};
    static const float distances[] = {0, 1, 10, 1e9f};
    dun_behave job = {.dimensions = dimensions,
                      .max_speed = {.all = test_uniform(random, 0.5f, 5)},
                      .max_force = {.all = test_below(random, 2) ? INFINITY : 0.1f},
                      .weight = {.all = test_uniform(random, -2, 2)},
                      .wander = {.distance = distances[test_below(random, 4)],
                                 .radius = test_below(random, 2) ? 1 : test_uniform(random, 0.1f, 20),
                                 .key = {(uint32_t)test_bits(random), (uint32_t)test_bits(random)},
                                 .stream = (uint32_t)test_bits(random),
                                 .block = test_bits(random) >> test_below(random, 64),
                                 .levels = (int)test_below(random, DUN_WANDER_LEVELS + 1),
                                 .share = shares[test_below(random, 6)]}};
    for (int l = 0; l < DUN_WANDER_LEVELS; l++)
        job.wander.level[l] = (dun_wander_level){.stretch = test_bits(random),
                                                 .stream = (uint32_t)test_bits(random),
                                                 .part = (uint32_t)test_below(random, dimensions == 3 ? 4 : 16),
                                                 .scale = test_uniform(random, 0, 0.01f)};
    return job;
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

/* ---- angles in binary64 ------------------------------------------------------------------------------------------------- */

static void unit(double v[3]) {
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; a++) v[a] /= length;
}

/* One agent's walk. */
typedef struct walk {
    uint64_t seed;
    uint32_t id, behaviour;
    int dimensions;
} walk;

static void words_of(const walk *w, dun_purpose purpose, uint64_t draw, uint32_t words[4]) {
    const uint32_t counter[4] = {w->id, (uint32_t)draw, dun_stream(purpose, w->behaviour), (uint32_t)(draw >> 32)};
    dun_philox(counter, (const uint32_t[]){(uint32_t)w->seed, (uint32_t)(w->seed >> 32)}, words);
}

static double part_of(uint32_t word) {
    return (double)(word >> 8) / 16777216;
}

/* The random words at the beginning of a block. */
static void block_of(const walk *w, uint64_t block, uint32_t out[2]) {
    uint32_t words[4];
    words_of(w, DUN_DRAW_WANDER, block / (w->dimensions == 2 ? 4 : 2), words);
    out[0] = w->dimensions == 2 ? words[block % 4] : words[block % 2 * 2];
    out[1] = words[block % 2 * 2 + 1];
}

static void point_on_sphere(const uint32_t words[2], double out[3]) {
    const double angle = 2 * pi * part_of(words[0]), z = 2 * part_of(words[1]) - 1;
    out[0] = sqrt(1 - z * z) * cos(angle);
    out[1] = sqrt(1 - z * z) * sin(angle);
    out[2] = z;
}

/* One component of the walk at all ends of parts, from the ends inwards: in each middle the mean of both sides, and a random
 * byte that is scaled to a quarter of the variance over that time. */
static void fill(const uint8_t *bytes, int components, double *path, int first, int last, double variance, int node) {
    const int middle = (first + last) / 2;
    if (middle == first) return;
    const double scale = sqrt(variance / 4 / ((256.0 * 256 - 1) / 12));
    path[middle] = (path[first] + path[last]) / 2 + scale * ((double)bytes[node * components] - 127.5);
    fill(bytes, components, path, first, middle, variance / 2, 2 * node + 1);
    fill(bytes, components, path, middle, last, variance / 2, 2 * node + 2);
}

/* Takes one part of a stretch of time that is divided. */
static void divide(const walk *w, int level, double variance, double at, double from[3], double to[3]) {
    const int parts = w->dimensions == 2 ? 16 : 4, components = w->dimensions == 2 ? 1 : 3;
    const int part = (int)floor((at - floor(at)) * parts);
    uint32_t words[4];
    uint8_t bytes[16];
    words_of(w, (dun_purpose)(DUN_DRAW_WANDER_PART + level), (uint64_t)at, words);
    for (int n = 0; n < 16; n++) bytes[n] = (uint8_t)(words[n / 4] >> n % 4 * 8 & 255);
    for (int c = 0; c < components; c++) {
        double path[17];
        path[0] = from[c];
        path[parts] = to[c];
        fill(bytes + c, components, path, 0, parts, variance, 0);
        from[c] = path[part];
        to[c] = path[part + 1];
    }
}

/* The angle in turns, or in 3D the vector. */
static void true_walk(const walk *w, double change, uint64_t step, double out[3]) {
    const double blocks = w->dimensions == 2 ? change * change / (2 * pi * pi) : change * change / 6;
    const double rate = change >= pi ? 1 : (double)(float)fmin(blocks, 1), passed = rate * (double)step;
    uint32_t first[2], second[2];
    double from[3], to[3], in_block = 1;
    block_of(w, (uint64_t)passed, first);
    block_of(w, (uint64_t)passed + 1, second);
    if (w->dimensions == 2) {
        const double turn = part_of(second[0]) - part_of(first[0]), shorter = turn - floor(turn + 0.5);
        from[0] = part_of(first[0]);
        to[0] = from[0] + shorter - ((first[0] & 255) < fabs(shorter) * 256 ? copysign(1, shorter) : 0);
    } else {
        point_on_sphere(first, from);
        point_on_sphere(second, to);
    }
    for (int level = 0; level < 2 && rate * in_block < 1; level++) {
        divide(w, level, (w->dimensions == 2 ? 1.0 / 6 : 2.0 / 3) / in_block, passed * in_block, from, to);
        in_block *= w->dimensions == 2 ? 16 : 4;
    }
    const double share = passed * in_block - floor(passed * in_block);
    for (int c = 0; c < (w->dimensions == 2 ? 1 : 3); c++) out[c] = from[c] + share * (to[c] - from[c]);
}

/* To the left of the heading by some turns. */
static void turn_left(const double heading[3], double turns, double out[3]) {
    const double c = cos(2 * pi * turns), s = sin(2 * pi * turns);
    out[0] = c * heading[0] - s * heading[1];
    out[1] = s * heading[0] + c * heading[1];
    out[2] = 0;
}

static void true_direction(const dunlin_world_def *world, uint32_t id, uint32_t behaviour, double change, uint64_t step,
                           const double heading[3], double out[3]) {
    double at[3];
    true_walk(&(walk){world->seed, id, behaviour, world->dimensions}, change, step, at);
    if (world->dimensions == 2) {
        turn_left(heading, at[0], out);
    } else {
        memcpy(out, at, sizeof at);
        unit(out);
    }
}

static const double x_axis[3] = {1, 0, 0};

/* The force is not limited, so that the velocity becomes the desired one. */
static scene wanderers(int dimensions, float distance, float radius, float change) {
    scene s = scene_empty(dimensions);
    s.world.boundary = DUNLIN_BOUNDARY_OPEN;
    s.world.seed = 0x123456789abcdefu;
    s.species.max_speed = 1;
    dunlin_wander *wander = &scene_behave(&s, DUNLIN_BEHAVIOUR_WANDER)->wander;
    wander->distance = distance;
    wander->radius = radius;
    wander->angle_change = change;
    return s;
}

static void set_step(dunlin_world *world, uint64_t step) {
    dunlin_clock clock = dunlin_world_get_clock(world);
    clock.step = step;
    ACCEPT(dunlin_world_set_clock(world, &clock, &refusal));
}

static dunlin_world *world_with(const scene *s) {
    dunlin_world *world = world_create(&s->world);
    world_add_species(world, &s->species);
    world_add_behaviour(world, &s->behaviour[0]);
    return world;
}

enum { SOME = 200 };

TEST_EACH(at_rest_the_circle_is_around_the_agent, dimensions, 2, 4) {
    scene s = wanderers(dimensions, 10, 5, 1);
    for (uint32_t id = 0; id < 4; id++) scene_rest(&s, 10, 10, 10);
    for (uint32_t id = 0; id < 4; id++) {
        double e[3];
        true_direction(&s.world, id, 0, 1, 0, x_axis, e);
        scene_expect_velocity(&s, id, e[0], e[1], e[2]);
    }
}

/* After the maximum number of steps: the kernel gets 64 bits. */
TEST(angles_never_run_out) {
    herd h = herd_new(1, 5);
    for (int i = 0; i < 6; i++) h.arrays[i].at[0] = 0;
    walk w = {.seed = 0x100000002u, .behaviour = 9, .dimensions = 2};
    memcpy(&w.id, h.arrays[6].at, sizeof w.id);
    const dun_behave job = {
        .dimensions = 2,
        .max_speed = {.all = 1},
        .max_force = {.all = INFINITY},
        .weight = {.all = 1},
        .wander = {.radius = 1, .key = {2, 1}, .stream = dun_stream(DUN_DRAW_WANDER, 9), .block = 0x123456789abcdefu}};
    herd_act(&h, test_kernel(0), job, 1);
    uint32_t words[2];
    block_of(&w, job.wander.block, words);
    const double angle = 2 * pi * part_of(words[0]);
    assert_true(fabs((double)h.arrays[3].at[0] - cos(angle)) <= 1e-6);
    assert_true(fabs((double)h.arrays[4].at[0] - sin(angle)) <= 1e-6);
    herd_free(&h);
}

/* By hand: u = 10·h + 5·e, at length 1. */
TEST_EACH(the_circle_is_ahead, number, 0, 10) {
    static const float changes[] = {0, 0.3f, 0.9f, 2.5f, 3.14159274f};
    static const uint64_t steps[] = {0, 1, 2, 3, 10, 50, 219, 220, 1000, 12345678, 0x123456789abc};
    const float change = changes[number / 2];
    const int dimensions = 2 + number % 2;
    const scene s = wanderers(dimensions, 10, 5, change);
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        dunlin_world *world = world_with(&s);
        test_random random = {.state = n + 1};
        double before[SOME][3] = {{0}};
        for (int i = 0; i < SOME; i++) {
            for (int a = 0; a < dimensions; a++) before[i][a] = (double)test_uniform(&random, -1, 1);
            world_spawn(world, 0, (const float[3]){0},
                        (const float[]){(float)before[i][0], (float)before[i][1], (float)before[i][2]});
        }
        set_step(world, steps[n]);
        world_run(world, 1);
        const dunlin_view view = dunlin_world_view(world, 0);
        for (uint32_t i = 0; i < SOME; i++) {
            double *h = before[view.id[i]], e[3], u[3];
            unit(h);
            true_direction(&s.world, view.id[i], 0, (double)change, steps[n], h, e);
            for (int a = 0; a < 3; a++) u[a] = 10 * h[a] + 5 * e[a];
            unit(u);
            for (int a = 0; a < dimensions; a++) assert_true(fabs((double)view.velocity[a][i] - u[a]) <= 2e-6);
        }
    }
}

TEST(wander_steers_like_other_behaviours) {
    scene s = wanderers(2, 10, 5, 1);
    s.species.max_force = 0.25f;
    s.behaviour[0].weight = 0.5f;
    scene_rest(&s, 10, 10, 10);
    double e[3];
    true_direction(&s.world, 0, 0, 1, 0, x_axis, e);
    scene_expect_velocity(&s, 0, 0.125 * e[0], 0.125 * e[1], 0);
}

/* ---- what may be expected of angles -------------------------------------------------------------------------------------- */

enum { MANY = 5000 };

/* The wander's direction of each agent, by id: the force on agents at rest. */
static double seen[MANY][3];

static void see(void *user, const dunlin_tile *tile) {
    (void)user;
    for (uint32_t i = 0; i < tile->count; i++)
        for (int a = 0; a < 3; a++) seen[tile->id[i]][a] = tile->force[a] ? (double)tile->force[a][i] : 0.0;
}

/* Many agents that always are at rest. */
static dunlin_world *crowd(int dimensions, float change, int behaviours_before) {
    scene s = wanderers(dimensions, 0, 1, change);
    s.species.drag = 1;
    dunlin_world *world = world_create(&s.world);
    world_add_species(world, &s.species);
    for (int b = 0; b < behaviours_before; b++) world_add_default(world, DUNLIN_BEHAVIOUR_FORCE);
    world_add_behaviour(world, &s.behaviour[0]);
    dunlin_behaviour_def watch = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_CUSTOM);
    watch.custom = see;
    world_add_behaviour(world, &watch);
    static const float zeros[MANY];
    const dunlin_batch batch = {
        .cookie = WORLD_COOKIE, .count = MANY, .position = {zeros, zeros, zeros}, .velocity = {zeros, zeros, zeros}};
    ACCEPT(dunlin_world_spawn(world, 0, &batch, NULL, &refusal));
    return world;
}

static void read_directions(dunlin_world *world, double out[MANY][3]) {
    world_run(world, 1);
    memcpy(out, seen, sizeof seen);
}

/* The square of the angle between two directions; in 3D per axis. */
static double change2_between(int dimensions, const double a[3], const double b[3]) {
    const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    const double sine = sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
    const double angle = atan2(sine, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    return angle * angle / (dimensions - 1);
}

/* The variance of what angles change by over `lag` steps, in the mean of some times. */
static double variance_of(dunlin_world *world, int dimensions, uint64_t lag) {
    static double first[MANY][3], later[MANY][3];
    enum { TIMES = 128 };
    test_random random = {.state = lag};
    double sum = 0;
    for (uint64_t n = 0; n < TIMES; n++) {
        const uint64_t step = test_below(&random, 1000000);
        set_step(world, step);
        read_directions(world, first);
        set_step(world, step + lag);
        read_directions(world, later);
        for (int i = 0; i < MANY; i++) sum += change2_between(dimensions, first[i], later[i]);
    }
    return sum / MANY / TIMES;
}

/*
 * The variance of changes is that of a walk of independent steps, uniform in ±change. Over times that are not long against a
 * part of a bridge it is less, because angles turn evenly within parts. In 3D it is 0.6 to 0.8 of that, because it depends on
 * how long the vector is.
 */
TEST_EACH(angles_take_a_random_walk, number, 0, 8) {
    static const float changes[] = {0.03f, 0.1f, 0.3f, 0.9f};
    const int dimensions = 2 + number % 2;
    const double change = (double)changes[number / 2],
                 part = (dimensions == 2 ? 2 * pi * pi / 256 : 6.0 / 16) / (change * change);
    const double least = dimensions == 2 ? 0.95 : 0.6, most = dimensions == 2 ? 1.05 : 0.8;
    dunlin_world *world = crowd(dimensions, (float)change, 0);
    for (uint64_t lag = 1; lag <= 1000 && (double)lag * change * change < 1; lag *= 10) {
        const double steps = (double)lag, h = part / steps, even = h <= 1 ? 1 - h / 3 : (1 - 1 / (3 * h)) / h;
        const double variance = variance_of(world, dimensions, lag);
        print_message("%dD, change %g, lag %g: %.4f of the walk's variance; with even turns %.4f\n", dimensions, change, steps,
                      variance / (steps * change * change / 3), even);
        assert_true(variance >= least * even * steps * change * change / 3 &&
                    variance <= most * even * steps * change * change / 3);
    }
}

/* The sketch of exercise 5.4, in binary64 and with random numbers of its own. */
typedef struct vehicle {
    double velocity[3], e[3]; /* in 2D e[0] is the angle, in turns */
} vehicle;

/* The direction e, after its walk's next step: in 3D to a place around it. */
static void sketch_walk(vehicle *v, const double h[3], int dimensions, test_random *random, double e[3]) {
    if (dimensions == 2) {
        v->e[0] += (double)test_uniform(random, -0.3f, 0.3f) / (2 * pi);
        turn_left(h, v->e[0], e);
        return;
    }
    for (int a = 0; a < 3; a++) v->e[a] += (double)test_uniform(random, -0.3f, 0.3f);
    unit(v->e);
    memcpy(e, v->e, sizeof v->e);
}

static void sketch_step(vehicle *v, int dimensions, test_random *random) {
    double h[3], e[3], u[3], length = 0, speed = 0;
    memcpy(h, v->velocity, sizeof h);
    unit(h);
    sketch_walk(v, h, dimensions, random, e);
    for (int a = 0; a < 3; a++) u[a] = 80 * h[a] + 25 * e[a];
    unit(u);
    for (int a = 0; a < 3; a++) u[a] = 2 * u[a] - v->velocity[a];
    for (int a = 0; a < 3; a++) length += u[a] * u[a];
    for (int a = 0; a < 3; a++) v->velocity[a] += u[a] * fmin(1, 0.05 / sqrt(length));
    for (int a = 0; a < 3; a++) speed += v->velocity[a] * v->velocity[a];
    for (int a = 0; a < 3; a++) v->velocity[a] *= fmin(1, 2 / sqrt(speed));
}

enum { LAGS = 4, WARM_UP = 200 };
static const int lags[LAGS] = {10, 50, 100, 150};

/* Adds the cosines of the angles between two velocities of each agent. */
static double mean_cosine(double before[MANY][3], double after[MANY][3]) {
    double sum = 0;
    for (int i = 0; i < MANY; i++) {
        unit(before[i]);
        unit(after[i]);
        for (int a = 0; a < 3; a++) sum += before[i][a] * after[i][a] / MANY;
    }
    return sum;
}

static void curve_of_sketch(int dimensions, double curve[LAGS]) {
    static vehicle vehicles[MANY];
    static double before[MANY][3], after[MANY][3];
    test_random random = {.state = 54};
    for (int i = 0; i < MANY; i++) {
        vehicles[i] = (vehicle){.velocity = {2, 0, 0}};
        for (int a = 0; a < dimensions; a++) vehicles[i].e[a] = (double)test_uniform(&random, 0.1f, 1);
    }
    for (int step = 1, n = 0; n < LAGS; step++) {
        for (int i = 0; i < MANY; i++) {
            sketch_step(&vehicles[i], dimensions, &random);
            memcpy(step == WARM_UP ? before[i] : after[i], vehicles[i].velocity, sizeof *after);
        }
        if (step == WARM_UP + lags[n]) curve[n++] = mean_cosine(before, after);
    }
}

static void read_velocities(const dunlin_world *world, double out[MANY][3]) {
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < MANY; i++)
        for (int a = 0; a < 3; a++) out[view.id[i]][a] = view.velocity[a] ? (double)view.velocity[a][i] : 0.0;
}

static void curve_of_wander(int dimensions, double curve[LAGS]) {
    static double before[MANY][3], after[MANY][3];
    scene s = wanderers(dimensions, 80, 25, 0.3f);
    s.species.max_speed = 2;
    s.species.max_force = 0.05f;
    dunlin_world *world = world_with(&s);
    for (int i = 0; i < MANY; i++) world_spawn(world, 0, (const float[3]){0}, (const float[]){2, 0, 0});
    world_run(world, WARM_UP);
    read_velocities(world, before);
    for (int n = 0, step = 0; n < LAGS; step = lags[n++]) {
        world_run(world, lags[n] - step);
        read_velocities(world, after);
        curve[n] = mean_cosine(before, after);
    }
}

/*
 * How a heading changes: in 2D what the sketch gave others, in a run of theirs, too. Cosines have a standard deviation of at
 * most 1, and two means of MANY differ by less than five of theirs. In 3D there is no sketch: Reynolds' vector on a sphere
 * forgets its direction a little later.
 */
TEST_EACH(headings_change_as_in_the_sketch, dimensions, 2, 4) {
    static const double published[LAGS] = {0.97, 0.53, -0.11, -0.28};
    const double most = dimensions == 2 ? 5 * sqrt(2.0 / MANY) : 0.15;
    double sketch[LAGS], ours[LAGS];
    curve_of_sketch(dimensions, sketch);
    curve_of_wander(dimensions, ours);
    for (int n = 0; n < LAGS; n++) {
        print_message("%dD, after %d steps: mean cosine %.3f; the sketch's %.3f\n", dimensions, lags[n], ours[n], sketch[n]);
        assert_true(fabs(ours[n] - sketch[n]) <= most);
        if (dimensions == 2) assert_true(fabs(ours[n] - published[n]) <= 5 * sqrt(1.0 / MANY));
    }
}

/*
 * A component c of a uniform direction in d dimensions has mean 0 and variance 1/d; c² has mean 1/d and variance 1/8 (2D) or
 * 4/45 (3D); the product of two components has mean 0 and a variance below that. Five standard deviations of the mean of MANY.
 */
static void check_isotropy(double e[MANY][3], int dimensions) {
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

/* Early and late in blocks, of which one has 219 steps. */
TEST_EACH(all_directions_are_equally_likely, dimensions, 2, 4) {
    static double e[MANY][3];
    dunlin_world *world = crowd(dimensions, 0.3f, 0);
    for (uint64_t step = 0; step < 500; step += 19) {
        set_step(world, step);
        read_directions(world, e);
        for (int i = 0; i < MANY; i++) unit(e[i]);
        check_isotropy(e, dimensions);
    }
}

/* However an agent headed at first. */
TEST_EACH(all_headings_become_equally_likely, dimensions, 2, 4) {
    static double v[MANY][3];
    scene s = wanderers(dimensions, 80, 25, 0.3f);
    s.species.max_speed = 2;
    s.species.max_force = 0.05f;
    dunlin_world *world = world_with(&s);
    for (int i = 0; i < MANY; i++) world_spawn(world, 0, (const float[3]){0}, (const float[]){2, 0, 0});
    world_run(world, 1500);
    read_velocities(world, v);
    for (int i = 0; i < MANY; i++) unit(v[i]);
    check_isotropy(v, dimensions);
}

/* The mean product of independent directions is 0, its terms' variance 1/d. */
static void check_independence(double a[MANY][3], double b[MANY][3], int dimensions) {
    double mean = 0;
    for (int i = 0; i < MANY; i++)
        for (int c = 0; c < 3; c++) mean += a[i][c] * b[i][c] / MANY;
    assert_true(fabs(mean) <= 5 * sqrt(1.0 / dimensions / MANY));
}

/* Two behaviours; two steps, where each has new angles; neighbours by id. */
TEST_EACH(directions_are_independent, dimensions, 2, 4) {
    static double first[MANY][3], second[MANY][3], later[MANY][3];
    read_directions(crowd(dimensions, 3.14159274f, 1), second);
    dunlin_world *world = crowd(dimensions, 3.14159274f, 0);
    read_directions(world, first);
    check_independence(first, second, dimensions);
    read_directions(world, later);
    check_independence(first, later, dimensions);
    memmove(later, first + 1, sizeof later - sizeof *later);
    check_independence(first, later, dimensions);
}
