/* SPDX-License-Identifier: MIT */
/* Single steps, worked out by hand: each rule with each response and falloff. */
#include "tests/lib/scene.h"

/* ---- separation -------------------------------------------------------------------------------------------------------- */

/* The neighbour is 5 away, at (3, 4). */
static scene pair(void) {
    scene s = scene_empty(2);
    scene_rest(&s, 10, 10, 0);
    scene_rest(&s, 13, 14, 0);
    return s;
}

/* The neighbour is 5 away: what half the radius leaves of a linear push. */
TEST_EACH(a_push_depends_on_the_distance, falloff, DUNLIN_FALLOFF_INVERSE, (int)DUNLIN_FALLOFF_CONSTANT + 1) {
    static const double lengths[] = {
        [DUNLIN_FALLOFF_INVERSE] = 1.0 / 5, [DUNLIN_FALLOFF_LINEAR] = 0.5, [DUNLIN_FALLOFF_CONSTANT] = 1};
    scene s = pair();
    scene_direct(&s, DUNLIN_RULE_SEPARATION, 10);
    s.rules.rules[DUNLIN_RULE_SEPARATION].falloff = (dunlin_falloff)falloff;
    scene_expect_velocity(&s, 0, -0.6 * lengths[falloff], -0.8 * lengths[falloff], 0);
    scene_expect_velocity(&s, 1, 0.6 * lengths[falloff], 0.8 * lengths[falloff], 0);
}

/* ---- alignment and cohesion -------------------------------------------------------------------------------------------- */

static scene three(int dimensions) {
    scene s = scene_empty(dimensions);
    const float z = dimensions == 3;
    scene_add(&s, 10, 10, 10 * z, 1, 0, z);
    scene_add(&s, 12, 10, 14 * z, 0, 2, 2 * z);
    scene_add(&s, 10, 13, 12 * z, 4, -4, 4 * z);
    return s;
}

TEST(alignment_is_the_mean_velocity_minus_the_own) {
    scene s = three(2);
    scene_direct(&s, DUNLIN_RULE_ALIGNMENT, 10);
    scene_expect_velocity(&s, 0, 2, -1, 0);
    s.rules.rules[DUNLIN_RULE_ALIGNMENT].weight = 0.5f;
    scene_expect_velocity(&s, 0, 1 + 0.5 * 1, 0.5 * -1, 0);
    s = three(3);
    scene_direct(&s, DUNLIN_RULE_ALIGNMENT, 10);
    scene_expect_velocity(&s, 0, 2, -1, 3);
    scene_expect_velocity(&s, 1, 2.5, -2, 2.5);
}

TEST(cohesion_is_the_mean_offset) {
    scene s = three(2);
    scene_direct(&s, DUNLIN_RULE_COHESION, 10);
    scene_expect_velocity(&s, 0, 1 + 1, 1.5, 0);
    s = three(3);
    scene_direct(&s, DUNLIN_RULE_COHESION, 10);
    scene_expect_velocity(&s, 0, 1 + 1, 1.5, 1 + 3);
}

/* ---- responses --------------------------------------------------------------------------------------------------------- */

TEST(a_direct_response_is_limited) {
    scene s = pair();
    scene_direct(&s, DUNLIN_RULE_COHESION, 10);
    s.rules.rules[DUNLIN_RULE_COHESION].limit = 1;
    scene_expect_velocity(&s, 0, 0.6, 0.8, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].weight = 3; /* weight comes after the limit */
    scene_expect_velocity(&s, 0, 1.8, 2.4, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].limit = 5; /* the length itself */
    scene_expect_velocity(&s, 0, 9, 12, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].limit = 0;
    scene_expect_velocity(&s, 0, 0, 0, 0);
}

TEST(max_force_does_not_limit_a_direct_response) {
    scene s = pair();
    s.species.max_force = 0.001f;
    scene_direct(&s, DUNLIN_RULE_COHESION, 10);
    scene_expect_velocity(&s, 0, 3, 4, 0);
}

/* Neighbours at (3, 4) and at (0, 0): the mean is half of (3, 4), and its unit vector has length 1. */
TEST(a_unit_response_has_length_1) {
    scene s = scene_empty(2);
    scene_add(&s, 10, 10, 0, 1, 2, 0);
    scene_add(&s, 13, 14, 0, 1, 5, 0);
    scene_direct(&s, DUNLIN_RULE_COHESION, 10);
    s.rules.rules[DUNLIN_RULE_COHESION].response = DUNLIN_RESPONSE_UNIT;
    s.rules.rules[DUNLIN_RULE_COHESION].weight = 10;
    s.rules.rules[DUNLIN_RULE_COHESION].limit = 0.1f; /* of direct responses only */
    scene_expect_velocity(&s, 0, 7, 10, 0);
    scene_rest(&s, 7, 6, 0); /* the mean is now 0: no direction, no response */
    scene_expect_velocity(&s, 0, 1, 2, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].radius = 0;
    scene_direct(&s, DUNLIN_RULE_ALIGNMENT, 6);
    s.rules.rules[DUNLIN_RULE_ALIGNMENT].response = DUNLIN_RESPONSE_UNIT;
    scene_expect_velocity(&s, 0, 1 - 0.70710678, 2 + 0.70710678, 0); /* (0.5, 2.5) - (1, 2) */
}

/* desired = direction * max_speed; steer = desired - velocity, at most max_force long. */
TEST(steering_turns_the_vector_into_a_desired_velocity) {
    scene s = scene_empty(2);
    s.species.max_speed = 10;
    scene_add(&s, 10, 10, 0, 1, 2, 0);
    scene_add(&s, 13, 14, 0, 0, 5, 0);
    scene_steer(&s, DUNLIN_RULE_COHESION, 10);
    scene_expect_velocity(&s, 0, 6, 8, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].radius = 0;
    scene_steer(&s, DUNLIN_RULE_ALIGNMENT, 10);
    scene_expect_velocity(&s, 0, 0, 10, 0);
    s.rules.rules[DUNLIN_RULE_ALIGNMENT].radius = 0;
    scene_steer(&s, DUNLIN_RULE_SEPARATION, 10);
    scene_expect_velocity(&s, 0, -6, -8, 0);
}

TEST(steering_is_limited_to_max_force) {
    scene s = scene_empty(2);
    s.species.max_speed = 10;
    s.species.max_force = 0.5f;
    scene_add(&s, 10, 10, 0, 3, 4, 0);
    scene_add(&s, 13, 14, 0, 0, 0, 0);
    scene_steer(&s, DUNLIN_RULE_COHESION, 10); /* steer (3, 4), cut to (0.3, 0.4) */
    scene_expect_velocity(&s, 0, 3.3, 4.4, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].limit = 0.01f; /* of direct responses only */
    scene_expect_velocity(&s, 0, 3.3, 4.4, 0);
    s.rules.rules[DUNLIN_RULE_COHESION].weight = 2;
    scene_expect_velocity(&s, 0, 3.6, 4.8, 0);
}

/* ---- who is seen ------------------------------------------------------------------------------------------------------- */

/*
 * Neighbours at distances 1, 2 and 4. Each rule sees another number of them: separation the most and cohesion the fewest, and
 * other orders.
 */
TEST(every_rule_has_its_own_radius) {
    static const float radii[][3] = {{4, 2, 1}, {1, 4, 2}, {2, 1, 4}, {1, 2, 2}, {2, 1, 1}, {4, 4, 4}, {1, 0, 2}, {2, 1, 0}};
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        scene s = scene_empty(2);
        scene_rest(&s, 50, 50, 0);
        scene_add(&s, 51, 50, 0, 10, 0, 0);
        scene_add(&s, 52, 50, 0, 20, 0, 0);
        scene_add(&s, 54, 50, 0, 60, 0, 0);
        for (int rule = 0; rule < DUNLIN_RULE_COUNT; rule++) scene_direct(&s, (dunlin_rule_kind)rule, radii[i][rule]);
        const double push[] = {0, -1, -1.5, 0, -1.75}, velocity[] = {0, 10, 15, 0, 30}, offset[] = {0, 1, 1.5, 0, 7.0 / 3};
        const double want = push[(int)radii[i][0]] + velocity[(int)radii[i][1]] + offset[(int)radii[i][2]];
        scene_expect_velocity(&s, 0, want, 0, 0);
    }
}

static scene coincident(void) {
    scene s = scene_empty(2);
    scene_add(&s, 10, 10, 0, 0, 0, 0);
    scene_add(&s, 10, 10, 0, 6, 0, 0);
    scene_add(&s, 12, 10, 0, 0, 4, 0);
    return s;
}

TEST(ignored_coincident_agents_are_not_seen_at_all) {
    scene s = coincident();
    s.rules.ignore_coincident = true;
    scene_direct(&s, DUNLIN_RULE_ALIGNMENT, 5);
    scene_expect_velocity(&s, 0, 0, 4, 0);
    scene_direct(&s, DUNLIN_RULE_COHESION, 5);
    s.rules.rules[DUNLIN_RULE_ALIGNMENT].radius = 0;
    scene_expect_velocity(&s, 0, 2, 0, 0);
    scene_direct(&s, DUNLIN_RULE_SEPARATION, 5);
    scene_expect_velocity(&s, 0, 2 - 0.5, 0, 0);
}

/* ---- order ------------------------------------------------------------------------------------------------------------- */

static scene turns(void) {
    scene s = scene_empty(2);
    scene_add(&s, 10, 10, 0, 1, 0, 0);
    scene_add(&s, 12, 10, 0, 0, 3, 0);
    for (int rule = 0; rule < DUNLIN_RULE_COUNT; rule++) scene_direct(&s, (dunlin_rule_kind)rule, 4);
    return s;
}

/* Push (-0.5, 0), alignment (0, 3) - velocity, cohesion (2, 0). */
TEST(without_turns_the_order_means_nothing) {
    static const dunlin_rule_kind orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
    for (size_t i = 0; i < 3; i++) {
        scene s = turns();
        for (int r = 0; r < DUNLIN_RULE_COUNT; r++) s.rules.order[r] = orders[i][r];
        scene_expect_velocity(&s, 0, 1 - 0.5 - 1 + 2, 3, 0);
    }
}

/* Alignment takes the velocity that the rules before it have made, and so sets it to that of the neighbours. */
TEST(in_turn_each_rule_sees_what_the_one_before_has_done) {
    static const dunlin_rule_kind orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}};
    static const double want[] = {2, -0.5, 1.5, 0};
    for (size_t i = 0; i < 4; i++) {
        scene s = turns();
        s.rules.in_turn = true;
        for (int r = 0; r < DUNLIN_RULE_COUNT; r++) s.rules.order[r] = orders[i][r];
        scene_expect_velocity(&s, 0, want[i], 3, 0);
    }
}

/* With dt = 1/2, forces change velocities by half: alignment then sees (1 - 0.25, 0) and adds half of (-0.75, 3). */
TEST(in_turn_velocities_change_by_force_times_dt) {
    scene s = turns();
    s.rules.in_turn = true;
    s.rules.rules[DUNLIN_RULE_COHESION].radius = 0;
    s.world.time_step = 0.5f;
    scene_expect_velocity(&s, 0, 1 - 0.25 - 0.375, 1.5, 0);
    s.world.forces_are_increments = true;
    scene_expect_velocity(&s, 0, 0, 3, 0);
}

static dunlin_world *world_with_one_out_of_reach(dunlin_world_def def, const void *falloff) {
    dunlin_world *world = world_of(&def, 20.0f, 100);
    dunlin_interaction_def rules = dunlin_world_get_interaction(world, 0);
    rules.rules[DUNLIN_RULE_SEPARATION].falloff = *(const dunlin_falloff *)falloff;
    ACCEPT(dunlin_world_set_interaction(world, 0, &rules, &refusal));
    world_spawn(world, 0, (const float[3]){-2e36f, -2e36f, 0.0f}, (const float[3]){0.1f, 0.2f, 0.0f});
    return world;
}

/* So far away that its squared distance is infinite, an agent leaves no mark on those that share a group of lanes with it. */
TEST(an_agent_out_of_reach_leaves_no_mark) {
    const dunlin_world_def def = world_def_with((world_parts){.boundary = DUNLIN_BOUNDARY_OPEN});
    for (dunlin_falloff falloff = DUNLIN_FALLOFF_INVERSE; falloff <= DUNLIN_FALLOFF_CONSTANT; falloff++)
        world_expect_one_state(def, world_with_one_out_of_reach, &falloff, 3);
}

/* A flock, and a hawk far away. `observes`: the flock looks for hawks, too, by rules of different radii as its own are. */
static uint64_t flock_beside_hawk(bool observes) {
    const dunlin_world_def def = world_def_with((world_parts){.boundary = DUNLIN_BOUNDARY_OPEN});
    dunlin_world *world = world_of(&def, 20.0f, 200);
    const int hawk = world_add_named(world, "hawk");
    for (int observed = 0; observed <= (observes ? hawk : 0); observed++) {
        dunlin_interaction_def rules = world_interaction(0, observed);
        for (int r = 0; r < 3; r++) {
            rules.rules[r].response = DUNLIN_RESPONSE_DIRECT;
            rules.rules[r].radius = 20.0f - (float)r;
            rules.rules[r].weight = 0.01f;
        }
        if (observed == hawk)
            world_add_interaction(world, &rules);
        else
            ACCEPT(dunlin_world_set_interaction(world, 0, &rules, &refusal));
    }
    world_spawn(world, hawk, (const float[3]){1e6f, 1e6f, 0.0f}, (const float[3]){0.0f, 0.0f, 0.0f});
    world_run(world, 3);
    return world_end(world);
}

/* Sums over few agents that are out of sight are 0, and not those over others. */
TEST(a_hawk_out_of_sight_changes_nothing) {
    assert_int_equal(flock_beside_hawk(true), flock_beside_hawk(false));
}
