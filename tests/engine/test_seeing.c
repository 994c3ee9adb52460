/* SPDX-License-Identifier: MIT */
/*
 * Which agents an agent sees: fields of view, shells, the nearest, the first. Worked out by hand, and the same however it is
 * computed.
 */
#include "tests/lib/scene.h"

static const float quarter = 1.57079637f; /* of a turn, in radians */

/* Agent 0 in the middle moves along x. Cohesion turns it towards the mean of the agents that it sees. */
static scene looking(int dimensions, float vx) {
    scene s = scene_empty(dimensions);
    scene_direct(&s, DUNLIN_RULE_COHESION, 10);
    scene_add(&s, 50, 50, 50, vx, 0, 0);
    return s;
}

static uint32_t place(scene *s, float x, float y, float z) {
    return scene_rest(s, 50 + x, 50 + y, 50 + z);
}

/* Fails unless the one neighbour at that offset is seen, or is not seen, as expected. */
static void expect_seen(const scene *empty, float x, float y, float z, bool seen) {
    scene s = *empty;
    const float *v = s.velocity[0];
    place(&s, x, y, z);
    scene_expect_velocity(&s, 0, (double)(v[0] + seen * x), (double)(v[1] + seen * y), (double)(v[2] + seen * z));
}

/* ---- fields of view ---------------------------------------------------------------------------------------------------- */

TEST(half_a_turn_is_all_around) {
    scene s = looking(2, 1);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 2 * quarter;
    expect_seen(&s, -5, 0, 0, true);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 0;
    expect_seen(&s, -5, 0, 0, true);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 3;
    expect_seen(&s, -5, 0, 0, false);
    expect_seen(&s, -5, 1, 0, true);      /* 2.94 */
    expect_seen(&s, -5, -0.5f, 0, false); /* 3.04 */
    expect_seen(&s, 5, 0, 0, true);
}

TEST(each_rule_has_its_view) {
    scene s = looking(2, 1);
    scene_direct(&s, DUNLIN_RULE_SEPARATION, 10);
    scene_direct(&s, DUNLIN_RULE_ALIGNMENT, 10);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = 0.5f;
    s.rules.rules[DUNLIN_RULE_ALIGNMENT].half_angle = quarter;
    place(&s, 4, 0, 0);
    place(&s, 1, 5, 0);
    place(&s, -2, 0, 0);
    s.velocity[1][1] = 6;
    s.velocity[3][1] = 100;
    /* pushed by all: -(4, 0)/16 - (1, 5)/26 + (2, 0)/4; aligned with two: (0, 6)/2 - (1, 0); drawn to one: (4, 0) */
    scene_expect_velocity(&s, 0, 1 - 0.25 - 1.0 / 26 + 0.5 - 1 + 4, -5.0 / 26 + 3, 0);
}

/* ---- shells ------------------------------------------------------------------------------------------------------------ */

TEST(each_rule_has_its_shell) {
    scene s = looking(2, 1);
    scene_direct(&s, DUNLIN_RULE_SEPARATION, 10);
    scene_direct(&s, DUNLIN_RULE_ALIGNMENT, 10);
    s.rules.rules[DUNLIN_RULE_SEPARATION].falloff = DUNLIN_FALLOFF_LINEAR;
    s.rules.rules[DUNLIN_RULE_SEPARATION].min_radius = 3;
    s.rules.rules[DUNLIN_RULE_COHESION].min_radius = 8;
    place(&s, 0, 2, 0);
    place(&s, 0, 5, 0);
    place(&s, 0, 8, 0);
    for (int i = 1; i < 4; i++) s.velocity[i][0] = (float)(3 * i);
    /* pushed by the two that are farther: 1 - 5/10 and 1 - 8/10; aligned with all three: (6, 0) - (1, 0); drawn to the last */
    scene_expect_velocity(&s, 0, 1 + 5, -0.5 - 0.2 + 8, 0);
}

/* ---- the nearest ------------------------------------------------------------------------------------------------------- */

TEST(only_the_nearest_are_seen) {
    scene s = looking(2, 1);
    place(&s, 4, 0, 0);
    place(&s, 0, -3, 0);
    place(&s, -6, 0, 0);
    s.rules.nearest = 1;
    scene_expect_velocity(&s, 0, 1, -3, 0);
    s.rules.nearest = 2;
    scene_expect_velocity(&s, 0, 1 + 2, -1.5, 0);
    s.rules.nearest = 3;
    scene_expect_velocity(&s, 0, 1 - 2.0 / 3, -1, 0);
    s.rules.nearest = 7;
    scene_expect_velocity(&s, 0, 1 - 2.0 / 3, -1, 0);
    s.rules.nearest = 8;
    scene_expect_velocity(&s, 0, 1 - 2.0 / 3, -1, 0);
    s.rules.nearest = 32;
    scene_expect_velocity(&s, 0, 1 - 2.0 / 3, -1, 0);
}

/* The grid and the tree store those on the left first, brute force those with the lower ids. */
TEST(the_minimum_ids_of_equally_near_agents_are_seen) {
    for (int mirror = -1; mirror < 2; mirror += 2) {
        const float left = (float)mirror;
        scene s = looking(2, 0);
        place(&s, 5 * left, 0, 0);
        place(&s, -5 * left, 0, 0);
        place(&s, 3 * left, 4, 0);
        place(&s, -3 * left, -4, 0);
        s.rules.nearest = 1;
        scene_expect_velocity(&s, 0, (double)(5 * left), 0, 0);
        s.rules.nearest = 2;
        scene_expect_velocity(&s, 0, 0, 0, 0);
        s.rules.nearest = 3;
        scene_expect_velocity(&s, 0, (double)left, 4.0 / 3, 0);
        place(&s, left, 0, 0); /* it is nearer, so one of the others is not seen */
        scene_expect_velocity(&s, 0, (double)left / 3, 0, 0);
    }
}

/* Agents behind do not count among the nearest, nor do those inside the shell. */
TEST(the_nearest_are_among_those_that_a_rule_counts) {
    scene s = looking(2, 1);
    place(&s, -2, 0, 0);
    place(&s, 6, 0, 0);
    place(&s, 8, 0, 0);
    s.rules.nearest = 1;
    scene_expect_velocity(&s, 0, 1 - 2, 0, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].half_angle = quarter;
    scene_expect_velocity(&s, 0, 1 + 6, 0, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].min_radius = 7;
    scene_expect_velocity(&s, 0, 1 + 8, 0, 0);
    scene_direct(&s, DUNLIN_RULE_SEPARATION, 3); /* counts the agent behind, which then is the nearest */
    scene_expect_velocity(&s, 0, 1 + 0.5, 0, 0);
    s.rules.nearest = 2;
    scene_expect_velocity(&s, 0, 1 + 0.5 + 8, 0, 0);
}

/* ---- the first --------------------------------------------------------------------------------------------------------- */

/* All indexes store these in the order of x: the world is small enough for a grid that is not folded. */
TEST(only_the_first_are_seen) {
    scene s = scene_empty(2);
    s.world.size[0] = s.world.size[1] = 32;
    scene_direct(&s, DUNLIN_RULE_COHESION, 10);
    scene_rest(&s, 8, 16, 0);
    scene_rest(&s, 12, 16, 0);
    scene_add(&s, 16, 16, 0, 0, 1, 0);
    scene_rest(&s, 22, 16, 0);
    s.rules.max_neighbours = 1;
    scene_expect_velocity(&s, 2, -8, 1, 0);
    s.rules.max_neighbours = 2;
    scene_expect_velocity(&s, 2, -6, 1, 0);
    s.rules.max_neighbours = 3;
    scene_expect_velocity(&s, 2, -2, 1, 0);
    s.rules.max_neighbours = INT32_MAX;
    scene_expect_velocity(&s, 2, -2, 1, 0);
    s.rules.nearest = 2;
    s.rules.max_neighbours = 1; /* of the nearest two */
    scene_expect_velocity(&s, 2, -4, 1, 0);
    s.rules.nearest = 0;
    s.rules.rules[DUNLIN_RULE_COHESION].min_radius = 5; /* agents that do not count take no place */
    s.rules.max_neighbours = 2;
    scene_expect_velocity(&s, 2, -1, 1, 0);
}

/* ---- however it is computed -------------------------------------------------------------------------------------------- */

static dunlin_interaction_def any_sight(int variant) {
    dunlin_interaction_def def = world_flocking_rules(6);
    for (int r = 0; r < DUNLIN_RULE_COUNT; r++) {
        def.rules[r].response = DUNLIN_RESPONSE_DIRECT;
        if (variant & 1) def.rules[r].half_angle = 2.0f;
    }
    if (variant & 2) def.rules[DUNLIN_RULE_COHESION].half_angle = 1.0f;
    if (variant & 4) def.nearest = variant & 16 ? 12 : 5;
    if (variant & 8) def.rules[DUNLIN_RULE_COHESION].min_radius = 3;
    if (variant & 32) def.max_neighbours = 9;
    return def;
}

static dunlin_world *crowd(const dunlin_world_def *def, const dunlin_interaction_def *rules) {
    dunlin_world *world = world_create(def);
    dunlin_species_def species = dunlin_species_def_default();
    species.max_force = 1e6f;
    species.max_speed = 1e6f;
    world_add_species(world, &species);
    world_add_interaction(world, rules);
    return world;
}

/*
 * On a lattice with short velocities all sums are exact, so that their order does not matter. Many neighbours are equally
 * near.
 */
static void spawn_lattice(dunlin_world *world, uint32_t count) {
    test_random random = {5};
    for (uint32_t i = 0; i < count; i++) {
        float position[3], velocity[3];
        for (int a = 0; a < 3; a++) {
            position[a] = 0.5f * (float)test_below(&random, 64);
            velocity[a] = (float)test_below(&random, 9) - 4.0f;
        }
        world_spawn(world, 0, position, velocity);
    }
}

static uint64_t lattice_hash(const char *index, int dimensions, int variant, uint64_t *seen) {
    dunlin_world_def def = world_def_with((world_parts){.dimensions = dimensions});
    for (int a = 0; a < 3; a++) def.size[a] = 32;
    def.index = index;
    dunlin_interaction_def rules = any_sight(variant);
    rules.rules[DUNLIN_RULE_SEPARATION].radius = 0; /* its push is not exact */
    dunlin_world *world = crowd(&def, &rules);
    spawn_lattice(world, TEST_SLOW ? 300 : dimensions == 3 ? 1000 : 600);
    world_run(world, 1);
    const uint64_t hash = dunlin_world_state_hash(world);
    *seen = dunlin_world_stats(world).pairs_useful;
    world_destroy(world);
    return hash;
}

TEST_EACH(every_index_sees_what_all_pairs_see, variant, 1, 32) {
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        uint64_t grid, tree, brute;
        const uint64_t hash = lattice_hash("brute", dimensions, variant, &brute);
        assert_true(lattice_hash("grid", dimensions, variant, &grid) == hash);
        assert_true(lattice_hash("tree", dimensions, variant, &tree) == hash);
        assert_true(grid == brute && tree == brute && brute > 0);
    }
}
