/* SPDX-License-Identifier: MIT */
/*
 * The harness' baselines follow the bench's rules: they are compared with the oracle, as kernels are, and with the scalar
 * kernel's world.
 */
#include "harness/measure/baseline.h"
#include "tests/lib/oracle.h"
#include "tests/lib/support.h"

enum { MOST = 2000, AXES = 3, COARSE = 16 };

/* ---- flocks ------------------------------------------------------------------------------------------------------------ */

typedef struct state {
    float position[AXES][MOST], velocity[AXES][MOST];
} state;

static state start_state;

/*
 * Agents on a lattice of `steps` points a world unit, a power of two: all offsets are exact, so that who is seen is no matter
 * of rounding, and with few steps many agents meet exactly on a radius, on a cell's edge, or at one point.
 */
static bench_start lattice_start(int dimensions, uint32_t agents, float side, uint32_t steps, uint64_t seed) {
    test_random random = {seed};
    bench_start start = {.workload = {.dimensions = dimensions, .agents = agents, .neighbours = 1}, .side = side};
    assert_true(agents <= MOST && fmodf(side * (float)steps, 1.0f) == 0.0f);
    for (int a = 0; a < dimensions; a++) {
        for (uint32_t i = 0; i < agents; i++) {
            start_state.position[a][i] = (float)test_below(&random, (uint32_t)(side * (float)steps)) / (float)steps;
            if (steps <= COARSE && i % 8 == 1) start_state.position[a][i] = start_state.position[a][i - 1];
            start_state.velocity[a][i] = test_uniform(&random, -0.055f, 0.055f);
        }
        start.position[a] = start_state.position[a];
        start.velocity[a] = start_state.velocity[a];
    }
    return start;
}

static void read_baseline(const baseline *flock, state *to) {
    baseline_read(flock, (float *const[3]){to->position[0], to->position[1], to->position[2]},
                  (float *const[3]){to->velocity[0], to->velocity[1], to->velocity[2]});
}

static baseline *create(const bench_start *start, baseline_kind kind, int threads) {
    baseline *flock;
    dunlin_error error;
    if (baseline_create(start, kind, threads, &flock, &error) != DUNLIN_OK) fail_msg("%s", error.message);
    return flock;
}

/* ---- what must come out ------------------------------------------------------------------------------------------------ */

/* An agent after a step, and how far rounding may lead binary32 from there. */
typedef struct expectation {
    double position[AXES], velocity[AXES];
    double position_error, velocity_error;
    uint32_t seen;
    bool is_ambiguous; /* an agent is so near to a radius that rounding decides whether it is seen */
} expectation;

static oracle_scene scene_of(const bench_start *start, const state *before) {
    oracle_scene scene = {.dimensions = start->workload.dimensions,
                          .periodic = true,
                          .count = start->workload.agents,
                          .radius = {bench_separation_radius, bench_radius, bench_radius},
                          .falloff = ORACLE_INVERSE};
    for (int a = 0; a < scene.dimensions; a++) {
        scene.size[a] = start->side;
        scene.position[a] = before->position[a];
        scene.velocity[a] = before->velocity[a];
    }
    return scene;
}

static double length(const double v[AXES]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Whether the way from one to the other crosses the seam. */
static bool crosses_seam(const oracle_scene *scene, uint32_t a, uint32_t b) {
    for (int axis = 0; axis < scene->dimensions; axis++) {
        const double difference = (double)scene->position[axis][a] - (double)scene->position[axis][b];
        if (fabs(difference) > 0.5 * (double)scene->size[axis]) return true;
    }
    return false;
}

/*
 * What rounding of offsets does to the sums. Across the seam an image's position is rounded and so are offsets to it, by
 * `seam_error` in all; elsewhere offsets are the oracle's. Δ/d² is off by three times that over d², to first order, and
 * who is within that of a radius may be seen or not.
 */
static void add_seam_errors(const oracle_scene *scene, uint32_t self, double seam_error, double sum_error[ORACLE_RULES],
                            expectation *want) {
    const float at[AXES] = {scene->position[0][self], scene->position[1][self],
                            scene->dimensions == 3 ? scene->position[2][self] : 0.0f};
    for (uint32_t j = 0; j < scene->count; j++) {
        float delta[AXES];
        if (j == self || seam_error == 0.0 || !crosses_seam(scene, self, j)) continue;
        const double d = sqrt((double)oracle_offset(scene, at, j, delta));
        for (int r = 0; r < ORACLE_RULES; r++) {
            const double radius = (double)scene->radius[r];
            if (fabs(d - radius) <= 4.0 * seam_error) want->is_ambiguous = true;
            if (d > radius || d == 0.0) continue;
            if (r == ORACLE_COHESION) sum_error[r] += 2.0 * seam_error;
            if (r == ORACLE_SEPARATION) sum_error[r] += 6.0 * seam_error / (d * d);
        }
    }
}

/*
 * A response is the sum's direction at max_speed, minus the velocity, brought into the ball of max_force, which brings no two
 * points further apart. A direction turns by less than 2·error/length. Nothing can be off by more than the ball is wide.
 */
static double response_error(const oracle_sum *sum, double sum_error, double weight) {
    double most = 0.0;
    for (int a = 0; a < AXES; a++) most += sum->terms[a];
    const double rounding = (oracle_bound(sum->count) + 2.0) * ORACLE_U * most + sum_error;
    const double speed = (double)bench_max_speed, force = (double)bench_max_force, sum_length = length(sum->sum);
    const double turned = sum_length > 0.0 ? 2.0 * speed * rounding / sum_length : rounding > 0.0 ? HUGE_VAL : 0.0;
    return fabs(weight) * fmin(2.0 * force, turned + 16.0 * ORACLE_U * (speed + force));
}

static double add_responses(const oracle_view *view, const float velocity[AXES], int dimensions,
                            const double sum_error[ORACLE_RULES], double force[AXES]) {
    const double weights[ORACLE_RULES] = {(double)bench_separation_weight, 1.0, (double)bench_cohesion_weight};
    double error = 0.0;
    for (int r = 0; r < ORACLE_RULES; r++) {
        const oracle_sum *sum = &view->rule[r];
        const oracle_response response = {.dimensions = dimensions,
                                          .steer = true,
                                          .weight = weights[r],
                                          .max_speed = (double)bench_max_speed,
                                          .limit = (double)bench_max_force};
        const float rounded[AXES] = {(float)sum->sum[0], (float)sum->sum[1], (float)sum->sum[2]};
        double unwanted;
        oracle_respond(&response, rounded, (int32_t)sum->count, velocity, force, &unwanted);
        error += response_error(sum, sum_error[r], weights[r]);
    }
    return error;
}

static void move(const float position[AXES], const float velocity[AXES], const double force[AXES], double force_error,
                 const oracle_scene *scene, expectation *want) {
    const oracle_motion motion = {.dimensions = scene->dimensions,
                                  .time_step = 1.0,
                                  .force_scale = 1.0,
                                  .min_speed = (double)bench_min_speed,
                                  .max_speed = (double)bench_max_speed};
    const float rounded[AXES] = {(float)force[0], (float)force[1], (float)force[2]};
    double unwanted, side = (double)scene->size[0], sum[AXES] = {0};
    bool turns;
    oracle_move(&motion, position, velocity, rounded, want->position, want->velocity, &unwanted);
    for (int a = 0; a < scene->dimensions; a++) {
        sum[a] = (double)velocity[a] + force[a];
        want->position[a] = oracle_bound_axis(ORACLE_PERIODIC, side, 0.0, want->position[a], &turns);
    }
    /* Bringing a slow agent to min_speed stretches its error, too; bringing a fast one to max_speed does not. */
    const double stretch = fmax(1.0, (double)bench_min_speed / fmax(length(sum) - force_error, 1e-9));
    want->velocity_error = stretch * (force_error + 16.0 * ORACLE_U * (double)bench_max_speed);
    want->position_error = want->velocity_error + 2.0 * ORACLE_U * side;
}

static expectation expect(const bench_start *start, const state *before, uint32_t agent, double seam_error) {
    const oracle_scene scene = scene_of(start, before);
    float position[AXES] = {0}, velocity[AXES] = {0};
    for (int a = 0; a < scene.dimensions; a++) {
        position[a] = before->position[a][agent];
        velocity[a] = before->velocity[a][agent];
    }
    const oracle_view view = oracle_look(&scene, position, agent);
    expectation want = {.seen = view.seen};
    double force[AXES] = {0}, sum_error[ORACLE_RULES] = {0};
    add_seam_errors(&scene, agent, seam_error, sum_error, &want);
    const double force_error = add_responses(&view, velocity, scene.dimensions, sum_error, force);
    move(position, velocity, force, force_error, &scene, &want);
    return want;
}

/* ---- holding to it ----------------------------------------------------------------------------------------------------- */

/* The used share of the error that rounding explains; above 1 is a mistake. */
static double used_up(const bench_start *start, const expectation *want, const state *got, uint32_t agent) {
    double most = 0.0;
    for (int a = 0; a < start->workload.dimensions; a++) {
        double off = fabs((double)got->position[a][agent] - want->position[a]);
        off = fmin(off, (double)start->side - off); /* both sides of the seam are near each other */
        most = fmax(most, off / want->position_error);
        most = fmax(most, fabs((double)got->velocity[a][agent] - want->velocity[a]) / want->velocity_error);
        assert_true(got->position[a][agent] >= 0.0f && got->position[a][agent] < start->side);
    }
    return most;
}

typedef struct verdict {
    double worst;
    uint32_t agents, skipped, vague; /* vague: the bound is too wide to say much */
    uint64_t seen;
} verdict;

static verdict judge(const bench_start *start, const state *before, const state *after, double seam_error) {
    verdict found = {0};
    for (uint32_t i = 0; i < start->workload.agents; i++) {
        const expectation want = expect(start, before, i, seam_error);
        found.agents++;
        found.seen += want.seen;
        found.skipped += want.is_ambiguous;
        if (want.is_ambiguous) continue;
        found.vague += want.velocity_error > 1e-3 * (double)bench_max_speed;
        found.worst = fmax(found.worst, used_up(start, &want, after, i));
    }
    return found;
}

static void check(const verdict *found, const char *what) {
    if (found->worst > 1.0) fail_msg("%s: off by %.3g times what rounding explains", what, found->worst);
    /* The test must be able to fail. */
    if (found->skipped * 50 > found->agents || found->vague * 20 > found->agents + 20)
        fail_msg("%s: of %u agents %u skipped, %u with a vague bound", what, found->agents, found->skipped, found->vague);
}

/* ---- tests ------------------------------------------------------------------------------------------------------------- */

typedef struct shape {
    int dimensions;
    uint32_t agents;
    float side;
    uint32_t steps; /* lattice points a world unit */
} shape;

static const shape shapes[] = {
    {
        2,
        300,
        7.0f,
        1024,
    },
    {2, 2000, 18.0f, 1024},
    {2, 60, 3.0625f, 1024},
    {2, 400, 8.0f, 16},
    {2, 1, 4.0f, 64},
    {2, 2, 3.25f, 64},
    {2, 3, 3.25f, 4},
    {3, 400, 4.5f, 1024},
    {3, 150, 3.0625f, 1024},
    {3, 900, 6.0f, 16},
    {3, 1, 4.0f, 64},
    {3, 2, 3.25f, 4},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Loops over the baselines that run here, of which each processor has two: the scalar one and at least one of vectors. */
#define FOR_BASELINES(kind)                                                                                                    \
    for (baseline_kind kind = BASELINE_AOS; kind < BASELINES; kind++)                                                          \
        if (baseline_runs_here(kind))

static void check_one_step(const shape *s, baseline_kind kind) {
    static state after;
    const bench_start start = lattice_start(s->dimensions, s->agents, s->side, s->steps, s->agents);
    baseline *flock = create(&start, kind, 1);
    const baseline_stats stats = baseline_step(flock);
    read_baseline(flock, &after);
    const verdict found = judge(&start, &start_state, &after, 0.0);
    char what[80];
    snprintf(what, sizeof what, "%s, %dD, %u agents, side %g", baseline_name(kind), s->dimensions, s->agents, (double)s->side);
    print_message("%s: %.2f of the bound\n", what, found.worst);
    check(&found, what);
    assert_int_equal(stats.pairs_useful, found.seen);
    assert_true(stats.pairs_tested >= found.seen + s->agents);
    assert_true(stats.pairs_tested <= (uint64_t)s->agents * s->agents * 2); /* a whole row is a group that reaches around */
    baseline_destroy(flock);
}

TEST(one_step_equals_the_oracles) {
    for (int i = 0; i < SHAPES; i++) {
        FOR_BASELINES(kind) check_one_step(&shapes[i], kind);
    }
}

/* Each step starts where the last one ended, so off the lattice. An image's position is below twice the side. */
static void check_steps(int dimensions, uint32_t agents, float side, baseline_kind kind) {
    static state before, after;
    const bench_start start = lattice_start(dimensions, agents, side, 1024, 5);
    baseline *flock = create(&start, kind, 1);
    before = start_state;
    for (int step = 0; step < 6; step++) {
        char what[80];
        baseline_step(flock);
        read_baseline(flock, &after);
        const double seam_error = step == 0 ? 0.0 : 4.0 * ORACLE_U * (double)side;
        const verdict found = judge(&start, &before, &after, seam_error);
        snprintf(what, sizeof what, "%s, %dD, step %d", baseline_name(kind), dimensions, step);
        check(&found, what);
        before = after;
    }
    baseline_destroy(flock);
}

TEST(several_steps_equal_the_oracles) {
    FOR_BASELINES(kind) {
        check_steps(2, 500, 9.0f, kind);
        check_steps(3, 400, 4.5f, kind);
    }
}

static void read_world(const dunlin_world *world, int dimensions, state *to) {
    const dunlin_view view = dunlin_world_view(world, 0);
    for (int a = 0; a < dimensions; a++) {
        for (uint32_t i = 0; i < view.count; i++) {
            to->position[a][view.id[i]] = view.position[a][i];
            to->velocity[a][view.id[i]] = view.velocity[a][i];
        }
    }
}

/* Both are within the oracle's bound, so the kernel's world is measured against the same one. */
TEST(the_scalar_kernel_does_the_same) {
    static state after;
    for (int i = 0; i < SHAPES; i++) {
        const shape *s = &shapes[i];
        const bench_start start = lattice_start(s->dimensions, s->agents, s->side, s->steps, 7);
        dunlin_world *world;
        dunlin_error error;
        if (bench_world_make(&start, 1, "scalar", "grid", &world, &error) != DUNLIN_OK) fail_msg("%s", error.message);
        assert_int_equal(dunlin_world_step(world, &error), DUNLIN_OK);
        read_world(world, s->dimensions, &after);
        const verdict found = judge(&start, &start_state, &after, 0.0);
        check(&found, "the scalar kernel");
        FOR_BASELINES(kind) {
            baseline *flock = create(&start, kind, 1);
            assert_int_equal(baseline_step(flock).pairs_useful, dunlin_world_stats(world).pairs_useful);
            baseline_destroy(flock);
        }
        dunlin_world_destroy(world);
    }
}

TEST(threads_change_no_bit) {
    static state one, many;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        FOR_BASELINES(kind) {
            const bench_start start = lattice_start(dimensions, 700, 6.0f, 1024, 11);
            baseline *alone = create(&start, kind, 1), *shared = create(&start, kind, 3);
            for (int step = 0; step < 3; step++) {
                baseline_step(alone);
                baseline_step(shared);
            }
            read_baseline(alone, &one);
            read_baseline(shared, &many);
            for (int a = 0; a < dimensions; a++) {
                test_same_bits(many.position[a], one.position[a], 700, "positions");
                test_same_bits(many.velocity[a], one.velocity[a], 700, "velocities");
            }
            baseline_destroy(alone);
            baseline_destroy(shared);
        }
    }
}

TEST(narrow_worlds_have_no_grid) {
    baseline *flock;
    dunlin_error error;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const bench_start start = lattice_start(dimensions, 20, 3.0f, 64, 3);
        FOR_BASELINES(kind) {
            assert_int_equal(baseline_create(&start, kind, 1, &flock, &error), DUNLIN_ERROR_VALUE);
            assert_null(flock);
            assert_non_null(strstr(error.message, "side is 3"));
        }
    }
}

TEST(names_are_found) {
    baseline_kind widest = BASELINES;
    FOR_BASELINES(kind) {
        assert_int_equal(baseline_find(baseline_name(kind)), kind);
        widest = kind;
    }
    assert_int_equal(baseline_find("baseline-simd"), widest);
    assert_int_equal(baseline_find("baseline"), BASELINES);
    assert_int_equal(baseline_find("avx2"), BASELINES);
    assert_int_equal(baseline_find_twin("scalar"), BASELINES);
    assert_int_equal(baseline_find_twin("simd128"), BASELINE_SIMD128);
#if defined(__x86_64__)
    assert_int_equal(baseline_find_twin("avx2"), BASELINE_SIMD256);
    assert_int_equal(baseline_find_twin("avx512vl"), BASELINE_SIMD512);
#endif
}
