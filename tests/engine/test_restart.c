/* SPDX-License-Identifier: MIT */
/*
 * A saved simulation continues with the same bits in a fresh world with the same definitions: all that the next step reads is
 * in the state, or follows from it. Here definitions change during a run; test_determinism.c and test_checkpoint.c have worlds
 * that are made as the saved one was.
 */
#include "tests/lib/golden_worlds.h"
#include "tests/lib/stream.h"

static const char path[] = "restart.csv";

enum { PREY, HAWKS };
enum { AGENTS = 250, BREAK = 20, STEPS = 45 };

/* ---- changes during a run ----------------------------------------------------------------------------------------------- */

/* The number of a behaviour whose target is a point that moves. */
static int moving_target(const dunlin_world *world) {
    int number = 0;
    while (dunlin_world_get_behaviour(world, number).target.velocity[0] == 0) number++;
    return number;
}

static void change_world(dunlin_world *world, float time, float size) {
    dunlin_world_def def = dunlin_world_get_def(world);
    def.time_step *= time;
    for (int a = 0; a < 3; a++) def.size[a] *= size;
    ACCEPT(dunlin_world_set_def(world, &def, &refusal));
}

static void change_others(dunlin_world *world) {
    static const float points[] = {10, 40, 30, 20};
    dunlin_meal_def meal = dunlin_world_get_meal(world, 0);
    meal.radius = 2;
    ACCEPT(dunlin_world_set_meal(world, 0, &meal, &refusal));
    dunlin_species_def prey = dunlin_world_get_species(world, PREY);
    prey.max_speed = 1.3f;
    ACCEPT(dunlin_world_set_species(world, PREY, &prey, &refusal));
    dunlin_interaction_def rules = dunlin_world_get_interaction(world, 0);
    rules.nearest = 3;
    ACCEPT(dunlin_world_set_interaction(world, 0, &rules, &refusal));
    dunlin_path_def way = dunlin_world_get_path(world, 0);
    way.count = 4;
    for (int a = 0; a < 3; a++) way.points[a] = points;
    ACCEPT(dunlin_world_set_path(world, 0, &way, &refusal));
}

/* Changes by a schedule, before the step of that number. */
static void change(dunlin_world *world, int step) {
    const int number = moving_target(world);
    dunlin_behaviour_def pursue = dunlin_world_get_behaviour(world, number);
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(world, DUNLIN_BEHAVIOUR_SEEK);
    dunlin_field_source noise = dunlin_field_source_default(world, DUNLIN_FIELD_NOISE);
    seek.target.velocity[0] = seek.target.velocity[1] = 1.0f / 3;
    noise.noise.rate = 0.1f;
    if (step == 3) world_add_behaviour(world, &seek);
    if (step == 5 || step == 13) change_world(world, 0.7f, 1);
    if (step == 6) ACCEPT(dunlin_world_fill_field(world, 0, &noise, &refusal));
    if (step == 7) pursue.target.velocity[0] = -0.9f; /* it begins again */
    if (step == 11) change_world(world, 1, 1.3f);     /* targets begin again from where they are */
    if (step == 12) change_others(world);
    pursue.weight = 0.01f * (float)step; /* it continues */
    ACCEPT(dunlin_world_set_behaviour(world, number, &pursue, &refusal));
}

/* ---- simulations -------------------------------------------------------------------------------------------------------- */

static void assert_same(dunlin_world *a, dunlin_world *b, int step) {
    if (dunlin_world_state_hash(a) != dunlin_world_state_hash(b)) fail_msg("another state after step %d", step);
    assert_true(dunlin_world_stats(a).time == dunlin_world_stats(b).time);
    assert_int_equal(dunlin_world_stats(a).step, dunlin_world_stats(b).step);
    for (int n = 0; n < dunlin_world_behaviour_count(a); n++) {
        const dunlin_behaviour_def left = dunlin_world_get_behaviour(a, n), right = dunlin_world_get_behaviour(b, n);
        assert_memory_equal(left.target.position, right.target.position, sizeof left.target.position);
    }
}

/* Files do not hold the numbers of traces. */
static void ignore_traces(dunlin_world *world) {
    for (int n = 0; n < dunlin_world_behaviour_count(world); n++) {
        dunlin_behaviour_def def = dunlin_world_get_behaviour(world, n);
        if (def.kind != DUNLIN_BEHAVIOUR_FLOW || def.flow.field != dunlin_world_get_trace(world, 0).field) continue;
        def.weight = 0;
        ACCEPT(dunlin_world_set_behaviour(world, n, &def, &refusal));
    }
}

/* A world with the definitions of another one, by which a simulation is carried on. */
static dunlin_world *twin(const dunlin_world *from) {
    const dunlin_world_def how = dunlin_world_get_def(from);
    dunlin_world *to = NULL;
    stream s = {.bytes = NULL};
    ACCEPT(dunlin_world_save_definitions_to(from, stream_put, &s, &refusal));
    ACCEPT(dunlin_world_create_from(&how, stream_take, connect_reserve, &s, &to, &refusal));
    free(s.bytes);
    return to;
}

/* How a simulation gets into another world. */
typedef void carry_fn(const dunlin_world *from, dunlin_world *to);

static void by_file(const dunlin_world *from, dunlin_world *to) {
    ACCEPT(dunlin_world_save(from, path, &refusal));
    ACCEPT(dunlin_world_load(to, path, &refusal));
    remove(path);
}

static void by_checkpoint(const dunlin_world *from, dunlin_world *to) {
    stream s = {.bytes = NULL};
    ACCEPT(dunlin_world_save_to(from, stream_put, &s, &refusal));
    ACCEPT(dunlin_world_restore_from(to, stream_take, &s, &refusal));
    free(s.bytes);
}

static carry_fn *const ways[] = {by_file, by_checkpoint};
enum { WAYS = 2 };

static void restart(dunlin_world_def def, int stop, carry_fn *carry) {
    dunlin_world *run = world_create(&def);
    uint64_t births = 0, deaths = 0;
    furnish_reserve(run);
    if (carry == by_file) ignore_traces(run);
    world_scatter(run, PREY, AGENTS);
    world_scatter(run, HAWKS, 10);
    for (int step = 0; step < stop; step++) {
        change(run, step);
        world_run(run, 1);
        births += dunlin_world_stats(run).births;
        deaths += dunlin_world_stats(run).deaths;
    }
    if (stop == BREAK) assert_true(births > 20 && deaths > 20);
    dunlin_world *loaded = twin(run);
    carry(run, loaded);
    assert_same(run, loaded, stop);
    for (int step = stop; step < STEPS; step++) {
        change(run, step);
        change(loaded, step);
        world_run(run, 1);
        world_run(loaded, 1);
        assert_same(run, loaded, step);
    }
    world_destroy(run);
    world_destroy(loaded);
}

static dunlin_world_def def_of(int dimensions, dunlin_boundary boundary) {
    dunlin_world_def def = dunlin_world_def_default();
    define_reserve(&def);
    def.dimensions = dimensions;
    def.boundary = boundary;
    def.threads = 2;
    return def;
}

TEST(a_rich_world_goes_on_bit_for_bit) {
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int boundary = DUNLIN_BOUNDARY_PERIODIC; boundary <= DUNLIN_BOUNDARY_OPEN; boundary++)
            for (int w = 0; w < WAYS; w++) restart(def_of(dimensions, (dunlin_boundary)boundary), BREAK, ways[w]);
}

/* Right before and after each change, too. */
TEST(a_simulation_can_be_saved_after_any_step) {
    for (int stop = 0; stop < BREAK; stop += TEST_SLOW ? 3 : 1)
        for (int w = 0; w < WAYS; w++) restart(def_of(2, DUNLIN_BOUNDARY_PERIODIC), stop, ways[w]);
}

/* For each index, since each stores agents in another order. */
TEST_EACH(a_simulation_goes_on_with_every_index, i, 0, WORLD_INDEXES) {
    dunlin_world_def def = def_of(2, DUNLIN_BOUNDARY_PERIODIC);
    def.index = world_indexes[i];
    for (int w = 0; w < WAYS; w++) restart(def, BREAK, ways[w]);
}

/* Its initial position and the time of that position are saved. */
TEST(a_target_that_was_added_late_goes_on) {
    dunlin_world *run = world_of(NULL, 5, 50);
    world_run(run, 37);
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(run, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.velocity[0] = 0.7f;
    world_add_behaviour(run, &seek);
    world_run(run, 5);
    dunlin_world *loaded = world_without_agents(NULL, 5);
    world_add_behaviour(loaded, &seek);
    by_file(run, loaded);
    for (int step = 42; step < 60; step++) {
        assert_same(run, loaded, step);
        world_run(run, 1);
        world_run(loaded, 1);
    }
}

/* In an open world a target may leave the range that a definition has. */
TEST(a_target_that_is_far_away_goes_on) {
    dunlin_world_def def = world_def_with((world_parts){.boundary = DUNLIN_BOUNDARY_OPEN});
    dunlin_world *run = world_of(&def, 5, 50), *loaded = world_without_agents(&def, 5);
    dunlin_behaviour_def seek = dunlin_behaviour_def_default(run, DUNLIN_BEHAVIOUR_SEEK);
    seek.target.velocity[0] = -1e9f;
    world_add_behaviour(run, &seek);
    world_add_behaviour(loaded, &seek);
    for (int step = 0; step < 4; step++) {
        world_run(run, 1);
        def.size[0] += 1; /* again, from there */
        ACCEPT(dunlin_world_set_def(run, &def, &refusal));
    }
    ACCEPT(dunlin_world_set_def(loaded, &def, &refusal));
    by_file(run, loaded);
    assert_true(dunlin_world_get_behaviour(loaded, 0).target.position[0] == -4e9f);
    assert_same(run, loaded, 4);
}
