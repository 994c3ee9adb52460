/* SPDX-License-Identifier: MIT */
/* respond, behaviours, integrate and bound: every kernel gives the bits of the scalar reference, and writes only where it may.
 */
#include "tests/lib/support.h"

/* Columns of three axes, with one agent per slot. */
typedef struct vectors {
    test_array axis[3];
} vectors;

/* Difficult numbers among ordinary ones: zeros of both signs, denormals, lengths whose squares overflow or underflow. */
static float awkward(test_random *random) {
    static const float some[] = {0.0f, -0.0f, 1.0f, -1.0f, 0x1p-149f, -0x1p-130f, 0x1p-70f, 1e9f, -1e9f, 1e19f, -3e25f, 1e-10f};
    const uint32_t choice = test_below(random, 30);
    return choice < 12 ? some[choice] : test_uniform(random, -3.0f, 3.0f);
}

/* Every fifth vector is 0. */
static vectors vectors_new(uint32_t count, test_random *random, float (*draw)(test_random *random)) {
    vectors made;
    for (int a = 0; a < 3; a++) made.axis[a] = test_array_new(count);
    for (uint32_t i = 0; i < count; i++) {
        const bool zero = test_below(random, 5) == 0;
        for (int a = 0; a < 3; a++) made.axis[a].at[i] = zero ? 0.0f : draw(random);
    }
    return made;
}

static vectors vectors_copy(const vectors *from) {
    vectors made;
    for (int a = 0; a < 3; a++) {
        made.axis[a] = test_array_new(from->axis[a].count);
        memcpy(made.axis[a].at, from->axis[a].at, from->axis[a].count * sizeof(float));
    }
    return made;
}

static void vectors_free(vectors *v) {
    for (int a = 0; a < 3; a++) test_array_free(&v->axis[a]);
}

static void vectors_point(float *to[3], const vectors *v) {
    for (int a = 0; a < 3; a++) to[a] = v->axis[a].at;
}

static void vectors_point_const(const float *to[3], const vectors *v) {
    for (int a = 0; a < 3; a++) to[a] = v->axis[a].at;
}

static void vectors_same(const vectors *got, const vectors *want, const char *kernel, const char *what) {
    for (int a = 0; a < 3; a++) {
        char name[128];
        snprintf(name, sizeof name, "%s: %s %c", kernel, what, "xyz"[a]);
        test_same_bits(got->axis[a].at, want->axis[a].at, want->axis[a].count, name);
        test_array_check(&got->axis[a]);
    }
}

static const uint32_t counts[] = {0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 50};

/* ---- respond ---------------------------------------------------------------------------------------------------------- */

typedef struct response {
    vectors sum, velocity, force;
    test_array seen;
} response;

static response response_new(uint32_t count, test_random *random) {
    response made = {.sum = vectors_new(count, random, awkward), .velocity = vectors_new(count, random, awkward)};
    made.force = vectors_new(count, random, awkward);
    made.seen = test_array_new(count);
    for (uint32_t i = 0; i < count; i++) ((int32_t *)made.seen.at)[i] = (int32_t)(i % 3 ? test_below(random, 100000) : 0);
    return made;
}

static void response_free(response *r) {
    vectors_free(&r->sum);
    vectors_free(&r->velocity);
    vectors_free(&r->force);
    test_array_free(&r->seen);
}

static void compare_respond(dun_respond job, const response *in, uint32_t count) {
    vectors_point_const(job.sum, &in->sum);
    vectors_point_const(job.velocity, &in->velocity);
    job.seen = (const int32_t *)in->seen.at;
    vectors want = vectors_copy(&in->force);
    vectors_point(job.force, &want);
    test_kernel(0)->respond(&job, count);
    for (int k = 0; k < test_kernel_count(); k++) {
        vectors got = vectors_copy(&in->force);
        vectors_point(job.force, &got);
        test_kernel(k)->respond(&job, count);
        vectors_same(&got, &want, test_kernel(k)->name, "force");
        if (job.dimensions == 2) test_same_bits(got.axis[2].at, in->force.axis[2].at, count, "the third axis of a 2D world");
        vectors_free(&got);
    }
    vectors_free(&want);
}

TEST(test_respond_has_the_same_bits) {
    static const float speeds[] = {1e9f, 0.0f, 2.0f, 2.0f, 2.0f};
    static const float limits[] = {INFINITY, 0.7f, 0.0f, 1e-25f}, turns[] = {0.0f, 1.0f, 0.3f}, weights[] = {1.0f, -2.5f, 0.0f};
    test_random random = {.state = 1};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        response in = response_new(counts[c], &random);
        for (int flags = 0; flags < 32; flags++) {
            for (int numbers = 0; numbers < 36; numbers++) {
                const dun_respond job = {.dimensions = 2 + (flags & 1),
                                         .steer = flags & 2,
                                         .average = flags & 4,
                                         .minus_velocity = flags & 8,
                                         .unit = flags & 16,
                                         .limit = {.all = limits[numbers % 4]},
                                         .in_turn = turns[numbers / 4 % 3],
                                         .weight = {.all = weights[numbers / 12]},
                                         .max_speed = {.all = speeds[numbers % 5]}};
                compare_respond(job, &in, counts[c]);
            }
        }
        response_free(&in);
    }
}

/* ---- integrate and bound ---------------------------------------------------------------------------------------------- */

#define SIZE   10.0f
#define MARGIN 0.5f

/* On the edge, beside it, a little outside, and many worlds away. */
static float near_edges(test_random *random) {
    static const float some[] = {0.0f,   -0.0f, SIZE,  -MARGIN,   SIZE + MARGIN, 25.0f,
                                 -47.0f, 1e9f,  -1e9f, 0x1p-149f, -0x1p-149f,    2.0f * SIZE};
    const uint32_t choice = test_below(random, 30);
    return choice < 12 ? test_nudge(random, some[choice], 2) : test_uniform(random, -2.0f, SIZE + 2.0f);
}

typedef struct motion {
    vectors position, velocity, force;
} motion;

static motion motion_new(uint32_t count, test_random *random) {
    return (motion){vectors_new(count, random, near_edges), vectors_new(count, random, awkward),
                    vectors_new(count, random, awkward)};
}

static void motion_free(motion *m) {
    vectors_free(&m->position);
    vectors_free(&m->velocity);
    vectors_free(&m->force);
}

static void point_at(dun_integrate *job, const motion *from, const motion *to) {
    vectors_point_const(job->position, &from->position);
    vectors_point_const(job->velocity, &from->velocity);
    vectors_point_const(job->force, &from->force);
    vectors_point(job->to_position, &to->position);
    vectors_point(job->to_velocity, &to->velocity);
}

static motion motion_copy(const motion *from) {
    return (motion){vectors_copy(&from->position), vectors_copy(&from->velocity), vectors_copy(&from->force)};
}

/* in_place: the snapshot is overwritten, as it may be. */
static motion move(const dun_kernel *kernel, dun_integrate job, const motion *in, uint32_t count, bool in_place) {
    motion out = motion_copy(in);
    point_at(&job, in_place ? &out : in, &out);
    kernel->integrate(&job, count);
    return out;
}

static motion hold(const dun_kernel *kernel, dun_integrate job, const motion *in, uint32_t count) {
    motion out = motion_copy(in);
    point_at(&job, in, &out);
    kernel->bound(&job, count);
    return out;
}

static void motion_same(motion *got, const motion *want, const char *kernel) {
    vectors_same(&got->position, &want->position, kernel, "position");
    vectors_same(&got->velocity, &want->velocity, kernel, "velocity");
    motion_free(got);
}

static void compare_integrate(const dun_integrate *job, const motion *in, uint32_t count) {
    motion moved = move(test_kernel(0), *job, in, count, false), held = hold(test_kernel(0), *job, in, count);
    for (int k = 0; k < test_kernel_count(); k++) {
        const dun_kernel *kernel = test_kernel(k);
        motion got = move(kernel, *job, in, count, false);
        motion_same(&got, &moved, kernel->name);
        got = move(kernel, *job, in, count, true);
        motion_same(&got, &moved, kernel->name);
        got = hold(kernel, *job, in, count);
        motion_same(&got, &held, kernel->name);
    }
    motion_free(&moved);
    motion_free(&held);
}

TEST(test_integrate_has_the_same_bits) {
    static const float highs[] = {1e9f, 0.0f, 2.0f, 2.0f, 2.0f, 2.0f, 2.0f};
    static const float keeps[] = {1.0f, 0.9f, 0.0f}, lows[] = {0.0f, 0.5f, 2.0f, 1e-20f}, steps[] = {1.0f, 0.013f, 1e6f};
    static const float frictions[] = {0.0f, 0.4f, 1e15f, 1e-30f};
    test_random random = {.state = 2};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        motion in = motion_new(counts[c], &random);
        for (int edge = 0; edge < 6 * 4; edge++) {
            for (int numbers = 0; numbers < 36; numbers++) {
                const dun_integrate job = {
                    .dimensions = 2 + (edge & 1),
                    .edge = (dun_edge)(edge / 4),
                    .edges = {(dun_edge)(numbers % 5), (dun_edge)(numbers / 5 % 5), (dun_edge)((edge + numbers) % 5)},
                    .explicit_motion = edge & 2,
                    .size = {SIZE, 2.0f * SIZE, SIZE},
                    .margin = MARGIN,
                    .time_step = steps[numbers % 3],
                    .force_scale = numbers & 1 ? 1.0f : steps[numbers % 3],
                    .min_speed = lows[numbers / 3 % 4],
                    .max_speed = {.all = highs[numbers % 7]},
                    .keep = keeps[numbers / 12],
                    .friction = frictions[numbers % 4]};
                compare_integrate(&job, &in, counts[c]);
            }
        }
        motion_free(&in);
    }
}

/* No agent is outside afterwards, whatever the input. */
TEST(test_all_agents_end_inside) {
    enum { AGENTS = 500 };
    test_random random = {.state = 3};
    motion in = motion_new(AGENTS, &random);
    for (int edge = DUN_EDGE_PERIODIC; edge <= DUN_EDGE_REFLECT; edge++) {
        if (edge == DUN_EDGE_OVERSHOOT) continue; /* adds or subtracts the size once, and promises no more */
        const dun_integrate job = {.dimensions = 3,
                                   .edge = (dun_edge)edge,
                                   .size = {SIZE, SIZE, SIZE},
                                   .margin = MARGIN,
                                   .time_step = 1.0f,
                                   .force_scale = 1.0f,
                                   .max_speed = {.all = 1e9f},
                                   .keep = 1.0f};
        motion out = move(test_kernel(0), job, &in, AGENTS, false);
        const float margin = edge == DUN_EDGE_TELEPORT ? MARGIN : 0.0f;
        for (uint32_t i = 0; i < 3 * AGENTS; i++) {
            const float x = out.position.axis[i / AGENTS].at[i % AGENTS];
            if (!(x >= -margin && x <= SIZE + margin)) fail_msg("edge %d: an agent ends at %.9g", edge, (double)x);
            if (edge == DUN_EDGE_PERIODIC && x == SIZE) fail_msg("a periodic world ends before its size");
        }
        motion_free(&out);
    }
    motion_free(&in);
}

/* ---- behaviours ------------------------------------------------------------------------------------------------------- */

static float ordinary(test_random *random) {
    return test_uniform(random, -3.0f, 3.0f);
}

/* The maximum speed of an agent. */
static float awkward_velocity(test_random *random) {
    return fmaxf(fminf(awkward(random), 2e9f), -2e9f);
}

static float any_of(test_random *random, const float *some, uint32_t count) {
    return some[test_below(random, count)];
}

#define ANY_OF(random, ...) any_of((random), (const float[]){__VA_ARGS__}, sizeof(float[]){__VA_ARGS__} / sizeof(float))

static dun_behave_target any_target(test_random *random) {
    dun_behave_target target = {.radius2 = ANY_OF(random, INFINITY, 4.0f, 0.0f),
                                .away = test_below(random, 2),
                                .slows = test_below(random, 2),
                                .slowing_radius = ANY_OF(random, 1.0f, 1e-9f, 1e9f),
                                .predicts = test_below(random, 2),
                                .by_distance = test_below(random, 2),
                                .ahead = {ANY_OF(random, 0.0f, 3.0f, 1e9f), ANY_OF(random, 0.0f, 3.0f, 1e6f)},
                                .attract = {.strength = ANY_OF(random, 20.0f, -1.0f, 1e9f),
                                            .min_distance = ANY_OF(random, 1e-9f, 1.0f),
                                            .max_distance = ANY_OF(random, 1.0f, 3.0f, 1e9f),
                                            .power = (int)test_below(random, 4)}};
    for (int a = 0; a < 3; a++) {
        target.position[a] = test_below(random, 3) ? test_uniform(random, 0.0f, 4.0f) : 0.0f;
        target.velocity[a] = ANY_OF(random, 0.0f, 0.5f, -2e9f);
    }
    return target;
}

static dun_behave_contain any_walls(test_random *random) {
    dun_behave_contain contain = {.last = test_below(random, 2)};
    for (int a = 0; a < 3; a++) {
        contain.min[a] = ANY_OF(random, 0.0f, -1.0f, -INFINITY);
        contain.max[a] = ANY_OF(random, 0.0f, 1.0f, INFINITY);
    }
    return contain;
}

/* Tables of a few groups, of which some have no agents, and agents in these and others. */
enum { GROUPS = 6 };

typedef struct grouping {
    test_array number; /* by agent */
    float there[GROUPS], table[3][3][GROUPS];
} grouping;

static grouping grouping_new(uint32_t count, test_random *random) {
    grouping made = {.number = test_array_new(count)};
    for (uint32_t i = 0; i < count; i++) made.number.at[i] = (float)test_below(random, GROUPS + 2);
    for (int g = 0; g < GROUPS; g++) {
        made.there[g] = test_below(random, 4) ? 1.0f : 0.0f;
        for (int a = 0; a < 3; a++) {
            made.table[0][a][g] = near_edges(random);
            made.table[1][a][g] = awkward_velocity(random);
            made.table[2][a][g] = ordinary(random);
        }
    }
    return made;
}

static void belong(dun_behave *job, const grouping *from, bool ahead) {
    job->others.group = from->number.at;
    job->groups = (dun_behave_groups){.last = GROUPS - 1, .there = from->there};
    for (int a = 0; a < 3; a++) {
        job->groups.place[a] = ahead ? NULL : from->table[0][a];
        job->groups.velocity[a] = from->table[1][a];
        job->groups.force[a] = from->table[2][a];
    }
}

static dun_behave any_behave(dun_behave_kind kind, test_random *random) {
    dun_behave job = {.dimensions = 2 + (int)test_below(random, 2),
                      .periodic = test_below(random, 2),
                      .size = {4.0f, 5.0f, 6.0f},
                      .max_speed = {.all = ANY_OF(random, 2.0f, 1e9f, 1e-30f, 0.0f)},
                      .max_force = {.all = ANY_OF(random, INFINITY, 0.7f, 0.0f)},
                      .weight = {.all = ANY_OF(random, 1.0f, -2.5f, 0.0f)}};
    if (kind == DUN_BEHAVE_TARGET || kind == DUN_BEHAVE_ATTRACT) job.target = any_target(random);
    if (kind == DUN_BEHAVE_CONTAIN) job.contain = any_walls(random);
    if (kind == DUN_BEHAVE_DRAG)
        job.drag = (dun_behave_drag){ANY_OF(random, 0.0f, 0.5f, 1e6f), ANY_OF(random, 0.0f, 0.5f, 1e6f)};
    for (int a = 0; a < 3 && kind == DUN_BEHAVE_FORCE; a++) job.constant[a] = ANY_OF(random, 0.0f, 0.5f, -1e9f);
    return job;
}

/* The kernel adds its forces to ordinary forces; all stay finite. */
static void compare_behave(dun_behave_kind kind, dun_behave job, const motion *in, uint32_t count) {
    vectors_point_const(job.position, &in->position);
    vectors_point_const(job.velocity, &in->velocity);
    vectors want = vectors_copy(&in->force);
    vectors_point(job.force, &want);
    test_kernel(0)->behave[kind](&job, count);
    for (int a = 0; a < job.dimensions; a++)
        for (uint32_t i = 0; i < count; i++)
            if (!isfinite(want.axis[a].at[i])) fail_msg("behaviour %d: force %g", (int)kind, (double)want.axis[a].at[i]);
    for (int k = 0; k < test_kernel_count(); k++) {
        vectors got = vectors_copy(&in->force);
        vectors_point(job.force, &got);
        test_kernel(k)->behave[kind](&job, count);
        vectors_same(&got, &want, test_kernel(k)->name, "force");
        if (job.dimensions == 2) test_same_bits(got.axis[2].at, in->force.axis[2].at, count, "the third axis of a 2D world");
        vectors_free(&got);
    }
    vectors_free(&want);
}

/* The behaviours that need only numbers; the others have tests of their own. */
TEST(test_behaviours_have_the_same_bits) {
    static const dun_behave_kind kinds[] = {DUN_BEHAVE_TARGET, DUN_BEHAVE_CONTAIN, DUN_BEHAVE_FORCE, DUN_BEHAVE_DRAG,
                                            DUN_BEHAVE_ATTRACT};
    test_random random = {.state = 3};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        motion in = {vectors_new(counts[c], &random, near_edges), vectors_new(counts[c], &random, awkward_velocity),
                     vectors_new(counts[c], &random, ordinary)};
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            for (int round = 0; round < TEST_ROUNDS(200); round++)
                compare_behave(kinds[k], any_behave(kinds[k], &random), &in, counts[c]);
        }
        motion_free(&in);
    }
}

TEST(test_groups_have_the_same_bits) {
    static const dun_behave_kind kinds[] = {DUN_BEHAVE_TARGET, DUN_BEHAVE_GIVEN, DUN_BEHAVE_ATTRACT};
    test_random random = {.state = 7};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        motion in = {vectors_new(counts[c], &random, near_edges), vectors_new(counts[c], &random, awkward_velocity),
                     vectors_new(counts[c], &random, ordinary)};
        for (int round = 0; round < TEST_ROUNDS(200); round++) {
            grouping groups = grouping_new(counts[c], &random);
            for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
                dun_behave job = any_behave(kinds[k], &random);
                belong(&job, &groups, test_below(&random, 3) == 0);
                compare_behave(kinds[k], job, &in, counts[c]);
            }
            test_array_free(&groups.number);
        }
        motion_free(&in);
    }
}

/* Agents of a group that is not there, or is beyond the tables, get no force; others do. */
TEST_EACH(test_some_agents_have_no_group, k, 0, test_kernel_count()) {
    static const float there[] = {0.0f, 1.0f}, place[] = {20.0f, 10.0f}, numbers[] = {0.0f, 1.0f, 2.0f};
    test_array zero = test_array_new(3), number = test_array_new(3);
    vectors force = {{test_array_new(3), test_array_new(3), test_array_new(3)}};
    for (int i = 0; i < 3; i++) {
        zero.at[i] = 0.0f;
        number.at[i] = numbers[i];
        for (int a = 0; a < 3; a++) force.axis[a].at[i] = 0.0f;
    }
    dun_behave job = {.dimensions = 2,
                      .max_speed = {.all = 2.0f},
                      .max_force = {.all = INFINITY},
                      .weight = {.all = 1.0f},
                      .others = {.group = number.at},
                      .groups = {.last = 1.0f, .there = there},
                      .target = {.radius2 = INFINITY}};
    for (int a = 0; a < 2; a++) {
        job.position[a] = job.velocity[a] = zero.at;
        job.groups.place[a] = job.groups.velocity[a] = place;
    }
    vectors_point(job.force, &force);
    test_kernel(k)->behave[DUN_BEHAVE_TARGET](&job, 3);
    assert_float_equal(force.axis[0].at[1], sqrt(2.0), 1e-6);
    assert_true(force.axis[0].at[0] == 0.0f && force.axis[0].at[2] == 0.0f);
    vectors_free(&force);
    test_array_free(&zero);
    test_array_free(&number);
}

/* ---- group terms ------------------------------------------------------------------------------------------------------- */

/* In plain C what kernel.h says. */
static void expect_terms(const dun_grouped *in, uint32_t i, uint32_t at, const dun_group_terms *terms) {
    double v2 = 0.0;
    for (int a = 0; a < in->dimensions; a++) v2 += (double)in->velocity[a][i] * (double)in->velocity[a][i];
    for (int a = 0; a < in->dimensions; a++) {
        float d = in->position[a][i] - in->leader[a][(int)in->group[i]];
        if (in->size[a] > 0.0f)
            d = d - (d > 0.5f * in->size[a] ? in->size[a] : 0.0f) + (d < -0.5f * in->size[a] ? in->size[a] : 0.0f);
        const double v = (double)in->velocity[a][i];
        assert_int_equal(terms->offset[a][at], llrint((double)d * in->per_offset));
        assert_int_equal(terms->velocity[a][at], llrint(v * in->per_velocity));
        if (in->headings) assert_int_equal(terms->heading[a][at], v2 > 0.0 ? llrint(v * (0x1p30 / sqrt(v2))) : 0);
    }
}

TEST(test_group_terms_are_whole_numbers) {
    enum { AGENTS = DUN_BLOCK + 37 };
    test_random random = {.state = 11};
    vectors at = vectors_new(AGENTS, &random, ordinary), velocity = vectors_new(AGENTS, &random, ordinary);
    grouping groups = grouping_new(AGENTS, &random);
    for (uint32_t i = 0; i < AGENTS; i++) groups.number.at[i] = fminf(groups.number.at[i], GROUPS - 1);
    for (int round = 0; round < TEST_ROUNDS(100); round++) {
        dun_grouped in = {.dimensions = 2 + (int)test_below(&random, 2), .group = groups.number.at, .last = GROUPS - 1};
        in.headings = test_below(&random, 2);
        in.per_offset = ldexp(1.0, (int)test_below(&random, 28));
        in.per_velocity = ldexp(1.0, (int)test_below(&random, 29));
        vectors_point_const(in.position, &at);
        vectors_point_const(in.velocity, &velocity);
        const bool folds = test_below(&random, 2);
        for (int a = 0; a < 3; a++) {
            in.leader[a] = groups.table[2][a];
            in.size[a] = folds ? 4.0f + (float)a : 0.0f;
        }
        const uint32_t first = test_below(&random, 37), count = test_below(&random, 3) ? DUN_BLOCK : test_below(&random, 20);
        for (int k = 0; k < test_kernel_count(); k++) {
            dun_group_terms terms;
            test_kernel(k)->group_terms(&in, first, count, &terms);
            for (uint32_t i = 0; i < count; i++) expect_terms(&in, first + i, i, &terms);
        }
    }
    vectors_free(&at);
    vectors_free(&velocity);
    test_array_free(&groups.number);
}

/* ---- number ------------------------------------------------------------------------------------------------------------ */

/* In plain C what spatial/ranges.h says. */
static uint32_t number_of(const dun_cells *cells, const vectors *at, uint32_t i) {
    uint32_t number = 0;
    for (int a = 0; a < cells->dimensions; a++) {
        const float column = (at->axis[a].at[i] - cells->min[a]) * cells->per_unit[a];
        number += cells->stride[a] * (uint32_t)(column > 0.0f ? fminf(column, cells->last[a]) : 0.0f);
    }
    return number;
}

TEST(test_number_is_that_of_the_grid) {
    test_random random = {.state = 5};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        vectors at = vectors_new(counts[c], &random, awkward);
        const float *position[3];
        vectors_point_const(position, &at);
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            const dun_cells cells = {dimensions, {-1, 0, -2.5f}, {7.1f, 3, 2.2f}, {19, 5, 8}, {1, 20, 120}};
            for (int k = 0; k < test_kernel_count(); k++) {
                test_array got = test_array_new(counts[c]), want = test_array_new(counts[c]);
                test_kernel(k)->number(&cells, position, counts[c], (uint32_t *)got.at);
                for (uint32_t i = 0; i < counts[c]; i++) ((uint32_t *)want.at)[i] = number_of(&cells, &at, i);
                test_same_bits(got.at, want.at, counts[c], test_kernel(k)->name);
                test_array_check(&got);
                test_array_free(&got);
                test_array_free(&want);
            }
        }
        vectors_free(&at);
    }
}
