/* SPDX-License-Identifier: MIT */
/*
 * Properties that hold for any formula. An oracle and a kernel could share a mistake; these properties do not depend on
 * either.
 */
#include "tests/lib/test.h"
#include "tests/lib/flocks.h"

enum { AGENTS = 70, COLUMNS = 12 };

/* Sums over all agents of `observed`, every agent of `observer` a lane. */
static flock_sums sum_all(const dun_kernel *kernel, const dun_interact *in, const flock *observer, const flock *observed,
                          bool folds) {
    flock_sums sums = flock_sums_new(observer->count);
    const dun_range range = {0, observed->count, folds ? DUN_ALL_AXES : 0, 0};
    flock_sum(kernel, in, 0, observer->count, &range, observed->count > 0, &sums);
    return sums;
}

/* The first nine columns are sums, push, velocity and offset by axis; the others are counts. */
static bool is_summed(const dun_shape *shape, int column) {
    if (column % 3 >= shape->dimensions && column < 9) return false;
    if (column < 3) return shape->separation != DUN_PUSH_NONE;
    if (column < 6) return shape->alignment;
    if (column < 9) return shape->cohesion;
    return column == 9 || !shape->nested;
}

/* Every kernel, layout, shape, and with and without folding. */
static void for_every_case(void (*check)(const dun_kernel *kernel, flock_layout layout, dun_shape shape, bool folds)) {
    for (int k = 0; k < test_kernel_count(); k++)
        for (int layout = 0; layout < FLOCK_LAYOUTS; layout++)
            for (int shape = 0; shape < 2 * FLOCK_SHAPES; shape++)
                for (int folds = 0; folds < 2; folds++)
                    if (!TEST_SLOW || (k + layout + shape / 2 + folds) % 2 == 0)
                        check(test_kernel(k), (flock_layout)layout, flock_shape(2 + shape % 2, shape / 2), folds);
}

static flock flock_for(flock_layout layout, dun_shape shape) {
    test_random random = {.state = (uint64_t)layout};
    return flock_new(layout, shape.dimensions, AGENTS, &random);
}

/* ---- permutation ------------------------------------------------------------------------------------------------------ */

static flock permuted(const flock *from, const uint32_t *order) {
    flock made = {.dimensions = from->dimensions, .count = from->count};
    for (int a = 0; a < from->dimensions; a++) {
        made.position[a] = test_array_new(from->count);
        made.velocity[a] = test_array_new(from->count);
        for (uint32_t i = 0; i < from->count; i++) {
            made.position[a].at[i] = from->position[a].at[order[i]];
            made.velocity[a].at[i] = from->velocity[a].at[order[i]];
        }
    }
    return made;
}

static double terms_of(const oracle_view *view, int column) {
    const oracle_rule rule = column < 3 ? ORACLE_SEPARATION : column < 6 ? ORACLE_ALIGNMENT : ORACLE_COHESION;
    return oracle_bound(view->rule[rule].count) * ORACLE_U * view->rule[rule].terms[column % 3] + AGENTS * 0x1p-149;
}

static void check_permuted_agent(const dun_interact *in, const flock_sums *was, uint32_t i, const flock_sums *is, uint32_t j,
                                 bool folds) {
    const oracle_scene scene = flock_scene(in, AGENTS, folds);
    float at[3] = {0.0f};
    for (int a = 0; a < scene.dimensions; a++) at[a] = in->observer[a][i];
    const oracle_view view = oracle_look(&scene, at, i);
    for (int c = 0; c < COLUMNS; c++) {
        if (!is_summed(&in->shape, c)) continue;
        if (c >= 9)
            test_same_bits(is->column[c].at + j, was->column[c].at + i, 1, "a count after a permutation");
        else
            assert_true(fabs((double)is->column[c].at[j] - (double)was->column[c].at[i]) <= 2.0 * terms_of(&view, c));
    }
}

static void check_permutation(const dun_kernel *kernel, flock_layout layout, dun_shape shape, bool folds) {
    uint32_t order[AGENTS];
    test_random random = {.state = 1};
    test_shuffle(&random, order, AGENTS);
    flock before = flock_for(layout, shape), after = permuted(&before, order);
    const dun_interact in = flock_interact(&before, &before, shape), shuffled = flock_interact(&after, &after, shape);
    flock_sums was = sum_all(kernel, &in, &before, &before, folds), is = sum_all(kernel, &shuffled, &after, &after, folds);
    for (uint32_t j = 0; j < AGENTS; j++) check_permuted_agent(&in, &was, order[j], &is, j, folds);
    flock_sums_free(&was), flock_sums_free(&is);
    flock_free(&before), flock_free(&after);
}

TEST(test_permutation_permutes) {
    for_every_case(check_permutation);
}

/* ---- mirrors and moves ------------------------------------------------------------------------------------------------ */

/* `got` equals `want`, with the signs of the sums turned where asked; 0 and -0 are equal. */
static void check_same(const dun_shape *shape, const flock_sums *got, const flock_sums *want, int turned_axis,
                       const char *what) {
    for (int c = 0; c < COLUMNS; c++) {
        if (!is_summed(shape, c)) continue;
        const float sign = c < 9 && c % 3 == turned_axis ? -1.0f : 1.0f;
        for (uint32_t i = 0; i < AGENTS; i++) {
            if (c >= 9)
                test_same_bits(got->column[c].at + i, want->column[c].at + i, 1, what);
            else if (got->column[c].at[i] != sign * want->column[c].at[i])
                fail_msg("%s: column %d: %.9g and %.9g", what, c, (double)got->column[c].at[i], (double)want->column[c].at[i]);
        }
    }
}

static void check_mirror(const dun_kernel *kernel, flock_layout layout, dun_shape shape, bool folds) {
    flock agents = flock_for(layout, shape);
    const dun_interact in = flock_interact(&agents, &agents, shape);
    flock_sums plain = sum_all(kernel, &in, &agents, &agents, folds);
    for (int axis = 0; axis < shape.dimensions; axis++) {
        for (uint32_t i = 0; i < AGENTS; i++) {
            agents.position[axis].at[i] = -agents.position[axis].at[i];
            agents.velocity[axis].at[i] = -agents.velocity[axis].at[i];
        }
        flock_sums mirrored = sum_all(kernel, &in, &agents, &agents, folds);
        check_same(&shape, &mirrored, &plain, axis, "mirrored");
        for (uint32_t i = 0; i < AGENTS; i++) {
            agents.position[axis].at[i] = -agents.position[axis].at[i];
            agents.velocity[axis].at[i] = -agents.velocity[axis].at[i];
        }
        flock_sums_free(&mirrored);
    }
    flock_sums_free(&plain);
    flock_free(&agents);
}

TEST(test_mirror_turns_signs) {
    for_every_case(check_mirror);
}

/* Whole-number positions have exact offsets anywhere. */
static void check_translation(const dun_kernel *kernel, flock_layout layout, dun_shape shape, bool folds) {
    if (layout != FLOCK_LATTICE) return;
    flock agents = flock_for(layout, shape);
    const dun_interact in = flock_interact(&agents, &agents, shape);
    flock_sums here = sum_all(kernel, &in, &agents, &agents, folds);
    for (int power = 0; power <= 16; power += 4) {
        flock moved = flock_for(layout, shape);
        for (int a = 0; a < shape.dimensions; a++)
            for (uint32_t i = 0; i < AGENTS; i++) moved.position[a].at[i] += ldexpf(a == 1 ? -1.0f : 1.0f, power);
        const dun_interact there = flock_interact(&moved, &moved, shape);
        flock_sums sums = sum_all(kernel, &there, &moved, &moved, folds);
        flock_sums_same(&sums, &here, AGENTS, "translated");
        flock_sums_free(&sums);
        flock_free(&moved);
    }
    flock_sums_free(&here);
    flock_free(&agents);
}

TEST(test_translation_changes_nothing) {
    for_every_case(check_translation);
}

/* ---- one and two agents ----------------------------------------------------------------------------------------------- */

static void check_lone(const dun_kernel *kernel, flock_layout layout, dun_shape shape, bool folds) {
    test_random random = {.state = 4};
    flock agent = flock_new(layout, shape.dimensions, 1, &random);
    const dun_interact in = flock_interact(&agent, &agent, shape);
    flock_sums sums = sum_all(kernel, &in, &agent, &agent, folds);
    for (int c = 0; c < COLUMNS; c++) {
        if (!is_summed(&shape, c)) continue;
        uint32_t bits;
        memcpy(&bits, sums.column[c].at, sizeof bits);
        assert_true(bits == 0 || bits == 0x80000000u); /* 0, -0, or a count of 0 */
    }
    flock_sums_free(&sums);
    flock_free(&agent);
}

TEST(test_a_lone_agent_feels_nothing) {
    for_every_case(check_lone);
}

/* For each pair of agents: both see each other or neither does, and pushes and offsets are exactly opposite. */
static void check_pairs(const dun_kernel *kernel, flock_layout layout, dun_shape shape, bool folds) {
    flock agents = flock_for(layout, shape);
    const dun_interact in = flock_interact(&agents, &agents, shape);
    flock_sums one = flock_sums_new(1), other = flock_sums_new(1);
    for (uint32_t i = 0; i + 7 < AGENTS; i++) {
        const uint32_t j = i + 1 + i % 7;
        const dun_range see_j = {j, j + 1, folds ? DUN_ALL_AXES : 0, 0}, see_i = {i, i + 1, see_j.folds, 0};
        flock_sum(kernel, &in, i, i + 1, &see_j, 1, &one);
        flock_sum(kernel, &in, j, j + 1, &see_i, 1, &other);
        for (int c = 0; c < COLUMNS; c++) {
            if (!is_summed(&shape, c) || (c >= 3 && c < 6)) continue;
            if (c >= 9)
                test_same_bits(one.column[c].at, other.column[c].at, 1, "seen");
            else if (one.column[c].at[0] != -other.column[c].at[0])
                fail_msg("column %d: %.9g and %.9g", c, (double)one.column[c].at[0], (double)other.column[c].at[0]);
        }
    }
    flock_sums_free(&one), flock_sums_free(&other);
    flock_free(&agents);
}

TEST(test_pairs_are_symmetric) {
    for_every_case(check_pairs);
}

/* In worlds as narrow as a quarter of the radius, seeing is symmetric, and each neighbour counts once, whatever its images. */
TEST_EACH(test_narrow_worlds_are_symmetric, round, 0, TEST_ROUNDS(100)) {
    static test_random random = {.state = 9};
    flock agents = flock_new(FLOCK_SPREAD, 3, AGENTS, &random);
    dun_interact in = flock_interact(&agents, &agents, flock_shape(3, 18));
    for (int a = 0; a < 3; a++) {
        in.size[a] = FLOCK_RADIUS * test_uniform(&random, 0.25f, 4.0f);
        for (uint32_t i = 0; i < AGENTS; i++) agents.position[a].at[i] *= in.size[a] / FLOCK_SIZE;
    }
    const oracle_scene scene = flock_scene(&in, AGENTS, true);
    flock_sums sums = sum_all(test_kernel(round % test_kernel_count()), &in, &agents, &agents, true);
    for (uint32_t i = 0; i < AGENTS; i++) {
        const float at[3] = {in.observer[0][i], in.observer[1][i], in.observer[2][i]};
        int32_t seen = 0;
        for (uint32_t j = 0; j < AGENTS; j++) {
            const float back[3] = {in.observer[0][j], in.observer[1][j], in.observer[2][j]};
            const bool sees = oracle_sees(&scene, at, j, FLOCK_RADIUS);
            assert_true(sees == oracle_sees(&scene, back, i, FLOCK_RADIUS));
            seen += sees && j != i;
        }
        assert_int_equal(sums.sums.seen[i], seen);
    }
    flock_sums_free(&sums);
    flock_free(&agents);
}

/* ---- exactly on the radius -------------------------------------------------------------------------------------------- */

/* Every rule sees a neighbour at exactly its radius, and not one that is one binary32 number further out. */
static void check_radius(const dun_kernel *kernel, flock_layout layout, dun_shape shape, bool folds) {
    if (layout != FLOCK_LATTICE) return;
    test_random random = {.state = 1};
    flock agents = flock_new(FLOCK_POINT, shape.dimensions, 2, &random);
    const dun_interact in = flock_interact(&agents, &agents, shape);
    const float r2[] = {in.max_r2, in.alignment_r2, in.cohesion_r2};
    for (int step = 0; step < 2 * 3; step++) {
        if (!(r2[step / 2] > 0.0f)) continue;
        const float radius = sqrtf(r2[step / 2]), reach = step % 2 ? nextafterf(radius, INFINITY) : radius;
        for (int a = 0; a < shape.dimensions; a++) agents.position[a].at[0] = agents.position[a].at[1] = 0.0f;
        agents.position[0].at[1] = folds ? FLOCK_SIZE - radius : reach;
        if (folds && step % 2) agents.position[0].at[1] = nextafterf(FLOCK_SIZE - radius, 0.0f);
        flock_sums sums = sum_all(kernel, &in, &agents, &agents, folds);
        const int32_t *const counts[] = {sums.sums.seen, sums.sums.aligned, sums.sums.cohered};
        if (step < 2 || !shape.nested) assert_int_equal(counts[step / 2][0], step % 2 == 0);
        flock_sums_free(&sums);
    }
    flock_free(&agents);
}

TEST(test_the_radius_itself_is_seen) {
    for_every_case(check_radius);
}

/* ---- candidates of a box ---------------------------------------------------------------------------------------------- */

static dun_box corners_around(const flock *agents, uint32_t begin, uint32_t end) {
    dun_box box = {0};
    for (int a = 0; a < agents->dimensions; a++) {
        const float *at = agents->position[a].at;
        box.of[a][0] = box.of[a][1] = at[begin];
        for (uint32_t i = begin + 1; i < end; i++) {
            box.of[a][0] = fminf(box.of[a][0], at[i]);
            box.of[a][1] = fmaxf(box.of[a][1], at[i]);
        }
    }
    return box;
}

/* Whether one of the agents [begin, end) sees j. */
static bool any_sees(const dun_kernel *kernel, const dun_interact *in, uint32_t begin, uint32_t end, uint32_t j, bool folds) {
    const dun_range range = {j, j + 1, folds ? DUN_ALL_AXES : 0, 0};
    flock_sums sums = flock_sums_new(end - begin);
    flock_sum(kernel, in, begin, end, &range, 1, &sums);
    int32_t seen = 0;
    for (uint32_t i = 0; i < end - begin; i++) seen += sums.sums.seen[i];
    flock_sums_free(&sums);
    return seen > 0;
}

/* Candidates ascend and include all agents that an agent in the box sees. A box around one agent has no others. */
static void check_candidates(const dun_kernel *kernel, flock_layout layout, dun_shape shape, bool folds) {
    if (!shape.nested || shape.separation != DUN_PUSH_LINEAR) return;
    test_random random = {.state = 5};
    flock observers = flock_for(layout, shape), observed = flock_new(layout, shape.dimensions, AGENTS, &random);
    const dun_interact in = flock_interact(&observers, &observed, shape);
    for (uint32_t begin = 0; begin < AGENTS; begin += 9) {
        const uint32_t end = begin + 1 + begin % 4;
        const dun_box box = corners_around(&observers, begin, end);
        int32_t slots[AGENTS + DUN_PADDING];
        const dun_range range = {begin % 11, AGENTS - begin % 5, folds ? DUN_ALL_AXES : 0, 0};
        const uint32_t count = kernel->candidates(&in, shape.dimensions, &box, &range, 1, slots);
        uint32_t next = 0;
        for (uint32_t j = range.begin; j < range.end; j++) {
            const bool listed = next < count && (uint32_t)slots[next] == j, sees = any_sees(kernel, &in, begin, end, j, folds);
            next += listed;
            if (sees != listed && (sees || end == begin + 1))
                fail_msg("%s: %u, listed %d", flock_layout_name(layout), j, listed);
        }
        assert_int_equal(next, count);
    }
    flock_free(&observers), flock_free(&observed);
}

TEST(test_candidates_include_all_that_a_box_sees) {
    for_every_case(check_candidates);
}

/* ---- images ----------------------------------------------------------------------------------------------------------- */

/* The image of agent j that folding leads to. */
static uint8_t image_of(const dun_interact *in, uint32_t i, uint32_t j) {
    uint8_t image = DUN_IMAGE_KNOWN;
    for (int a = 0; a < in->shape.dimensions; a++) {
        const float offset = in->position[a][j] - in->observer[a][i];
        if (offset > 0.5f * in->size[a]) image = (uint8_t)(image | DUN_IMAGE_BACK(a));
        if (offset < -0.5f * in->size[a]) image = (uint8_t)(image | DUN_IMAGE_AHEAD(a));
    }
    return image;
}

/* Ranges of known images have the sums that folding gives, to the last bit. */
static void check_images(const dun_kernel *kernel, flock_layout layout, dun_shape shape, bool folds) {
    if (!folds) return;
    test_random random = {.state = 6};
    flock observers = flock_for(layout, shape), observed = flock_new(layout, shape.dimensions, AGENTS, &random);
    const dun_interact in = flock_interact(&observers, &observed, shape);
    flock_sums shifted = flock_sums_new(1), folded = flock_sums_new(1);
    for (uint32_t i = 0; i < AGENTS; i++) {
        dun_range ranges[AGENTS];
        for (uint32_t j = 0; j < AGENTS; j++) ranges[j] = (dun_range){j, j + 1, DUN_ALL_AXES, image_of(&in, i, j)};
        flock_sum(kernel, &in, i, i + 1, ranges, AGENTS, &shifted);
        for (uint32_t j = 0; j < AGENTS; j++) ranges[j].image = 0;
        flock_sum(kernel, &in, i, i + 1, ranges, AGENTS, &folded);
        flock_sums_same(&shifted, &folded, 1, flock_layout_name(layout));
    }
    flock_sums_free(&shifted), flock_sums_free(&folded);
    flock_free(&observers), flock_free(&observed);
}

TEST(test_known_images_have_the_sums_of_folding) {
    for_every_case(check_images);
}
