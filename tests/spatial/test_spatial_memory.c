/* SPDX-License-Identifier: MIT */
/* The memory of an index depends on its number of agents, not on the size of their world. */
#include "tests/lib/crowds.h"

static dun_space vast_space(int number) {
    dun_space space = {.dimensions = 2 + number % 2, .periodic = number / 2 == 0, .open = number / 2 == 1, .radius = 1e-3f};
    for (int a = 0; a < space.dimensions; a++) space.size[a] = number / 2 == 3 && a ? 1.0f : 1e9f;
    return space;
}
enum { VAST = 8 };

static const dun_index_type *const types[] = {&dun_grid_index, &dun_tree_index};

/* Two clumps on a diagonal, a million radii apart or more. */
TEST_EACH(memory_depends_on_agents_not_on_space, number, 0, 2 * VAST) {
    static const uint32_t counts[] = {0, 1, 2, 17, 1000, 20000};
    for (int i = 0; i < 6; i++) {
        const dun_space space = vast_space(number % VAST);
        crowd c = crowd_new(types[number / VAST], &space, counts[i]);
        for (int a = 0; a < space.dimensions; a++)
            for (uint32_t j = 0; j < c.count; j++)
                c.from[a].at[j] = (j % 2 ? 0.9f : 0.1f) * space.size[a] + 1e-4f * (float)(j % 100);
        crowd_sort(&c);
        assert_true(c.type->cells(c.index) <= 4 * (uint64_t)c.count + 64);
        assert_true(dun_heap_bytes(c.heap) <= 28 * (size_t)c.count + 20000);
        crowd_free(&c);
    }
}

/* When agents have died or are not yet born, the index is built in memory that was reserved for more. */
TEST_EACH(fewer_agents_need_no_more, round, 0, TEST_ROUNDS(400)) {
    static test_random random = {.state = 25};
    const dun_executor executor = test_executor_reverse(3);
    const dun_space space = crowd_some_space(&random);
    const float radius = crowd_some_radius(&random, &space);
    crowd c = crowd_new(types[round % 2], &space, CROWD_MAX);
    crowd_scatter(&random, &c, (crowd_layout)test_below(&random, LAYOUTS));
    assert_true(c.type->reserve(c.index, &space, c.count, executor.workers));
    const dun_reach widest = c.type->reach(c.index, radius);
    const uint32_t own = c.type->max_ranges(c.index, &widest, true), others = c.type->max_ranges(c.index, &widest, false);
    const uint64_t cells = c.type->cells(c.index);
    const size_t bytes = dun_heap_bytes(c.heap);
    for (int build = 0; build < 8; build++) {
        dun_columns columns = {.agents = test_below(&random, c.count + 1), .columns = space.dimensions};
        for (int a = 0; a < space.dimensions; a++) {
            columns.from[a] = (const dun_word *)c.from[a].at;
            columns.to[a] = (dun_word *)c.to[a].at;
        }
        c.type->build(c.index, &space, &columns, &executor);
        const dun_reach reach = c.type->reach(c.index, radius);
        assert_true(c.type->max_ranges(c.index, &reach, true) <= own && c.type->max_ranges(c.index, &reach, false) <= others);
        assert_true(c.type->cells(c.index) <= cells && dun_heap_bytes(c.heap) == bytes);
        for (int a = 0; a < space.dimensions; a++) test_array_check(&c.to[a]);
    }
    crowd_free(&c);
}

/* After auto has taken the tree, max_ranges() still allows for the ranges of the grid in the next frame. */
TEST(room_for_ranges_suffices_for_either_index) {
    test_random random = {.state = 36};
    const dun_space space = {.dimensions = 3, .open = true, .size = {1, 1, 1}, .radius = 1.0f};
    crowd c = crowd_new(&dun_auto_index, &space, 2048);
    for (uint32_t i = 0; i < c.count; i++) {
        c.from[0].at[i] = 128.0f * (float)(i / 128) + test_uniform(&random, -1.0f, 1.0f);
        for (int a = 1; a < 3; a++) c.from[a].at[i] = test_uniform(&random, -1.0f, 1.0f);
    }
    crowd_sort(&c);
    assert_int_equal(c.type->cells(c.index), c.count / 8); /* the tree's */
    const float radius = 10.0f;
    const dun_reach reach = c.type->reach(c.index, radius);
    const uint32_t own = c.type->max_ranges(c.index, &reach, true), others = c.type->max_ranges(c.index, &reach, false);
    for (int a = 0; a < 3; a++)
        for (uint32_t i = 0; i < c.count; i++) c.from[a].at[i] = test_uniform(&random, -16.0f, 16.0f);
    crowd_sort(&c);
    assert_true(c.type->cells(c.index) > c.count); /* the grid's */
    const dun_reach now = c.type->reach(c.index, radius);
    assert_true(c.type->max_ranges(c.index, &now, true) <= own && c.type->max_ranges(c.index, &now, false) <= others);
    crowd_free(&c);
}
