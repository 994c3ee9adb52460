/* SPDX-License-Identifier: MIT */
/*
 * Parts of a flock: an index that holds only some agents of a flock, and knows their total number, has the whole flock's
 * cells. For each of its agents it lists the candidates of the whole flock's index, except those that it does not hold.
 */
#include "spatial/grid.h"
#include "tests/lib/crowds.h"

/* A sorted crowd whose agents have numbers, in storage order. */
typedef struct part {
    crowd crowd;
    test_array from, to;
    const dun_word *number; /* [crowd.count] */
} part;

static void part_sort(part *p) {
    const dun_executor executor = test_executor_serial(1);
    crowd *c = &p->crowd;
    const int axes = c->space.dimensions;
    dun_columns columns = {.agents = c->count, .columns = axes + 1};
    for (int a = 0; a <= axes; a++) {
        columns.from[a] = (const dun_word *)(a < axes ? &c->from[a] : &p->from)->at;
        columns.to[a] = (dun_word *)(a < axes ? &c->to[a] : &p->to)->at;
    }
    for (int a = 0; a < axes; a++) c->position[a] = c->type->sorts ? c->to[a].at : c->from[a].at;
    p->number = c->type->sorts ? columns.to[axes] : columns.from[axes];
    assert_true(c->type->reserve(c->index, &c->space, c->count, executor.workers));
    c->type->build(c->index, &c->space, &columns, &executor);
}

static part part_new(const dun_index_type *type, const dun_space *space, uint32_t count) {
    return (part){.crowd = crowd_new(type, space, count), .from = test_array_new(count), .to = test_array_new(count)};
}

static part whole_new(test_random *random, const dun_index_type *type, const dun_space *space, crowd_layout layout) {
    part whole = part_new(type, space, crowd_some_count(random));
    crowd_scatter(random, &whole.crowd, layout);
    for (uint32_t i = 0; i < whole.crowd.count; i++) ((dun_word *)whole.from.at)[i] = i;
    part_sort(&whole);
    return whole;
}

/* A random part, in the order in which its agents lie in the whole before it is sorted. */
static part part_of(test_random *random, const part *whole, bool held[CROWD_MAX]) {
    dun_space space = whole->crowd.space;
    space.agents = whole->crowd.count;
    const uint32_t one_in = 1 + test_below(random, 4);
    uint32_t count = 0;
    for (uint32_t i = 0; i < whole->crowd.count; i++) count += held[i] = test_below(random, one_in) == 0;
    part p = part_new(whole->crowd.type, &space, count);
    for (uint32_t i = 0, j = 0; i < whole->crowd.count; i++) {
        if (!held[i]) continue;
        for (int a = 0; a < space.dimensions; a++) p.crowd.from[a].at[j] = whole->crowd.from[a].at[i];
        ((dun_word *)p.from.at)[j++] = i;
    }
    part_sort(&p);
    return p;
}

static void part_free(part *p) {
    crowd_free(&p->crowd);
    test_array_free(&p->from);
    test_array_free(&p->to);
}

/* ---- candidates of an agent -------------------------------------------------------------------------------------------- */

/* Lists the candidates of the agent in this slot: twice the number of each, plus 1 if its offset folds. Returns their count. */
static uint32_t candidates(const part *p, uint32_t slot, float radius, const bool held[CROWD_MAX], uint32_t out[CROWD_MAX]) {
    const crowd *c = &p->crowd;
    dun_query query = {.packet = {slot, 1}, .own = true, .reach = c->type->reach(c->index, radius)};
    for (int a = 0; a < c->space.dimensions; a++) query.position[a] = c->position[a];
    dun_range ranges[CROWD_MAX];
    const uint32_t count = c->type->list_ranges(c->index, &query, ranges);
    uint32_t listed = 0;
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t j = ranges[r].begin; j < ranges[r].end; j++)
            if (held[p->number[j]]) out[listed++] = 2 * p->number[j] + ranges[r].folds;
    return listed;
}

static void check_part(const part *whole, const part *p, const bool held[CROWD_MAX], float radius) {
    uint32_t want[CROWD_MAX], got[CROWD_MAX], slot = 0;
    assert_int_equal(whole->crowd.type->cells(whole->crowd.index), p->crowd.type->cells(p->crowd.index));
    for (uint32_t i = 0; i < whole->crowd.count; i++) {
        if (!held[whole->number[i]]) continue;
        assert_int_equal(p->number[slot], whole->number[i]);
        const uint32_t count = candidates(whole, i, radius, held, want);
        assert_int_equal(candidates(p, slot, radius, held, got), count);
        assert_memory_equal(got, want, count * sizeof *want);
        slot++;
    }
    assert_int_equal(slot, p->crowd.count);
}

TEST_EACH(a_part_has_the_cells_of_the_whole, round, 0, TEST_ROUNDS(1500)) {
    static const dun_index_type *const types[] = {&dun_grid_index, &dun_auto_index, &dun_brute_index};
    static test_random random = {.state = 40};
    const dun_space space = crowd_some_space(&random);
    part whole = whole_new(&random, types[round % 5 / 2], &space, (crowd_layout)(round % LAYOUTS));
    bool held[CROWD_MAX];
    part p = part_of(&random, &whole, held);
    if (p.crowd.count || whole.crowd.type->sorts) check_part(&whole, &p, held, crowd_some_radius(&random, &space));
    part_free(&whole);
    part_free(&p);
}

/* `auto` takes the tree for a long line of agents. A part does not know how the whole is spread, so all parts take the grid. */
TEST(parts_agree_on_an_index) {
    enum { LINE = 300000 };
    dun_space space = {.dimensions = 3, .open = true, .size = {1, 1, 1}, .radius = 1.0f};
    uint64_t cells[2];
    for (int told = 0; told < 2; told++) {
        space.agents = told ? LINE : 0;
        crowd c = crowd_new(&dun_auto_index, &space, LINE);
        for (uint32_t i = 0; i < LINE; i++) c.from[0].at[i] = (float)i;
        for (int a = 1; a < 3; a++) memset(c.from[a].at, 0, LINE * sizeof *c.from[a].at);
        crowd_sort(&c);
        cells[told] = c.type->cells(c.index);
        crowd_free(&c);
    }
    assert_true(cells[0] < LINE && cells[1] > LINE);
}

/* As many cells along an axis as a table has, or fewer, or more. */
static void lengthen(test_random *random, dun_space *space) {
    space->size[test_below(random, (uint32_t)space->dimensions)] = space->radius * (float)(1 + test_below(random, 400));
}

/* Cells follow from the whole flock's number, which another part's births and deaths change. Numbers that are found while
 * agents move, for the next step, are then those of that step's cells, or found again. */
TEST_EACH(numbers_are_those_of_the_cells, round, 0, TEST_ROUNDS(6000)) {
    const dun_executor executor = test_executor_serial(1);
    static test_random random = {.state = 41};
    dun_space space = crowd_some_space(&random);
    lengthen(&random, &space);
    space.agents = 1 + crowd_some_count(&random);
    crowd c = crowd_new(&dun_grid_index, &space, crowd_some_count(&random));
    crowd_scatter(&random, &c, (crowd_layout)(round % LAYOUTS));
    crowd_sort(&c);
    dun_columns columns = {.agents = c.count, .columns = space.dimensions};
    for (int a = 0; a < space.dimensions; a++) columns.from[a] = (const dun_word *)c.position[a];
    dun_cells cells;
    uint32_t *next = c.type->next_cells(c.index, &cells), want[CROWD_MAX];
    if (next) dun_grid_keys(c.index, &columns, 0, c.count, next);
    columns.numbered = next;
    space.agents = 1 + crowd_some_count(&random);
    assert_true(c.type->reserve(c.index, &space, c.count, executor.workers));
    dun_grid_shape(c.index, &space, c.count);
    dun_grid_keys(c.index, &columns, 0, c.count, want);
    assert_memory_equal(dun_grid_numbers(c.index, &columns, 0, &executor), want, c.count * sizeof *want);
    crowd_free(&c);
}
