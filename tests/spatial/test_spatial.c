/* SPDX-License-Identifier: MIT */
/*
 * Packets and ranges: in every space, the ranges that an index lists for a packet hold every neighbour of each of its lanes,
 * once and in ascending order. All pairs and the oracle's binary32 expression decide which agents are neighbours; cells never
 * do.
 */
#include "engine/base/parallel.h"
#include "tests/lib/crowds.h"
#include "tests/lib/oracle.h"

static const dun_index_type *const types[] = {&dun_grid_index, &dun_tree_index, &dun_brute_index};
enum { TYPES = 3 };

/* ---- neighbours -------------------------------------------------------------------------------------------------------- */

/* For a neighbour: whether its offset is folded. For a candidate: whether a range lists it, and whether that range folds. */
enum { UNSEEN, SEEN, SEEN_FOLDED };

static uint8_t sight(const oracle_scene *scene, const float at[3], uint32_t j, float radius) {
    float delta[3];
    if (!(oracle_offset(scene, at, j, delta) <= radius * radius)) return UNSEEN;
    for (int a = 0; a < scene->dimensions; a++)
        if (delta[a] != scene->position[a][j] - at[a]) return SEEN_FOLDED;
    return SEEN;
}

static oracle_scene scene_of(const crowd *observed) {
    const dun_space *space = &observed->space;
    oracle_scene scene = {
        .dimensions = space->dimensions, .periodic = space->periodic, .walled = space->walled, .count = observed->count};
    for (int a = 0; a < space->dimensions; a++) {
        scene.size[a] = space->size[a];
        scene.position[a] = observed->position[a];
    }
    return scene;
}

/* [observer][observed] */
static uint8_t *all_pairs(const crowd *observer, const crowd *observed, float radius) {
    const dun_space *space = &observed->space;
    const oracle_scene scene = scene_of(observed);
    uint8_t *pairs = malloc((size_t)observer->count * observed->count + 1), *pair = pairs;
    assert_non_null(pairs);
    for (uint32_t i = 0; i < observer->count; i++) {
        float at[3] = {0.0f};
        for (int a = 0; a < space->dimensions; a++) at[a] = observer->position[a][i];
        for (uint32_t j = 0; j < observed->count; j++)
            *pair++ = observer == observed && i == j ? UNSEEN : sight(&scene, at, j, radius);
    }
    return pairs;
}

/* ---- what an index lists ----------------------------------------------------------------------------------------------- */

static uint32_t agents_that_fold, agents_of_known_images;

/* In a range of a known image, a shift must give what folding gives, for every pair within the radius and for no other. */
static void check_image(const crowd *observed, const dun_query *query, float radius, dun_range range) {
    const oracle_scene scene = scene_of(observed);
    const float r2 = radius * radius;
    for (uint32_t i = query->packet.first; i < query->packet.first + query->packet.count; i++) {
        float at[3] = {0.0f};
        for (int a = 0; a < scene.dimensions; a++) at[a] = query->position[a][i];
        for (uint32_t j = range.begin; j < range.end; j++) {
            float folded[3], shifted[3], d2 = 0.0f;
            const bool within = oracle_offset(&scene, at, j, folded) <= r2;
            for (int a = 0; a < scene.dimensions; a++) {
                const float ahead = range.image & DUN_IMAGE_AHEAD(a) ? scene.size[a] : 0.0f;
                shifted[a] = scene.position[a][j] - at[a] + (range.image & DUN_IMAGE_BACK(a) ? -scene.size[a] : ahead);
                d2 += shifted[a] * shifted[a];
                if (within) assert_true(shifted[a] == folded[a]);
            }
            assert_int_equal(d2 <= r2, within);
        }
    }
}

/* Checks the order of the ranges and that they fold alike, and finds which agents they list. Returns the number of ranges. */
static uint32_t list(const crowd *observed, dun_query *query, float radius, uint8_t listed[CROWD_MAX]) {
    dun_range ranges[CROWD_MAX + 1];
    const dun_range canary = {.begin = 0xabcdu, .end = 0xdcbau};
    const uint32_t max = observed->type->max_ranges(observed->index, &query->reach, query->own);
    assert_true(max <= CROWD_MAX);
    ranges[max] = canary;
    const uint32_t count = observed->type->list_ranges(observed->index, query, ranges);
    assert_true(count <= max);
    assert_memory_equal(&ranges[max], &canary, sizeof canary);

    memset(listed, UNSEEN, CROWD_MAX);
    uint32_t end = 0;
    for (uint32_t r = 0; r < count; r++) {
        assert_true(end <= ranges[r].begin && ranges[r].begin < ranges[r].end && ranges[r].end <= observed->count);
        assert_int_equal(ranges[r].folds, ranges[0].folds);
        if (ranges[0].folds) assert_int_equal(ranges[r].image & DUN_IMAGE_KNOWN, ranges[0].image & DUN_IMAGE_KNOWN);
        if (ranges[r].folds && ranges[r].image) check_image(observed, query, radius, ranges[r]);
        end = ranges[r].end;
        memset(listed + ranges[r].begin, ranges[r].folds ? SEEN_FOLDED : SEEN, end - ranges[r].begin);
    }
    if (count && ranges[0].folds && query->packet.count == 1) {
        agents_that_fold++;
        agents_of_known_images += ranges[0].image != 0;
    }
    return count;
}

static void check_group(const crowd *observed, dun_query *query, float radius, const uint8_t *pairs) {
    uint8_t listed[CROWD_MAX];
    list(observed, query, radius, listed);
    for (uint32_t j = 0; j < observed->count && query->reach.everywhere; j++) assert_true(listed[j] != UNSEEN);
    for (uint32_t i = query->packet.first; i < query->packet.first + query->packet.count; i++) {
        const uint8_t *sees = pairs + (size_t)i * observed->count;
        for (uint32_t j = 0; j < observed->count; j++)
            if (listed[j] < sees[j])
                fail_msg("%s: %u of packet [%u, +%u) sees %u, which is %s", observed->type->name, i, query->packet.first,
                         query->packet.count, j, listed[j] == UNSEEN ? "in no range" : "in a range that does not fold");
    }
}

/* Cuts packets as the frame does: along the observers' own rows. */
static void look_around(const crowd *observer, const crowd *observed, float radius) {
    uint8_t *pairs = all_pairs(observer, observed, radius);
    dun_query query = {.own = observer == observed, .reach = observed->type->reach(observed->index, radius)};
    for (int a = 0; a < observer->space.dimensions; a++) query.position[a] = observer->position[a];
    for (uint32_t lanes = 1; lanes <= DUN_PADDING; lanes = lanes == 1 ? 4 : 2 * lanes) {
        uint32_t stretch_end = 0;
        for (query.packet.first = 0; query.packet.first < observer->count; query.packet.first += query.packet.count) {
            if (query.packet.first >= stretch_end)
                stretch_end = observer->type->packet_end(observer->index, query.packet.first);
            assert_true(stretch_end > query.packet.first && stretch_end <= observer->count);
            query.packet.count = stretch_end - query.packet.first < lanes ? stretch_end - query.packet.first : lanes;
            check_group(observed, &query, radius, pairs);
        }
    }
    free(pairs);
}

/* ---- any space --------------------------------------------------------------------------------------------------------- */

/* The observers are the index's own agents, or those of another species with cells of another size, or in no order. */
static void check_crowd(test_random *random, const dun_index_type *type, const dun_space *space, crowd_layout layout) {
    crowd observed = crowd_new(type, space, crowd_some_count(random));
    crowd_scatter(random, &observed, layout);
    crowd_sort(&observed);
    look_around(&observed, &observed, space->radius);
    look_around(&observed, &observed, crowd_some_radius(random, space));
    for (int t = 0; t < TYPES; t++) {
        dun_space coarser = *space;
        coarser.radius = crowd_some_radius(random, space);
        crowd observer = crowd_new(types[t], &coarser, crowd_some_count(random));
        crowd_scatter(random, &observer, test_below(random, 2) ? layout : (crowd_layout)test_below(random, LAYOUTS));
        crowd_sort(&observer);
        look_around(&observer, &observed, crowd_some_radius(random, space));
        crowd_free(&observer);
    }
    crowd_free(&observed);
}

TEST_EACH(every_neighbour_is_listed, round, 0, TEST_ROUNDS(2400)) {
    static test_random random = {.state = 20};
    const dun_space space = crowd_some_space(&random);
    check_crowd(&random, types[round % 5 / 2], &space, (crowd_layout)(round % LAYOUTS));
}

/* Wherever a world has more columns than a radius reaches on both sides, with one to spare. */
TEST(images_are_known_in_all_but_narrow_worlds) {
    test_random random = {.state = 30};
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const dun_space space = {
            .dimensions = dimensions, .periodic = true, .size = {9.0f, 9.0f, 9.0f}, .radius = dimensions == 2 ? 1.0f : 2.0f};
        crowd c = crowd_new(&dun_grid_index, &space, CROWD_MAX);
        crowd_scatter(&random, &c, SPREAD);
        crowd_sort(&c);
        agents_that_fold = agents_of_known_images = 0;
        look_around(&c, &c, space.radius);
        assert_true(agents_that_fold > 0 && agents_of_known_images == agents_that_fold);
        look_around(&c, &c, 4.0f); /* two radii are nearly the whole side */
        assert_true(agents_of_known_images < agents_that_fold);
        crowd_free(&c);
    }
}

/* ---- from anywhere in a box -------------------------------------------------------------------------------------------- */

/*
 * The box may be a point, be smaller or larger than a radius, or be larger than the world. In a periodic world it is within
 * the world.
 */
static void some_box(test_random *random, const crowd *c, int a, float corner[2]) {
    const float size = c->space.size[a],
                halves[] = {0.0f, 0.3f * c->space.radius, 2.0f * c->space.radius, 0.5f * size, 1.5f * size};
    const float half = halves[test_below(random, 5)], anywhere = test_uniform(random, c->space.min[a], c->space.min[a] + size);
    const float middle = c->count && test_below(random, 3) ? c->position[a][test_below(random, c->count)] : anywhere;
    corner[0] = middle - half;
    corner[1] = middle + half;
    for (int end = 0; end < 2 && c->space.periodic; end++) corner[end] = fminf(fmaxf(corner[end], 0.0f), size);
}

/* A corner, a random place, or a place about a radius from an agent. */
static float some_place(test_random *random, const crowd *c, int a, const float corner[2], float radius) {
    const float sides[] = {-radius, 0.0f, radius};
    float x = test_uniform(random, corner[0], corner[1]);
    const uint32_t which = test_below(random, 5);
    if (which < 2) x = corner[which];
    if (which > 2 && c->count) {
        const float near = c->position[a][test_below(random, c->count)] + sides[test_below(random, 3)];
        x = crowd_blurred(random, &c->space, a, crowd_held(&c->space, a, test_nudge(random, near, 1)));
    }
    return fminf(fmaxf(x, corner[0]), corner[1]);
}

static void look_from_box(test_random *random, const crowd *observed, float radius) {
    const dun_space *space = &observed->space;
    oracle_scene scene = {
        .dimensions = space->dimensions, .periodic = space->periodic, .walled = space->walled, .count = observed->count};
    dun_query query = {.packet = {.count = 2}, .box = true, .reach = observed->type->reach(observed->index, radius)};
    float corner[3][2], at[3] = {0.0f};
    uint8_t listed[CROWD_MAX];
    for (int a = 0; a < space->dimensions; a++) {
        some_box(random, observed, a, corner[a]);
        query.position[a] = corner[a];
        scene.size[a] = space->size[a];
        scene.position[a] = observed->position[a];
    }
    list(observed, &query, radius, listed);
    for (int place = 0; place < 40; place++) {
        for (int a = 0; a < space->dimensions; a++) at[a] = some_place(random, observed, a, corner[a], radius);
        for (uint32_t j = 0; j < observed->count; j++)
            if (listed[j] < sight(&scene, at, j, radius))
                fail_msg("%s: (%g, %g, %g) in the box sees %u, which is %s", observed->type->name, (double)at[0], (double)at[1],
                         (double)at[2], j, listed[j] == UNSEEN ? "in no range" : "in a range that does not fold");
    }
}

TEST_EACH(every_neighbour_of_a_box_is_listed, round, 0, TEST_ROUNDS(4000)) {
    static test_random random = {.state = 29};
    const dun_space space = crowd_some_space(&random);
    crowd observed = crowd_new(types[round % 8 == 7], &space, crowd_some_count(&random));
    crowd_scatter(&random, &observed, (crowd_layout)(round % LAYOUTS));
    crowd_sort(&observed);
    for (int box = 0; box < 6; box++)
        look_from_box(&random, &observed, box < 3 ? space.radius : crowd_some_radius(&random, &space));
    crowd_free(&observed);
}

/* ---- the hardest places ------------------------------------------------------------------------------------------------ */

/* From about 2^19 columns on, rounding moves an agent by a large part of a cell, so cells must be that much wider. */
TEST_EACH(no_neighbour_is_lost_among_many_columns, round, 0, TEST_ROUNDS(160)) {
    static test_random random = {.state = 21};
    const float size = ldexpf(test_uniform(&random, 1.0f, 2.0f), 12 + round % 10);
    const dun_space space = {.dimensions = 2, .periodic = round / 10 % 2, .size = {size, 3.0f}, .radius = 1.0f};
    crowd c = crowd_new(&dun_grid_index, &space, CROWD_MAX);
    crowd_scatter(&random, &c, PAIRS);
    crowd_sort(&c);
    look_around(&c, &c, space.radius);
    crowd_free(&c);
}

/* The radius of another species may be exactly a whole number of cells. One row of cells, which is not folded. */
TEST_EACH(whole_cells_are_within_reach, round, 0, TEST_ROUNDS(160)) {
    static test_random random = {.state = 28};
    const float size = test_uniform(&random, 600.0f, 1300.0f);
    const dun_space space = {.dimensions = 2, .periodic = round % 2, .size = {size, 0.5f}, .radius = 1.0f};
    crowd c = crowd_new(&dun_grid_index, &space, CROWD_MAX);
    crowd_scatter(&random, &c, POINT);
    crowd_sort(&c);
    const double width = (double)size / (double)c.type->cells(c.index);
    const float radius = (float)(width * (1 + round % 7) * (1.0 - 1.5e-6));
    for (uint32_t i = 0; i < c.count; i += 2) {
        const float edge = i % 4 ? size : (float)(width * test_below(&random, (uint32_t)size));
        c.from[0].at[i] = crowd_held(&space, 0, test_nudge(&random, edge, 1));
        c.from[0].at[i + 1] = crowd_blurred(&random, &space, 0, crowd_held(&space, 0, c.from[0].at[i] + radius));
    }
    crowd_sort(&c);
    look_around(&c, &c, radius);
    crowd_free(&c);
}

/*
 * One agent is just before a cell's edge, and the other on the edge `cells` further on. They are neighbours once their offset
 * is rounded.
 */
static void check_open_edge(test_random *random, uint32_t cells, bool made_for_it) {
    const double width = 1.0 * (1.0 + 2e-6); /* of the grid's cells in an open world, for a radius of 1 */
    dun_space space = {.dimensions = 2, .open = true, .size = {1.0f, 1.0f}, .radius = 1.0f};
    const float radius = made_for_it ? 1.0f : (float)(width * cells);
    const double step = made_for_it ? 1.0 : width;
    crowd c = crowd_new(&dun_grid_index, &space, 64);
    for (uint32_t i = 0; i < c.count; i += 2) {
        const int before = -(int)test_below(random, cells + 1);
        c.from[0].at[i] = before ? test_nudge(random, (float)(step * before), 1) : -1e-9f;
        c.from[0].at[i + 1] = test_nudge(random, (float)(step * (before + (int)cells)), 1);
        c.from[1].at[i] = c.from[1].at[i + 1] = 20.0f * (float)i;
    }
    crowd_sort(&c);
    look_around(&c, &c, radius);
    crowd_free(&c);
}

TEST(open_cells_are_wide_enough) {
    test_random random = {.state = 22};
    for (uint32_t round = 0; round < 300; round++) {
        check_open_edge(&random, 1, true);
        check_open_edge(&random, 1 + round % 20, false);
    }
}

/* Two clumps a million radii apart, and one where binary32 numbers are 64 apart: agents from afar share cells of the table. */
TEST_EACH(distant_clumps_share_cells, round, 0, 40) {
    static test_random random = {.state = 23};
    const dun_space space = {.dimensions = 2 + round % 2, .open = true, .size = {1, 1, 1}, .radius = 1.0f};
    crowd c = crowd_new(&dun_grid_index, &space, 300);
    for (int a = 0; a < space.dimensions; a++)
        for (uint32_t i = 0; i < c.count; i++)
            c.from[a].at[i] = (float)(i % 3) * (i % 3 == 2 ? -5e8f : 1e6f) + test_uniform(&random, -2.0f, 2.0f);
    crowd_sort(&c);
    look_around(&c, &c, test_uniform(&random, 0.2f, 3.0f));
    crowd_free(&c);
}

/*
 * Powers of two from the minimum to the maximum of binary32, on both sides of the origin. No two passes halve the box alike.
 */
TEST_EACH(every_magnitude_is_ordered, round, 0, 60) {
    static test_random random = {.state = 31};
    const dun_space space = {.dimensions = 2 + round % 2, .open = true, .size = {1, 1, 1}, .radius = ldexpf(1.0f, round - 20)};
    crowd c = crowd_new(&dun_tree_index, &space, CROWD_MAX);
    for (int a = 0; a < space.dimensions; a++)
        for (uint32_t i = 0; i < c.count; i++)
            c.from[a].at[i] = ldexpf(i % 2 ? -1.0f : 1.0f, (int)test_below(&random, 275) - 149);
    crowd_sort(&c);
    look_around(&c, &c, space.radius);
    crowd_free(&c);
}

/* Boxes on both sides of a seam, whose agents are neighbours once offsets are rounded to steps as large as many radii. */
TEST_EACH(rounded_offsets_reach_boxes_across_the_edge, round, 0, 400) {
    static test_random random = {.state = 37};
    const dun_space space = {.dimensions = 2, .periodic = true, .size = {100, 100}, .radius = 1e-3f};
    crowd c = crowd_new(&dun_tree_index, &space, 16);
    const float low = test_uniform(&random, 0.0f, space.radius);
    const float high = crowd_blurred(&random, &space, 0, low - space.radius + space.size[0]);
    for (uint32_t i = 0; i < c.count; i++) {
        c.from[round % 2].at[i] = i < 8 ? low : high;
        c.from[1 - round % 2].at[i] = 50.0f;
    }
    crowd_sort(&c);
    look_around(&c, &c, space.radius);
    crowd_free(&c);
}

/* ---- the tree's order -------------------------------------------------------------------------------------------------- */

enum { THRONG = 70000 }; /* more than one worker sorts at a time */

/* Everywhere; in two clumps that are small beside their distance; on a line; or at one point. */
static float throng_place(test_random *random, int layout, uint32_t i, int a) {
    const float here = test_uniform(random, 0.0f, 100.0f);
    switch (layout) {
    case 0:
        return here;
    case 1:
        return (i % 16 ? 0.0f : 1e9f) + here;
    case 2:
        return a ? 5.0f : 1000.0f * here;
    default:
        return 7.0f;
    }
}

/* Sorts with any number of workers, in any order of tasks. Column 2 holds the agents' numbers. */
static void sort_throng(const test_array from[3], test_array to[3], const dun_executor *executor) {
    const dun_space space = {.dimensions = 2, .open = true, .size = {1, 1}, .radius = 1.0f};
    dun_columns columns = {.agents = THRONG, .columns = 3};
    for (int c = 0; c < 3; c++) {
        columns.from[c] = (const dun_word *)from[c].at;
        columns.to[c] = (dun_word *)to[c].at;
    }
    dun_index *index = dun_tree_index.create(NULL);
    assert_true(index && dun_tree_index.reserve(index, &space, THRONG, executor->workers));
    dun_tree_index.build(index, &space, &columns, executor);
    for (uint32_t i = 0, end; i < THRONG; i = end) {
        end = dun_tree_index.packet_end(index, i);
        assert_true(end > i && end <= THRONG && end - i <= 32);
    }
    dun_tree_index.destroy(index);
}

static void check_throng(const test_array from[3], int layout) {
    dun_executor executors[4] = {test_executor_serial(1), test_executor_reverse(3), test_executor_shuffled(5),
                                 test_executor_threads(8)};
    test_array to[4][3];
    for (int e = 0; e < 4; e++) {
        for (int c = 0; c < 3; c++) to[e][c] = test_array_new(THRONG);
        sort_throng(from, to[e], &executors[e]);
        for (int c = 0; c < 3; c++) test_same_bits(to[e][c].at, to[0][c].at, THRONG, "a column in the tree's order");
        for (int c = 0; c < 3; c++) test_array_check(&to[e][c]);
    }
    const dun_word *order = (const dun_word *)to[0][2].at;
    bool *seen = calloc(THRONG, sizeof *seen);
    assert_non_null(seen);
    for (uint32_t i = 0; i < THRONG; i++) {
        assert_true(order[i] < THRONG && !seen[order[i]]);
        seen[order[i]] = true;
        assert_true(to[0][0].at[i] == from[0].at[order[i]] && to[0][1].at[i] == from[1].at[order[i]]);
        assert_true(layout != 3 || order[i] == i);
    }
    free(seen);
    dun_parallel_destroy(&executors[3]);
    for (int e = 0; e < 4; e++)
        for (int c = 0; c < 3; c++) test_array_free(&to[e][c]);
}

TEST_EACH(workers_build_the_same_tree, layout, 0, 4) {
    static test_random random = {.state = 32};
    test_array from[3];
    for (int c = 0; c < 3; c++) from[c] = test_array_new(THRONG);
    for (uint32_t i = 0; i < THRONG; i++) {
        for (int a = 0; a < 2; a++) from[a].at[i] = throng_place(&random, layout, i, a);
        ((dun_word *)from[2].at)[i] = i;
    }
    check_throng(from, layout);
    for (int c = 0; c < 3; c++) test_array_free(&from[c]);
}

enum { ANSWERS = 512 };

/* The tree's answer to a box. */
static uint32_t list_in_box(const crowd *c, float corners[3][2], dun_range ranges[ANSWERS]) {
    dun_query query = {.packet = {.count = 2}, .box = true, .reach = c->type->reach(c->index, c->space.radius)};
    for (int a = 0; a < 3; a++) query.position[a] = corners[a];
    const uint32_t count = c->type->list_ranges(c->index, &query, ranges),
                   max = c->type->max_ranges(c->index, &query.reach, false);
    assert_true(count > 16 && count <= max && max <= 256);
    return count;
}

/*
 * A slice of a cube meets hundreds of boxes that are not adjacent in memory. The tree joins ranges across gaps and loses no
 * agent.
 */
TEST(long_answers_are_joined) {
    test_random random = {.state = 34};
    const dun_space space = {.dimensions = 3, .open = true, .size = {100, 100, 100}, .radius = 1.0f};
    float corners[3][2] = {{0, 100}, {0, 100}, {50, 50}};
    crowd c = crowd_new(&dun_tree_index, &space, THRONG);
    crowd_scatter(&random, &c, SPREAD);
    crowd_sort(&c);
    dun_range ranges[ANSWERS];
    const uint32_t count = list_in_box(&c, corners, ranges);
    uint32_t next = 0, listed = 0;
    for (uint32_t r = 0; r < count; r++) {
        assert_true(ranges[r].begin >= next && ranges[r].end > ranges[r].begin && ranges[r].end <= THRONG && !ranges[r].folds);
        for (; next < ranges[r].begin; next++) assert_true(fabsf(c.position[2][next] - 50.0f) > space.radius);
        next = ranges[r].end;
        listed += ranges[r].end - ranges[r].begin;
    }
    for (; next < THRONG; next++) assert_true(fabsf(c.position[2][next] - 50.0f) > space.radius);
    assert_true(listed < THRONG / 2);
    crowd_free(&c);
}

static bool is_across_the_edge(const crowd *c, int axis, uint32_t j) {
    for (int a = 0; a < 3; a++)
        if (a != axis && (c->position[a][j] < 3.0f || c->position[a][j] > 97.0f)) return false;
    return c->position[axis][j] >= c->space.size[axis] - c->space.radius;
}

/*
 * The same slice at the edge of a flat, periodic world, where boxes across the edge lie next to others. A run with any
 * agent from across the edge folds.
 */
TEST_EACH(joined_ranges_still_fold, axis, 0, 3) {
    static test_random random = {.state = 35};
    dun_space space = {.dimensions = 3, .periodic = true, .size = {100, 100, 100}, .radius = 1.0f};
    space.size[axis] = 4.0f;
    float corners[3][2] = {{3, 97}, {3, 97}, {3, 97}};
    corners[axis][0] = corners[axis][1] = 0.0f;
    crowd c = crowd_new(&dun_tree_index, &space, THRONG);
    crowd_scatter(&random, &c, SPREAD);
    crowd_sort(&c);
    dun_range ranges[ANSWERS];
    const uint32_t count = list_in_box(&c, corners, ranges);
    uint32_t over = 0, listed = 0;
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t j = ranges[r].begin; j < ranges[r].end; j++) {
            if (!is_across_the_edge(&c, axis, j)) continue;
            assert_true(ranges[r].folds);
            listed++;
        }
    for (uint32_t j = 0; j < THRONG; j++) over += is_across_the_edge(&c, axis, j);
    assert_true(over > 256 && listed == over);
    crowd_free(&c);
}

/* The packets of a leaf search only around the leaf: at most a tenth of all pairs. */
TEST(leaves_search_only_around_themselves) {
    test_random random = {.state = 33};
    const dun_space space = {.dimensions = 2, .periodic = true, .size = {40, 40}, .radius = 2.0f};
    crowd c = crowd_new(&dun_tree_index, &space, CROWD_MAX);
    crowd_scatter(&random, &c, SPREAD);
    crowd_sort(&c);
    dun_query query = {.packet = {.count = 1}, .own = true, .reach = c.type->reach(c.index, space.radius)};
    uint32_t total = 0;
    for (int a = 0; a < 2; a++) query.position[a] = c.position[a];
    for (; query.packet.first < c.count; query.packet.first++) {
        uint8_t listed[CROWD_MAX];
        list(&c, &query, space.radius, listed);
        for (uint32_t j = 0; j < c.count; j++) total += listed[j] != UNSEEN;
    }
    assert_true(total < c.count * c.count / 10);
    crowd_free(&c);
}

/* ---- no more than is asked for ----------------------------------------------------------------------------------------- */

/* In the middle of a world with three cells per radius, 3 or 9 ranges are enough, and no offset needs folding. */
static void check_middle(int dimensions, uint32_t max_ranges, double max_listed) {
    test_random random = {.state = 24};
    const float size = 15.0f;
    const dun_space space = {.dimensions = dimensions, .periodic = true, .size = {size, size, size}, .radius = 2.0f};
    crowd c = crowd_new(&dun_grid_index, &space, CROWD_MAX);
    crowd_scatter(&random, &c, SPREAD);
    crowd_sort(&c);
    dun_query query = {.packet = {.count = 1}, .own = true, .reach = c.type->reach(c.index, space.radius)};
    double total = 0.0;
    for (int a = 0; a < dimensions; a++) query.position[a] = c.position[a];
    for (; query.packet.first < c.count; query.packet.first++) {
        uint8_t listed[CROWD_MAX];
        bool middle = true;
        for (int a = 0; a < dimensions; a++) middle = middle && fabsf(c.position[a][query.packet.first] - 0.5f * size) < 3.0f;
        if (!middle) continue;
        assert_true(list(&c, &query, space.radius, listed) <= max_ranges);
        for (uint32_t j = 0; j < c.count; j++) {
            assert_true(listed[j] != SEEN_FOLDED);
            total += listed[j] == SEEN;
        }
    }
    assert_true(total > 0.0 && total <= max_listed * c.count * c.count);
    crowd_free(&c);
}

TEST(groups_search_only_around_themselves) {
    const double middle = 6.0 / 15.0, seen = 3.0 / 7.0; /* shares of an axis: its middle, and three cells of seven */
    check_middle(2, 3, 1.3 * middle * middle * seen * seen);
    check_middle(3, 9, 1.3 * middle * middle * middle * seen * seen * seen);
}

/* Observers on both sides of a seam are near each other: four cells of seven by three cells of seven surround them. */
static void check_astride(const crowd *observed, int axis, float one, float other) {
    crowd observers = crowd_new(&dun_brute_index, &observed->space, 2);
    dun_query query = {.packet = {.count = 2}, .reach = observed->type->reach(observed->index, observed->space.radius)};
    for (int a = 0; a < 2; a++) {
        observers.from[a].at[0] = a == axis ? one : 7.5f;
        observers.from[a].at[1] = a == axis ? other : 7.5f;
        query.position[a] = observers.from[a].at;
    }
    uint8_t listed[CROWD_MAX];
    uint32_t total = 0;
    list(observed, &query, observed->space.radius, listed);
    for (uint32_t j = 0; j < observed->count; j++) total += listed[j] != UNSEEN;
    assert_true(total <= 1.3 * (4.0 / 7.0) * (3.0 / 7.0) * observed->count);
    crowd_free(&observers);
}

TEST(groups_across_a_seam_search_only_around_it) {
    test_random random = {.state = 26};
    const dun_space space = {.dimensions = 2, .periodic = true, .size = {15.0f, 15.0f}, .radius = 2.0f};
    crowd c = crowd_new(&dun_grid_index, &space, CROWD_MAX);
    crowd_scatter(&random, &c, SPREAD);
    crowd_sort(&c);
    for (int axis = 0; axis < 2; axis++) {
        check_astride(&c, axis, 0.1f, 14.9f);
        check_astride(&c, axis, 14.9f, 0.1f);
    }
    crowd_free(&c);
}

/* Cells are made for the radius, which reaches the next cell, or up to four short cells along a row. */
TEST_EACH(a_radius_reaches_one_cell, round, 0, 2000) {
    static test_random random = {.state = 27};
    const dun_space space = crowd_some_space(&random);
    dun_index *index = dun_grid_index.create(NULL);
    const uint32_t count = crowd_some_count(&random);
    assert_true(index && dun_grid_index.reserve(index, &space, count, 1));
    const dun_reach reach = dun_grid_index.reach(index, space.radius);
    for (int a = 1; a < space.dimensions; a++) assert_int_equal(reach.axis[a], 1);
    assert_in_range(reach.axis[0], 1, 4);
    assert_true(reach.axis[0] == 1 || dun_grid_index.cells(index) <= 2 * (uint64_t)count + 64);
    dun_grid_index.destroy(index);
}
