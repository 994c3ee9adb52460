/* SPDX-License-Identifier: MIT */
/* Every kernel against an oracle in binary64: counts exactly, sums within what rounding can explain. Prints the worst c. */
#include "tests/lib/test.h"
#include "tests/lib/flocks.h"

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* ---- sums over neighbours --------------------------------------------------------------------------------------------- */

/* The worst |got - want| / (u·Σ|terms|) so far, and how much of its bound that was. */
typedef struct worst_c {
    double c, share;
} worst_c;

static void check_sum(const oracle_sum *want, int axis, float got, worst_c *worst, const char *what) {
    const double error = fabs((double)got - want->sum[axis]);
    const double underflow = want->count * 0x1p-149;
    if (error <= underflow) return;
    const double c = error / (ORACLE_U * want->terms[axis]), bound = oracle_bound(want->count);
    worst->c = larger(worst->c, c);
    worst->share = larger(worst->share, c / bound);
    if (!(c <= bound))
        fail_msg("%s: %.9g instead of %.17g: c = %g, and %u terms explain %g", what, (double)got, want->sum[axis], c,
                 want->count, bound);
}

static void check_counts(const dun_shape *shape, const oracle_view *want, const dun_sums *got, uint32_t agent) {
    assert_int_equal(got->seen[agent], want->seen);
    if (shape->nested) {
        /* all rules share one count, except a separation with a smaller radius */
        if (shape->alignment) assert_int_equal(want->rule[ORACLE_ALIGNMENT].count, want->seen);
        if (shape->cohesion) assert_int_equal(want->rule[ORACLE_COHESION].count, want->seen);
        return;
    }
    assert_int_equal(got->aligned[agent], want->rule[ORACLE_ALIGNMENT].count);
    assert_int_equal(got->cohered[agent], want->rule[ORACLE_COHESION].count);
}

static void check_agent(const dun_shape *shape, const oracle_view *want, const dun_sums *got, uint32_t agent,
                        worst_c worst[ORACLE_RULES]) {
    check_counts(shape, want, got, agent);
    if (shape->nearest && want->seen) assert_true((double)got->nearest[agent] == (double)want->nearest_d2);
    for (int a = 0; a < shape->dimensions; a++) {
        if (shape->separation != DUN_PUSH_NONE)
            check_sum(&want->rule[ORACLE_SEPARATION], a, got->push[a][agent], &worst[ORACLE_SEPARATION], "separation");
        if (shape->alignment)
            check_sum(&want->rule[ORACLE_ALIGNMENT], a, got->velocity[a][agent], &worst[ORACLE_ALIGNMENT], "alignment");
        if (shape->cohesion)
            check_sum(&want->rule[ORACLE_COHESION], a, got->offset[a][agent], &worst[ORACLE_COHESION], "cohesion");
    }
}

/* The oracle's answers for all agents, the same for every kernel. */
static void look_all(const oracle_scene *scene, const flock *observer, bool own, oracle_view *views) {
    for (uint32_t i = 0; i < observer->count; i++) {
        float at[3] = {0.0f};
        for (int a = 0; a < scene->dimensions; a++) at[a] = observer->position[a].at[i];
        views[i] = oracle_look(scene, at, own ? i : ORACLE_NOBODY);
    }
}

enum { MOST_AGENTS = 900 };
static oracle_view views[MOST_AGENTS];
static worst_c worst_sums[16][4][ORACLE_RULES]; /* by kernel and dun_push */

static void check_interaction(const dun_interact *in, const flock *observer, uint32_t observed, bool periodic) {
    const oracle_scene scene = flock_scene(in, observed, periodic);
    const dun_range range = {0, observed, periodic ? DUN_ALL_AXES : 0, 0};
    look_all(&scene, observer, in->own, views);
    flock_sums sums = flock_sums_new(observer->count);
    for (int k = 0; k < test_kernel_count(); k++) {
        flock_sum(test_kernel(k), in, 0, observer->count, &range, observed > 0, &sums);
        for (uint32_t i = 0; i < observer->count; i++)
            check_agent(&in->shape, &views[i], &sums.sums, i, worst_sums[k][in->shape.separation]);
    }
    flock_sums_free(&sums);
}

static void check_layout(flock_layout layout, uint32_t count, int variant) {
    const int dimensions = 2 + (variant & 1);
    test_random random = {.state = (uint64_t)layout * 100 + (uint64_t)variant};
    flock observer = flock_new(layout, dimensions, count, &random),
          observed = flock_new(layout, dimensions, count / 2, &random);
    const flock *others = variant & 2 ? &observer : &observed;
    for (int shape = 0; shape < FLOCK_SHAPES; shape++) {
        dun_interact in = flock_interact(&observer, others, flock_shape(dimensions, shape));
        in.ignore_coincident = variant & 4;
        check_interaction(&in, &observer, others->count, variant & 8);
    }
    flock_free(&observer);
    flock_free(&observed);
}

static void print_worst(void) {
    static const char *const rules[] = {"separation, ", "alignment", "cohesion"};
    static const char *const pushes[] = {"none", "inverse", "linear", "constant"};
    for (int k = 0; k < test_kernel_count(); k++) {
        for (int p = 0; p < 4; p++) {
            for (int r = 0; r < ORACLE_RULES; r++) {
                const worst_c *w = &worst_sums[k][p][r];
                if (r == ORACLE_SEPARATION ? p > 0 : p == 0)
                    print_message("%-15s %-13s%-9s worst c %7.2f, %4.1f %% of what its terms explain\n", test_kernel(k)->name,
                                  rules[r], r == ORACLE_SEPARATION ? pushes[p] : "", w->c, 100.0 * w->share);
            }
        }
    }
}

TEST(test_sums_agree) {
    for (int layout = 0; layout < FLOCK_LAYOUTS; layout++)
        for (int variant = 0; variant < 16; variant++) check_layout((flock_layout)layout, TEST_EFFORT(60, 80, 120), variant);
    for (int variant = 0; variant < 16; variant += 5) check_layout(FLOCK_SPREAD, TEST_SLOW ? 300 : MOST_AGENTS, variant);
    print_worst();
}

/*
 * A binary32 offset is one subtraction, rounded once, and another one across a seam. Each is rounded by at most u of its
 * result.
 */
TEST(test_offsets_are_near_the_exact_ones) {
    test_random random = {.state = 5};
    double worst = 0.0;
    for (int layout = 0; layout < FLOCK_LAYOUTS; layout++) {
        for (int periodic = 0; periodic < 2; periodic++) {
            /* images exist only in a world that agents are inside */
            if (periodic && (layout == FLOCK_FAR || layout == FLOCK_VERY_FAR)) continue;
            flock f = flock_new((flock_layout)layout, 3, 60, &random);
            const dun_interact in = flock_interact(&f, &f, flock_shape(3, 18));
            const oracle_scene scene = flock_scene(&in, f.count, periodic);
            for (uint32_t pair = 0; pair < 3 * f.count * f.count; pair++) {
                const uint32_t i = pair / 3 / f.count, j = pair / 3 % f.count;
                const float at[3] = {f.position[0].at[i], f.position[1].at[i], f.position[2].at[i]};
                worst = larger(worst, oracle_offset_error(&scene, at, j, (int)(pair % 3)));
            }
            flock_free(&f);
        }
    }
    print_message("offsets: worst c %.2f of 1\n", worst);
    assert_true(worst <= 1.0);
}

/* ---- responses -------------------------------------------------------------------------------------------------------- */

enum { AGENTS = 600 };

typedef struct columns {
    test_array axis[3];
} columns;

static columns columns_new(test_random *random, float reach) {
    columns made;
    for (int a = 0; a < 3; a++) made.axis[a] = test_array_new(AGENTS);
    for (uint32_t i = 0; i < AGENTS; i++) {
        const bool zero = i % 7 == 0;
        const float scale = reach * ldexpf(1.0f, -(int)test_below(random, 12));
        for (int a = 0; a < 3; a++) made.axis[a].at[i] = zero ? 0.0f : scale * test_uniform(random, -1.0f, 1.0f);
    }
    return made;
}

static void columns_free(columns *c) {
    for (int a = 0; a < 3; a++) test_array_free(&c->axis[a]);
}

static void agent_of(const columns *c, uint32_t agent, float v[3]) {
    for (int a = 0; a < 3; a++) v[a] = c->axis[a].at[agent];
}

/*
 * Of a response's length: the wanted vector takes 1.5 (a squared length, halved by the root) + 3 (√, /, ·), the difference from
 * the velocity 3, all of that twice where it is cut to the limit; cutting, weighing and adding take 7.5.
 */
static const double respond_bound = 2.0 * (4.5 + 3.0) + 7.5;

static dun_respond random_rule(test_random *random) {
    const bool limited = test_below(random, 2);
    return (dun_respond){.dimensions = 2 + (int)test_below(random, 2),
                         .steer = test_below(random, 2),
                         .average = test_below(random, 2),
                         .minus_velocity = test_below(random, 2),
                         .weight = {.all = test_uniform(random, -3.0f, 3.0f)},
                         .max_speed = {.all = test_uniform(random, 0.1f, 5.0f)},
                         .limit = {.all = limited ? test_uniform(random, 0.0f, 4.0f) : INFINITY},
                         .in_turn = test_below(random, 2) ? test_uniform(random, 0.0f, 1.0f) : 0.0f};
}

static double check_respond(dun_respond job, const columns in[3], const int32_t *seen) {
    const oracle_response rule = {job.dimensions,
                                  job.steer,
                                  job.average,
                                  job.minus_velocity,
                                  (double)job.weight.all,
                                  (double)job.max_speed.all,
                                  (double)job.limit.all,
                                  (double)job.in_turn};
    test_array force[3];
    double worst = 0.0;
    job.seen = seen;
    for (int a = 0; a < 3; a++) {
        force[a] = test_array_new(AGENTS);
        memcpy(force[a].at, in[2].axis[a].at, AGENTS * sizeof(float));
        job.sum[a] = in[0].axis[a].at;
        job.velocity[a] = in[1].axis[a].at;
        job.force[a] = force[a].at;
    }
    test_kernel(0)->respond(&job, AGENTS);
    for (uint32_t i = 0; i < AGENTS; i++) {
        float sum[3], velocity[3];
        agent_of(&in[0], i, sum);
        agent_of(&in[1], i, velocity);
        double want[3] = {0}, size;
        for (int a = 0; a < job.dimensions; a++) want[a] = (double)in[2].axis[a].at[i];
        oracle_respond(&rule, sum, seen[i], velocity, want, &size);
        for (int a = 0; a < job.dimensions; a++) {
            const double error = fabs((double)force[a].at[i] - want[a]);
            if (error > 0x1p-140) worst = larger(worst, error / (ORACLE_U * size));
        }
    }
    for (int a = 0; a < 3; a++) test_array_free(&force[a]);
    return worst;
}

TEST(test_responses_agree) {
    test_random random = {.state = 7};
    double worst = 0.0;
    int32_t seen[AGENTS + DUN_PADDING];
    for (int round = 0; round < TEST_ROUNDS(400); round++) {
        columns in[3] = {columns_new(&random, 50.0f), columns_new(&random, 4.0f), columns_new(&random, 4.0f)};
        for (uint32_t i = 0; i < AGENTS; i++) seen[i] = (int32_t)(i % 7 ? 1 + test_below(&random, 90) : 0);
        worst = larger(worst, check_respond(random_rule(&random), in, seen));
        for (int c = 0; c < 3; c++) columns_free(&in[c]);
    }
    print_message("respond: worst c %.2f of %.1f\n", worst, respond_bound);
    assert_true(worst <= respond_bound);
}

/* ---- motion ----------------------------------------------------------------------------------------------------------- */

/* Velocity: 2 for the sum, twice where it is brought to a limit; √, / and three products, 6. Friction rounds a part of that
 * speed again, and stays within. Position: 3 more, of itself. */
static const double motion_bound = 2.0 * 2.0 + 6.0;

static dun_integrate random_motion(test_random *random) {
    const float low = test_below(random, 2) ? test_uniform(random, 0.0f, 1.0f) : 0.0f;
    return (dun_integrate){.dimensions = 2 + (int)test_below(random, 2),
                           .time_step = test_uniform(random, 0.01f, 2.0f),
                           .force_scale = test_uniform(random, 0.01f, 2.0f),
                           .min_speed = low,
                           .max_speed = {.all = low + test_uniform(random, 0.0f, 3.0f)},
                           .keep = 1.0f - 0.125f * (float)test_below(random, 9),
                           .friction = test_below(random, 2) ? test_uniform(random, 0.0f, 1.0f) : 0.0f,
                           .explicit_motion = test_below(random, 2)};
}

static double check_motion(dun_integrate job, const columns in[3]) {
    const oracle_motion motion = {job.dimensions,
                                  (double)job.time_step,
                                  (double)job.force_scale,
                                  (double)job.min_speed,
                                  (double)job.max_speed.all,
                                  1.0 - (double)job.keep,
                                  (double)job.friction / (double)job.time_step,
                                  job.explicit_motion};
    columns to[2];
    double worst = 0.0;
    for (int a = 0; a < 3; a++) {
        for (int c = 0; c < 2; c++) to[c].axis[a] = test_array_new(AGENTS);
        job.position[a] = in[0].axis[a].at, job.velocity[a] = in[1].axis[a].at, job.force[a] = in[2].axis[a].at;
        job.to_position[a] = to[0].axis[a].at, job.to_velocity[a] = to[1].axis[a].at;
    }
    test_kernel(0)->integrate(&job, AGENTS);
    for (uint32_t i = 0; i < AGENTS; i++) {
        float position[3], velocity[3], force[3];
        agent_of(&in[0], i, position), agent_of(&in[1], i, velocity), agent_of(&in[2], i, force);
        double x[3], v[3], size;
        oracle_move(&motion, position, velocity, force, x, v, &size);
        for (int a = 0; a < job.dimensions; a++) {
            const double moved = fabs((double)position[a]) + motion.time_step * (size + fabs((double)velocity[a]));
            worst = larger(worst, fabs((double)to[1].axis[a].at[i] - v[a]) / (ORACLE_U * size + 0x1p-140));
            worst = larger(worst, fabs((double)to[0].axis[a].at[i] - x[a]) / (ORACLE_U * moved + 0x1p-140) - 3.0);
        }
    }
    for (int c = 0; c < 2; c++) columns_free(&to[c]);
    return worst;
}

TEST(test_motion_agrees) {
    test_random random = {.state = 8};
    double worst = 0.0;
    for (int round = 0; round < TEST_ROUNDS(400); round++) {
        columns in[3] = {columns_new(&random, 100.0f), columns_new(&random, 4.0f), columns_new(&random, 4.0f)};
        worst = larger(worst, check_motion(random_motion(&random), in));
        for (int c = 0; c < 3; c++) columns_free(&in[c]);
    }
    print_message("integrate: worst c %.2f of %.1f\n", worst, motion_bound);
    assert_true(worst <= motion_bound);
}

/* ---- edges ------------------------------------------------------------------------------------------------------------ */

static const float sizes[3] = {10.0f, 0.3f, 1000.0f};

/* Up to one world outside, often exactly on an edge or beside it. */
static float near_edge(test_random *random, int axis, float margin) {
    const float size = sizes[axis], some[] = {0.0f, -0.0f, size, -margin, size + margin, 0x1p-149f, -0x1p-149f, 0.5f * size};
    const uint32_t choice = test_below(random, 24);
    return choice < 8 ? test_nudge(random, some[choice], 2) : test_uniform(random, -0.9f * size, 1.9f * size);
}

static void check_edge(dun_edge edge, float margin, int axis, float before, float after, float v) {
    bool turns;
    const double size = (double)sizes[axis];
    const double want = oracle_bound_axis((oracle_edge)edge, size, (double)margin, (double)before, &turns);
    /* one rounding of a sum below 2·size; the largest number in a periodic world is the one before its size */
    if (!(fabs((double)after - want) <= 2.0 * ORACLE_U * size))
        fail_msg("edge %d: %.9g of %g goes to %.9g instead of %.17g", (int)edge, (double)before, size, (double)after, want);
    if (v != (turns ? -1.5f : 1.5f))
        fail_msg("edge %d: at %.9g of %g the velocity turns wrongly", (int)edge, (double)before, size);
}

TEST_EACH(test_edges_agree, round, 0, 5 * TEST_ROUNDS(100)) {
    static test_random random = {.state = 9};
    const dun_edge edge = (dun_edge)(round % 6);
    const bool mixed = edge == DUN_EDGE_MIXED, teleports = mixed || edge == DUN_EDGE_TELEPORT;
    const float margin = teleports ? 0.125f * (float)test_below(&random, 3) : 0.0f;
    dun_integrate job = {.dimensions = 3, .edge = edge, .size = {sizes[0], sizes[1], sizes[2]}, .margin = margin};
    for (int a = 0; a < 3; a++) job.edges[a] = mixed ? (dun_edge)test_below(&random, DUN_EDGE_MIXED) : edge;
    columns x = columns_new(&random, 0.0f), before = columns_new(&random, 0.0f), v = columns_new(&random, 0.0f);
    for (int a = 0; a < 3; a++) {
        for (uint32_t i = 0; i < AGENTS; i++) {
            before.axis[a].at[i] = x.axis[a].at[i] = near_edge(&random, a, margin);
            v.axis[a].at[i] = 1.5f;
        }
        job.to_position[a] = x.axis[a].at;
        job.to_velocity[a] = v.axis[a].at;
    }
    test_kernel(0)->bound(&job, AGENTS);
    for (uint32_t i = 0; i < 3 * AGENTS; i++) {
        const uint32_t a = i % 3, agent = i / 3;
        check_edge(job.edges[a], margin, (int)a, before.axis[a].at[agent], x.axis[a].at[agent], v.axis[a].at[agent]);
    }
    columns_free(&x);
    columns_free(&before);
    columns_free(&v);
}
