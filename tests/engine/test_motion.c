/* SPDX-License-Identifier: MIT */
/* Forces become motion: integrators, limits, drag and friction; and species that observe each other. */
#include "tests/lib/scene.h"

/* Feels the force (3, 4) while it runs at (1, 2). */
static scene pulled(void) {
    scene s = scene_empty(2);
    scene_add(&s, 10, 10, 0, 1, 2, 0);
    scene_rest(&s, 13, 14, 0);
    scene_direct(&s, DUNLIN_RULE_COHESION, 10);
    return s;
}

/* ---- integrators ------------------------------------------------------------------------------------------------------- */

TEST(semi_implicit_moves_with_the_new_velocity) {
    scene s = pulled();
    s.world.time_step = 0.5f;
    scene_expect_velocity(&s, 0, 1 + 1.5, 2 + 2, 0);
    scene_expect_position(&s, 0, 10 + 1.25, 10 + 2, 0);
}

TEST(explicit_moves_with_the_old_velocity) {
    scene s = pulled();
    s.world.time_step = 0.5f;
    s.world.integrator = DUNLIN_INTEGRATOR_EXPLICIT;
    scene_expect_velocity(&s, 0, 1 + 1.5, 2 + 2, 0);
    scene_expect_position(&s, 0, 10 + 0.5, 10 + 1, 0);
}

TEST(explicit_moves_with_the_old_velocity_before_any_limit) {
    scene s = scene_empty(2);
    s.world.integrator = DUNLIN_INTEGRATOR_EXPLICIT;
    s.species.max_speed = 5;
    s.species.drag = 0.5f;
    scene_add(&s, 10, 10, 0, 30, 40, 0);
    scene_expect_velocity(&s, 0, 1.5, 2, 0);
    scene_expect_position(&s, 0, 40, 50, 0);
    s.steps = 2;
    scene_expect_position(&s, 0, 41.5, 52, 0);
}

TEST(forces_that_are_increments_are_not_scaled_by_time) {
    scene s = pulled();
    s.world.time_step = 0.25f;
    s.world.forces_are_increments = true;
    scene_expect_velocity(&s, 0, 4, 6, 0);
    scene_expect_position(&s, 0, 11, 11.5, 0);
}

/* ---- limits and drag --------------------------------------------------------------------------------------------------- */

/* Clamp, then drag, then move. */
TEST(drag_comes_after_the_limits_and_before_moving) {
    scene s = scene_empty(2);
    s.species.min_speed = 8;
    s.species.max_speed = 10;
    s.species.drag = 0.25f;
    const uint32_t fast = scene_add(&s, 10, 10, 0, 30, 40, 0), slow = scene_add(&s, 50, 10, 0, 0, 4, 0);
    scene_expect_velocity(&s, fast, 4.5, 6, 0);
    scene_expect_position(&s, fast, 14.5, 16, 0);
    scene_expect_velocity(&s, slow, 0, 6, 0);
    s.species.drag = 1;
    scene_expect_velocity(&s, fast, 0, 0, 0);
    scene_expect_position(&s, fast, 10, 10, 0);
}

TEST(drag_is_a_share_of_each_step_whatever_its_length) {
    scene s = scene_empty(2);
    s.species.drag = 0.5f;
    s.world.time_step = 0.125f;
    s.steps = 3;
    scene_add(&s, 10, 10, 0, 8, 0, 0);
    scene_expect_velocity(&s, 0, 1, 0, 0);
    scene_expect_position(&s, 0, 10 + 0.125 * (4 + 2 + 1), 10, 0);
}

/* Clamp to 10, drag to 7.5, friction to 5, then move. */
TEST(friction_comes_after_drag_and_before_moving) {
    scene s = scene_empty(2);
    s.species.max_speed = 10;
    s.species.drag = 0.25f;
    s.species.friction = 2.5f;
    scene_add(&s, 10, 10, 0, 30, 40, 0);
    scene_expect_velocity(&s, 0, 3, 4, 0);
    scene_expect_position(&s, 0, 13, 14, 0);
    s.steps = 3; /* 3.75 - 2.5 = 1.25, and 0.9375 is less than 2.5 */
    scene_expect_velocity(&s, 0, 0, 0, 0);
    scene_expect_position(&s, 0, 13.75, 15, 0);
}

TEST(friction_is_per_time_unit_whatever_the_mass) {
    scene s = scene_empty(2);
    s.species.friction = 8;
    s.world.time_step = 0.125f;
    s.world.forces_are_increments = true;
    scene_add(&s, 10, 10, 0, 0, 6, 0);
    scene_expect_velocity(&s, 0, 0, 5, 0);
    s.steps = 3;
    scene_expect_velocity(&s, 0, 0, 3, 0);
    scene_expect_position(&s, 0, 10, 10 + 0.125 * (5 + 4 + 3), 0);
}

/* A force that is not stronger than friction moves nothing; a stronger one moves by the difference. */
TEST(friction_holds_an_agent_at_rest) {
    scene s = scene_empty(2);
    scene_rest(&s, 10, 10, 0);
    s.steps = 5;
    scene_behave(&s, DUNLIN_BEHAVIOUR_FORCE)->force[0] = 0.5f;
    s.species.friction = 0.5f;
    scene_expect_position(&s, 0, 10, 10, 0);
    s.species.friction = 0.25f;
    scene_expect_velocity(&s, 0, 1.25, 0, 0);
}

TEST(tiny_and_huge_speeds_keep_their_direction) {
    scene s = scene_empty(2);
    s.species.min_speed = 5;
    s.species.max_speed = 10;
    s.world.time_step = 1e-9f;
    scene_add(&s, 10, 10, 0, 3e-15f, 4e-15f, 0);
    scene_add(&s, 10, 20, 0, 6e8f, -8e8f, 0);
    scene_expect_velocity(&s, 0, 3, 4, 0);
    scene_expect_velocity(&s, 1, 6, -8, 0);
}

/* ---- without speed ----------------------------------------------------------------------------------------------------- */

enum { GRASS, HARES, GRASSES = 200 };

/* All that can move a species. */
static void busy(dunlin_world *world) {
    const int dimensions = dunlin_world_get_def(world).dimensions;
    const float line[3][2] = {{10, 90}, {20, 80}, {30, 70}};
    dunlin_path_def lead = dunlin_path_def_default(world);
    lead.count = 2;
    for (int a = 0; a < dimensions; a++) lead.points[a] = line[a];
    world_add_path(world, &lead);
    world_add_field(world, NULL);
    const dunlin_field_source gusts = dunlin_field_source_default(world, DUNLIN_FIELD_RANDOM);
    ACCEPT(dunlin_world_fill_field(world, 0, &gusts, &refusal));
    /* It is so thin that no agent is inside, to be put outside. */
    const dunlin_obstacle_def wall = {.shape = DUNLIN_OBSTACLE_CAPSULE, .a = {50, 20, 50}, .b = {50, 80, 50}};
    world_obstruct(world, &wall, 1);
    for (int kind = 0; kind < DUNLIN_BEHAVIOUR_CUSTOM; kind++) {
        dunlin_behaviour_def def = dunlin_behaviour_def_default(world, (dunlin_behaviour_kind)kind);
        def.radius = 20;
        def.sidestep.observed = HARES;
        def.pursuit.prediction = DUNLIN_PREDICTION_BY_DISTANCE;
        def.target.kind = kind % 2 ? DUNLIN_TARGET_NEAREST : DUNLIN_TARGET_CENTRE;
        def.target.species = HARES;
        for (int a = 0; a < dimensions; a++) def.contain.margin[a] = 10;
        def.force[0] = 3;
        def.linear_drag = def.quadratic_drag = 1;
        world_add_behaviour(world, &def);
    }
}

/* Grass observes itself and hares; hares observe grass. */
static dunlin_world *meadow(const dunlin_world_def *def) {
    dunlin_world *world = world_create(def);
    dunlin_species_def species = dunlin_species_def_default();
    species.name = "grass";
    species.max_speed = 0;
    species.max_force = 5;
    species.obstacles_block = true;
    world_add_species(world, &species);
    species = dunlin_species_def_default();
    species.name = "hares";
    world_add_species(world, &species);
    dunlin_interaction_def rules = world_flocking_rules(15);
    world_add_interaction(world, &rules);
    rules.observed = HARES;
    rules.rules[DUNLIN_RULE_SEPARATION].response = DUNLIN_RESPONSE_DIRECT;
    rules.rules[DUNLIN_RULE_ALIGNMENT].response = DUNLIN_RESPONSE_UNIT;
    rules.in_turn = true;
    world_add_interaction(world, &rules);
    rules = world_flocking_rules(15);
    rules.observer = HARES;
    rules.observed = GRASS;
    world_add_interaction(world, &rules);
    busy(world);
    return world;
}

/* Scattered agents have a velocity; one agent rests. */
static void sow(dunlin_world *world) {
    dunlin_scatter_def everywhere = dunlin_scatter_def_default(world);
    everywhere.count = GRASSES;
    for (int s = GRASS; s <= HARES; s++) ACCEPT(dunlin_world_scatter(world, s, &everywhere, &refusal));
    world_spawn(world, GRASS, (const float[]){4, 5, 6}, (const float[]){0, 0, 0});
}

static void note_places(const dunlin_world *world, int dimensions, float places[][3]) {
    const dunlin_view view = dunlin_world_view(world, GRASS);
    for (uint32_t i = 0; i < view.count; i++)
        for (int a = 0; a < dimensions; a++) places[view.id[i]][a] = view.position[a][i];
}

static void expect_rest(const dunlin_world *world, int dimensions, float places[][3]) {
    const dunlin_view view = dunlin_world_view(world, GRASS);
    assert_int_equal(view.count, GRASSES + 1);
    for (uint32_t i = 0; i < view.count; i++)
        for (int a = 0; a < dimensions; a++)
            assert_true(view.velocity[a][i] == 0 && view.position[a][i] == places[view.id[i]][a]);
}

/* With any force, and with the same bits in every kernel, down to the signs of zeros. */
TEST_EACH(agents_with_max_speed_0_stay, dimensions, 2, 4) {
    uint64_t hash[WORLD_INDEXES];
    for (int v = 0; v < world_variant_count(); v++) {
        static float places[2 * GRASSES + 1][3];
        dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
        def.dimensions = dimensions;
        dunlin_world *world = meadow(&def);
        sow(world);
        note_places(world, dimensions, places);
        for (int step = 0; step < 4; step++) {
            world_run(world, 1);
            expect_rest(world, dimensions, places);
        }
        if (v < WORLD_INDEXES) hash[v] = dunlin_world_state_hash(world);
        assert_true(dunlin_world_state_hash(world) == hash[v % WORLD_INDEXES]);
        world_destroy(world);
    }
}

/* Also from a velocity whose square is 0, which no limit finds too large. */
TEST_EACH(the_smallest_velocity_ends_without_speed, v, 0, world_variant_count()) {
    const dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    dunlin_world *world = world_create(&def);
    world_add_fliers(world, "agents", 0);
    world_spawn(world, 0, (const float[]){0, 2, 0}, (const float[]){1e-25f, -1e-30f, 0});
    world_run(world, 1);
    const dunlin_view view = dunlin_world_view(world, 0);
    assert_true(view.velocity[0][0] == 0 && view.velocity[1][0] == 0 && view.position[0][0] == 0);
}

/* An attribute holds some agents of a species still, while others run. */
TEST_EACH(single_agents_can_have_max_speed_0, v, 0, world_variant_count()) {
    const dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    dunlin_world *world = world_without_agents(&def, 10);
    world_add_value(world, 0, "speed", DUNLIN_ROLE_MAX_SPEED, 0);
    world_spawn(world, 0, (const float[]){10, 10, 0}, (const float[]){0.5f, -0.5f, 0});
    world_spawn(world, 0, (const float[]){12, 11, 0}, (const float[]){0.5f, -0.5f, 0});
    ACCEPT(dunlin_world_set_attribute_values(world, 0, 0, (const float[]){0, 2}, &refusal));
    world_run(world, 3);
    const dunlin_view view = dunlin_world_view(world, 0);
    const uint32_t still = dunlin_world_find_agent(world, 0).index, other = 1 - still;
    assert_true(view.position[0][still] == 10 && view.position[1][still] == 10 && view.velocity[0][still] == 0);
    assert_true(view.position[0][other] != 12 && isfinite(view.position[0][other]));
}

/* ---- many at one point ------------------------------------------------------------------------------------------------- */

TEST_EACH(all_agents_at_one_point, v, 0, world_variant_count()) {
    enum { AGENTS = 1500 };
    dunlin_world_def def = world_def_for(dunlin_world_def_default(), world_variant_at(v));
    def.dimensions = 2 + v / 2 % 2;
    dunlin_world *world = world_without_agents(&def, 10);
    dunlin_scatter_def at_one_point = dunlin_scatter_def_default(world);
    at_one_point.count = AGENTS;
    at_one_point.min_speed = 0.5f;
    for (int a = 0; a < 3; a++) at_one_point.extent[a] = 0;
    ACCEPT(dunlin_world_scatter(world, 0, &at_one_point, &refusal));
    world_run(world, 1);
    assert_int_equal(dunlin_world_stats(world).pairs_useful, AGENTS * (AGENTS - 1));
    world_run(world, 2);
    const dunlin_view view = dunlin_world_view(world, 0);
    for (uint32_t i = 0; i < view.count; i++)
        for (int a = 0; a < def.dimensions; a++) assert_true(isfinite(view.position[a][i]) && isfinite(view.velocity[a][i]));
}

/* ---- species ----------------------------------------------------------------------------------------------------------- */

enum { HAWK, DOVE, MOTH };

/* A hawk, a dove and a moth within sight of each other; no interaction yet. */
static dunlin_world *three_species(world_variant variant) {
    static const char *const names[] = {"hawk", "dove", "moth"};
    const dunlin_world_def def = world_def_for(scene_empty(2).world, variant);
    dunlin_world *world = world_create(&def);
    for (int s = HAWK; s <= MOTH; s++) {
        world_add_fliers(world, names[s], 1e6f);
        world_spawn(world, s, (const float[]){10 + 3 * (float)s, 10 + 4 * (float)s, 0}, (const float[]){0, (float)s, 0});
    }
    return world;
}

static void observe(dunlin_world *world, int observer, int observed, dunlin_rule_kind rule, float weight) {
    dunlin_interaction_def def = world_interaction(observer, observed);
    def.rules[rule].radius = 7;
    def.rules[rule].response = DUNLIN_RESPONSE_DIRECT;
    def.rules[rule].weight = weight;
    world_add_interaction(world, &def);
}

static void expect_velocity(const dunlin_world *world, int species, double vx, double vy) {
    const dunlin_view view = dunlin_world_view(world, species);
    assert_float_equal((double)view.velocity[0][0], vx, 1e-6);
    assert_float_equal((double)view.velocity[1][0], vy, 1e-6);
}

TEST_EACH(only_the_observer_feels_the_observed, v, 0, world_variant_count()) {
    dunlin_world *world = three_species(world_variant_at(v));
    observe(world, HAWK, DOVE, DUNLIN_RULE_COHESION, 1);
    world_run(world, 1);
    expect_velocity(world, HAWK, 3, 4);
    expect_velocity(world, DOVE, 0, 1);
    expect_velocity(world, MOTH, 0, 2); /* no species observes it, and it observes none: it moves straight */
    assert_float_equal((double)dunlin_world_view(world, MOTH).position[1][0], 20, 1e-6);
}

TEST_EACH(chase_and_flee_at_once, v, 0, world_variant_count()) {
    dunlin_world *world = three_species(world_variant_at(v));
    observe(world, HAWK, DOVE, DUNLIN_RULE_COHESION, 1);
    observe(world, DOVE, HAWK, DUNLIN_RULE_COHESION, -2);
    observe(world, DOVE, MOTH, DUNLIN_RULE_ALIGNMENT, 1);
    world_run(world, 1);
    expect_velocity(world, HAWK, 3, 4);
    expect_velocity(world, DOVE, 6, 1 + 8 + 1);
    expect_velocity(world, MOTH, 0, 2);
}

/* Slots are numbered within a species: the first hawk and the first dove are not the same agent. */
TEST_EACH(observers_see_the_observed_of_the_same_slot, v, 0, world_variant_count()) {
    dunlin_world *world = three_species(world_variant_at(v));
    observe(world, DOVE, DOVE, DUNLIN_RULE_COHESION, 1);
    world_run(world, 1);
    expect_velocity(world, DOVE, 0, 1);
    observe(world, DOVE, MOTH, DUNLIN_RULE_COHESION, 1);
    world_run(world, 1);
    expect_velocity(world, DOVE, 3, 1 + 5);
}

TEST_EACH(an_empty_species_is_observed_and_observes, v, 0, world_variant_count()) {
    dunlin_world *world = three_species(world_variant_at(v));
    const int ghost = world_add_named(world, "ghost");
    observe(world, HAWK, ghost, DUNLIN_RULE_COHESION, 1);
    observe(world, ghost, DOVE, DUNLIN_RULE_COHESION, 1);
    observe(world, ghost, ghost, DUNLIN_RULE_COHESION, 1);
    world_run(world, 2);
    expect_velocity(world, HAWK, 0, 0);
    expect_velocity(world, DOVE, 0, 1);
}
